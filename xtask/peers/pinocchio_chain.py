"""m_eff and T_c of a chain by Pinocchio from Python. Prints `chain N m_eff T_c seconds`."""

import time

import numpy as np
import pinocchio as pin

NORMAL = np.array([0.48, 0.64, 0.6])


def chain(n):
    rotation = pin.exp3(np.array([1.1, 0.3, 0.2]))
    inertia = np.array([[0.02, 0.001, 0.002], [0.001, 0.11, -0.003], [0.002, -0.003, 0.12]])
    body = pin.Inertia(1.3, np.array([0.5, 0.05, -0.03]), inertia)
    model = pin.Model()
    last = 0
    for k in range(n):
        place = pin.SE3(rotation, np.array([float(k > 0), 0.0, 0.0]))
        last = model.addJoint(last, pin.JointModelRZ(), place, f"joint{k}")
        model.appendBodyToJoint(last, body, pin.SE3.Identity())
    return model, last


def main():
    for n in (2, 6, 8, 32, 512):
        model, last = chain(n)
        data = model.createData()
        q = np.array([0.3 + 0.1 * (k % 7) for k in range(n)])
        v = np.array([0.5 - 0.1 * (k % 5) for k in range(n)])

        def evaluate():
            pin.computeJointJacobians(model, data, q)
            pin.crba(model, data, q)
            pin.cholesky.decompose(model, data)
            tip = data.oMi[last]
            point = tip.translation + tip.rotation[:, 0]
            row = NORMAL @ data.J[:3] + np.cross(point, NORMAL) @ data.J[3:]
            mass = 1.0 / (row @ pin.cholesky.solve(model, data, row))
            return mass, 0.5 * mass * (row @ v) ** 2

        mass, energy = evaluate()
        best, start = np.inf, time.process_time()
        while time.process_time() - start < 0.3:
            begin = time.process_time()
            for _ in range(50):
                evaluate()
            best = min(best, (time.process_time() - begin) / 50)
        print(f"chain {n} {mass:.17g} {energy:.17g} {best:.9g}")


main()
