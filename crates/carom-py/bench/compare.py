"""carom and Pinocchio on the same work, side by side in one run.

    cargo xtask python --bench

builds the wheel that is handed out and runs this file. Work of one state: kinematics, M, the row A of the touching point
along the normal, m_eff = 1 / (A M⁻¹ Aᵀ), u = A v, T_c = ½ m_eff u², T. Pinocchio is called in the ways that its users
write it:

* ``crba``: crba, computeJointJacobians, the point's Jacobian, a solve with M in NumPy, computeKineticEnergy;
* ``cholesky``: the same with Pinocchio's own factors of M, the rest as before;
* ``all terms``: computeAllTerms, one call for kinematics, M, Jacobians and energies, then Pinocchio's factors.

Both programs are first checked against each other on the states that are timed. Times are the best of several repeats:
what the program needs when nothing else runs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

import carom

MODELS = Path(__file__).resolve().parents[3] / "models"
#: States that take turns, so that nothing is computed once and kept.
STATES = 256
REPEATS = 15


def best(call: Callable[[], Any], count: int, repeats: int = REPEATS) -> float:
    """Least seconds per evaluation over the repeats; a call makes ``count`` evaluations."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) / count


class Case:
    """A machine in both programs, and states near its own."""

    def __init__(self, name: str, machine: carom.Machine, contact: str, model: pin.Model, tip: int, normal: np.ndarray):
        self.name, self.machine, self.contact = name, machine, contact
        self.model, self.data, self.tip, self.normal = model, model.createData(), tip, normal
        random = np.random.default_rng(1)
        self.q = machine.q + random.uniform(-0.5, 0.5, (STATES, machine.nq))
        self.v = random.normal(size=(STATES, machine.nv))

    def carom(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
        found = self.machine.assess(self.contact, q=q, v=v)
        return found.effective_mass, found.impact_energy, found.kinetic_energy

    def energies(self, W: float, u: float, T: float) -> tuple[float, float, float]:
        return 1 / W, 0.5 * u * u / W if u < 0 else 0.0, T

    def crba(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
        model, data = self.model, self.data
        M = pin.crba(model, data, q)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacement(model, data, self.tip)
        A = self.row()
        M = np.triu(M) + np.triu(M, 1).T
        return self.energies(A @ np.linalg.solve(M, A), A @ v, pin.computeKineticEnergy(model, data, q, v))

    def row(self) -> np.ndarray:
        J = pin.getFrameJacobian(self.model, self.data, self.tip, pin.LOCAL_WORLD_ALIGNED)
        return self.normal @ J[:3]

    def cholesky(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
        model, data = self.model, self.data
        pin.crba(model, data, q)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacement(model, data, self.tip)
        A = self.row()
        pin.cholesky.decompose(model, data)
        return self.energies(
            A @ pin.cholesky.solve(model, data, A), A @ v, pin.computeKineticEnergy(model, data, q, v)
        )

    def all_terms(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
        model, data = self.model, self.data
        pin.computeAllTerms(model, data, q, v)
        pin.updateFramePlacement(model, data, self.tip)
        A = self.row()
        pin.cholesky.decompose(model, data)
        return self.energies(A @ pin.cholesky.solve(model, data, A), A @ v, data.kinetic_energy)

    def check(self) -> None:
        for q, v in zip(self.q, self.v):
            for other in (self.crba, self.cholesky, self.all_terms):
                if not np.allclose(self.carom(q, v), other(q, v), rtol=1e-9):
                    sys.exit(f"{self.name}: carom {self.carom(q, v)}, Pinocchio {other(q, v)}")

    def microseconds(self, ask: Callable[[np.ndarray, np.ndarray], Any]) -> float:
        pairs = list(zip(self.q, self.v))

        def call() -> None:
            for q, v in pairs:
                ask(q, v)

        call()
        return best(call, len(pairs)) * 1e6

    def throughput(self, n: int) -> list[float]:
        """Million states a second of a batch on one thread and on two, which take turns; the arrays are there, the answer's are made."""
        q, v = np.tile(self.q, (n // STATES, 1)), np.tile(self.v, (n // STATES, 1))
        times = [np.inf, np.inf]
        for _ in range(REPEATS):
            for k in range(2):
                here = best(lambda: self.machine.assess(self.contact, q=q, v=v, threads=1 + k), 1, 4)
                times[k] = min(times[k], here)
        return [len(q) / t / 1e6 for t in times]


def pendulum() -> Case:
    """The double pendulum of Gonzalez et al.: point masses, tip on the ground."""
    machine = carom.Machine.open(MODELS / "002/double-pendulum.toml")
    m1, m2, l1, l2 = 5.0, 2.0, 0.5, 0.25
    model = pin.Model()
    model.gravity.linear = np.zeros(3)
    hang = pin.SE3(pin.rpy.rpyToMatrix(0, 0, -np.pi / 2), np.zeros(3))
    shoulder = model.addJoint(0, pin.JointModelRZ(), hang, "shoulder")
    model.appendBodyToJoint(shoulder, pin.Inertia(m1, np.array([l1, 0, 0]), np.zeros((3, 3))), pin.SE3.Identity())
    elbow = model.addJoint(shoulder, pin.JointModelRZ(), pin.SE3(np.eye(3), np.array([l1, 0, 0])), "elbow")
    model.appendBodyToJoint(elbow, pin.Inertia(m2, np.array([l2, 0, 0]), np.zeros((3, 3))), pin.SE3.Identity())
    tip = model.addFrame(pin.Frame("tip", elbow, pin.SE3(np.eye(3), np.array([l2, 0, 0])), pin.OP_FRAME))
    return Case("double pendulum", machine, "tip", model, tip, np.array([0.0, 1.0, 0.0]))


def arm() -> Case:
    """The six-axis arm: Denavit-Hartenberg, as models/robot-arm.toml has it."""
    machine = carom.Machine.open(MODELS / "robot-arm.toml")
    # Frame of the joint in the child's body frame (roll about x, point), mass, mass centre, inertia.
    links = [
        (-np.pi / 2, (0, -0.089159, 0), 3.7, (0, -0.02561, 0.00193), (0.0102, 0.0066, 0.0102)),
        (0, (0.425, 0, 0), 8.393, (0.2125, 0, 0.11336), (0.0151, 0.2269, 0.2269)),
        (0, (0.39225, 0, 0), 2.33, (0.15, 0, 0.0265), (0.0041, 0.0494, 0.0494)),
        (-np.pi / 2, (0, -0.10915, 0), 1.219, (0, -0.0018, 0.01634), (0.0022, 0.0018, 0.0022)),
        (np.pi / 2, (0, 0.09465, 0), 1.219, (0, 0.0018, 0.01634), (0.0022, 0.0018, 0.0022)),
        (0, (0, 0, -0.0823), 0.1879, (0, 0, -0.001159), (0.0001, 0.0001, 0.0001)),
    ]
    model = pin.Model()
    model.gravity.linear = np.array([0, 0, -9.81])
    joint, place = 0, pin.SE3.Identity()
    for k, (roll, at, mass, center, inertia) in enumerate(links):
        joint = model.addJoint(joint, pin.JointModelRZ(), place, f"joint_{k + 1}")
        # The body's frame seen from the joint; the next joint stands at its origin.
        place = pin.SE3(pin.rpy.rpyToMatrix(roll, 0.0, 0.0), np.array(at)).inverse()
        model.appendBodyToJoint(joint, pin.Inertia(mass, np.array(center), np.diag(inertia)), place)
    tip = model.addFrame(pin.Frame("tip", joint, place * pin.SE3(np.eye(3), np.array([0, 0, 0.1])), pin.OP_FRAME))
    return Case("six-joint arm", machine, "wall", model, tip, np.array([1.0, 0.0, 0.0]))


def main() -> None:
    import warnings

    warnings.simplefilter("ignore", carom.CaromWarning)
    cases = [pendulum(), arm()]
    print(f"carom {carom.__version__}, Pinocchio {pin.__version__}, NumPy {np.__version__}, {os.cpu_count()} cores")
    print(f"\none state given as arrays [µs]{'carom':>10} {'crba':>8} {'cholesky':>9} {'all terms':>10} {'bar':>5}")
    for case in cases:
        case.check()
        times = [case.microseconds(ask) for ask in (case.carom, case.crba, case.cholesky, case.all_terms)]
        print(f"{case.name:<30}{times[0]:>10.2f} {times[1]:>8.2f} {times[2]:>9.2f} {times[3]:>10.2f} {'≤ 6':>5}")
    print(f"\nbatch of a million [10⁶ states/s]{'1 thread':>13} {'bar':>6} {'2 threads':>10} {'ratio':>6} {'bar':>6}")
    for case, bar in zip(cases, (2.5, 1.0)):
        one, two = case.throughput(1_000_000)
        print(f"{case.name:<33}{one:>13.2f} {f'≥ {bar}':>6} {two:>10.2f} {two / one:>6.2f} {'≥ 1.9':>6}")


if __name__ == "__main__":
    main()
