"""Runs against SciPy's DOP853 on equations written down here, on models of the repository.

Tolerance: 1e-8 of the largest position or velocity. Both integrate with a relative error of 1e-12 a step and some
thousand steps; the motion multiplies an early error by less than 1000 in the time looked at. What is found lies between
1e-13 and 1e-10.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import carom

TOLERANCE = 1e-8
STEP = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}


def test_a_swinging_double_pendulum_follows_the_closed_form_equations(models: Path) -> None:
    """Point masses m₁, m₂ on massless links l₁, l₂; a, b: absolute angles from the downward vertical.

    (m₁ + m₂) l₁ a″ + m₂ l₂ b″ cos(a − b) + m₂ l₂ b′² sin(a − b) + (m₁ + m₂) g sin a = 0
    l₂ b″ + l₁ a″ cos(a − b) − l₁ a′² sin(a − b) + g sin b = 0
    """
    m1, m2, l1, l2, g = 5.0, 2.0, 0.5, 0.25, 9.81
    # Gravity acts, and the floor lies out of reach: nothing is struck.
    machine = carom.Machine.open(
        models / "002/double-pendulum.toml", sets={"gravity": "[0, -9.81]", "ground.contact.floor.at.1": -2.0}
    )
    assert machine.nq == 2

    def rate(t: float, y: np.ndarray) -> list[float]:
        a, b, a_dot, b_dot = y
        c, s = np.cos(a - b), np.sin(a - b)
        left = [[(m1 + m2) * l1, m2 * l2 * c], [l1 * c, l2]]
        right = [
            -m2 * l2 * b_dot**2 * s - (m1 + m2) * g * np.sin(a),
            l1 * a_dot**2 * s - g * np.sin(b),
        ]
        return [a_dot, b_dot, *np.linalg.solve(left, right)]

    run = machine.run(until=2.0, tolerance=1e-12)
    assert not run.impacts
    path = run.trajectory
    (a, e), (a_dot, e_dot) = machine.q, machine.v
    # The second coordinate is the angle of the elbow.
    start = [a, a + e, a_dot, a_dot + e_dot]
    wanted = solve_ivp(rate, (0, 2), start, t_eval=path.t, **STEP)
    assert wanted.success and len(path.t) > 50
    found = np.column_stack([path.q[:, 0], path.q.sum(axis=1), path.v[:, 0], path.v.sum(axis=1)])
    error = np.abs(found - wanted.y.T).max(axis=0) / np.abs(wanted.y).max(axis=1)
    assert np.ptp(found[:, 0]) > 0.5, "it must move for the comparison to mean something"
    assert error.max() < TOLERANCE, error


def test_a_ball_bouncing_on_a_moving_table_follows_the_force_law(models: Path) -> None:
    """Flores: F = K δ^1.5 (1 + 8 (1 − e)/(5 e) δ̇/δ̇⁻) while δ > 0; δ = y_t + R − y, y_t = 0.5 + 0.1 sin 7.5 t."""
    K, e, R, g, m = 140e10, 0.6, 0.1, 9.81, 1.0
    until = 1.0
    machine = carom.Machine.open(models / "001/ball-on-table.toml")
    run = machine.run(until=until, tolerance=1e-12)

    def table(t: float) -> tuple[float, float]:
        return 0.5 + 0.1 * np.sin(7.5 * t), 0.75 * np.cos(7.5 * t)

    def gap(t: float, y: np.ndarray, *_: float) -> float:
        return float(y[0] - R - table(t)[0])

    def fall(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -g]

    def touch(t: float, y: np.ndarray, onset: float) -> list[float]:
        height, speed = table(t)
        depth, rate = max(height + R - y[0], 0.0), speed - y[1]
        force = K * depth**1.5 * (1 + 8 * (1 - e) / (5 * e) * rate / onset)
        return [y[1], -g + force / m]

    def until_the_gap_is_zero(rate: Callable[..., list[float]], direction: int, *given: float) -> Any:
        gap.terminal, gap.direction = True, direction  # type: ignore[attr-defined]
        # δ of an impact is some 1e-5 m: the absolute error is bounded far below that.
        return solve_ivp(rate, (t, until), y, args=given, events=gap, dense_output=True, **{**STEP, "atol": 1e-17})

    path, column = run.trajectory, machine.joints.index("fall")
    starts, ends = ([getattr(impact, end) for impact in run.impacts] for end in ("onset", "parting"))
    t, y, heights, speeds = 0.0, np.array([1.0, 0.0]), 0.0, 0.0
    compared = 0

    def compare(found: Any, first: float, last: float) -> None:
        """Moments of the run from first to last; both began at their own onset, so a shift of time drops out."""
        nonlocal compared, heights, speeds
        inside = (path.t >= first) & (path.t <= last)
        wanted = found.sol(path.t[inside] - first + t)
        heights = max(heights, np.abs(path.q[inside, column] - wanted[0]).max(initial=0.0))
        speeds = max(speeds, np.abs(path.v[inside, column] - wanted[1]).max(initial=0.0))
        compared += int(inside.sum())

    for start, end, left in zip(starts, ends, [0.0, *ends]):
        found = until_the_gap_is_zero(fall, -1)
        compare(found, left, start)
        t, y = float(found.t[-1]), found.y[:, -1]
        assert abs(t - start) < TOLERANCE, "onset"
        found = until_the_gap_is_zero(touch, 1, table(t)[1] - y[1])
        compare(found, start, end)
        t, y = float(found.t[-1]), found.y[:, -1]
        assert abs(t - end) < TOLERANCE, "parting"
    found = until_the_gap_is_zero(fall, -1)
    assert found.status == 0, "SciPy finds another impact"
    compare(found, ends[-1], until)
    assert len(starts) == 7
    assert compared >= len(path), "every moment is compared"
    assert heights < TOLERANCE * np.abs(path.q).max(), heights
    assert speeds < TOLERANCE * np.abs(path.v).max(), speeds
