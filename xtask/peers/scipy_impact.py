"""The impact of the double pendulum of Gonzalez et al. by SciPy's DOP853. Prints `impact TOLERANCE peak_force duration separation_speed seconds`."""

import time
from math import acos, atan2, cos, sin, sqrt

from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

M1, M2, L1, L2, HEIGHT, K, B = 5.0, 2.0, 0.5, 0.25, 0.6, 1e9, 0.75


def onset():
    x, y = 0.1, 0.6
    r2 = x * x + y * y
    a = atan2(x, y) + acos((r2 + L1 * L1 - L2 * L2) / (2 * L1 * sqrt(r2)))
    c = atan2(x - L1 * sin(a), y - L1 * cos(a))
    p, q, r, s = L1 * cos(a), L2 * cos(c), L1 * sin(a), L2 * sin(c)
    d = p * s - q * r
    return [a, c, (s + q) / d, (-p - r) / d]


def depth(t, x):
    return L1 * cos(x[0]) + L2 * cos(x[1]) - HEIGHT


def rate(x):
    return -L1 * sin(x[0]) * x[2] - L2 * sin(x[1]) * x[3]


START = onset()
SPEED = rate(START)


def force(x):
    delta = depth(0, x)
    return K * delta * sqrt(delta) * (1 + B * rate(x) / SPEED) if delta > 0 else 0.0


def motion(t, x):
    s1, c1, s2, c2 = sin(x[0]), cos(x[0]), sin(x[1]), cos(x[1])
    c, s, k, push = c1 * c2 + s1 * s2, s1 * c2 - c1 * s2, M2 * L1 * L2, force(x)
    q1 = push * L1 * s1 - k * s * x[3] ** 2
    q2 = push * L2 * s2 + k * s * x[2] ** 2
    m11, m12, m22 = (M1 + M2) * L1 * L1, k * c, M2 * L2 * L2
    d = m11 * m22 - m12 * m12
    return [x[2], x[3], (m22 * q1 - m12 * q2) / d, (m11 * q2 - m12 * q1) / d]


depth.terminal = True
depth.direction = -1


def impact(tolerance):
    found = solve_ivp(
        motion, [0, 1], START, method="DOP853", rtol=max(tolerance, 3e-14), atol=tolerance * 1e-3,
        events=depth, dense_output=True, first_step=1e-6,
    )
    end = found.t_events[0][0]
    peak = minimize_scalar(lambda t: -force(found.sol(t)), bounds=(0, end), method="bounded", options={"xatol": 1e-12})
    return -peak.fun, end, -rate(found.sol(end))


for tolerance in (1e-9, 1e-12):
    values = impact(tolerance)
    begin = time.process_time()
    for _ in range(5):
        impact(tolerance)
    seconds = (time.process_time() - begin) / 5
    print(f"impact {tolerance:g} " + " ".join(f"{x:.17g}" for x in values) + f" {seconds:.9g}")
