"""Random robots as URDF, and any URDF in Pinocchio, in carom's order of coordinates.

The generator writes what real files have: inertial frames that are turned, skew axes, fixed joints, frames without mass,
links without mass between joints, joints that mimic others (in chains), dampers, a floating base.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from trees import rotation

Array = np.ndarray


def text(values: Any) -> str:
    """Numbers for an attribute, with all digits."""
    return " ".join(repr(float(x)) for x in np.atleast_1d(values))


@dataclass
class Robot:
    """A URDF and what the tests ask of it."""

    urdf: str
    floating: bool
    #: Joint to reflected rotor inertia.
    rotors: dict[str, float]
    #: Joint to damping.
    damping: dict[str, float]
    #: Joint to (other joint, multiplier, offset).
    mimic: dict[str, tuple[str, float, float]]
    #: Links that move, and the body of the model file that each belongs to.
    moving: dict[str, str] = field(default_factory=dict)


def inertial(random: np.random.Generator) -> str:
    """Mass, centre and a possible tensor in turned axes."""
    mass = random.uniform(0.5, 5)
    # Principal values of a box: the triangle inequality holds.
    a, b, c = random.uniform(0.05, 0.3, size=3) ** 2
    x, y, z = mass * np.array([b + c, a + c, a + b])
    Q = np.linalg.qr(random.normal(size=(3, 3)))[0]
    J = Q @ np.diag([x, y, z]) @ Q.T
    return (
        f'<inertial><origin xyz="{text(random.normal(size=3) * 0.1)}" rpy="{text(random.uniform(-3, 3, 3))}"/>'
        f'<mass value="{text(mass)}"/><inertia ixx="{text(J[0, 0])}" iyy="{text(J[1, 1])}" izz="{text(J[2, 2])}" '
        f'ixy="{text(J[0, 1])}" ixz="{text(J[0, 2])}" iyz="{text(J[1, 2])}"/></inertial>'
    )


def grow(seed: int) -> Robot:
    """A random tree of 3 to 10 links."""
    random = np.random.default_rng([1818, seed])
    count = int(random.integers(3, 11))
    floating = seed % 3 == 0
    robot = Robot("", floating, {}, {}, {})
    parents = [int(random.integers(max(0, k - 2), k)) for k in range(1, count)]
    kinds = [str(random.choice(["revolute", "continuous", "prismatic", "revolute", "fixed"])) for _ in parents]
    lines = ['<robot name="random" xmlns:drake="http://drake.mit.edu">']
    body = {"l0": "l0" if floating else "ground"}
    driven: list[str] = []
    # Links without mass: frames on fixed joints, and now and then one that carries a link with mass on a joint that moves.
    massive = [True] * count
    for k in range(count - 1, 0, -1):
        children = [c for c in range(k + 1, count) if parents[c - 1] == k and kinds[c - 1] != "fixed"]
        between = kinds[k - 1] != "fixed" and any(massive[c] for c in children) and random.random() < 0.2
        massive[k] = not between and (kinds[k - 1] != "fixed" or random.random() < 0.5)
    for k in range(count):
        lines.append(f'<link name="l{k}">{inertial(random) if massive[k] else ""}</link>')
    for k, (parent, kind) in enumerate(zip(parents, kinds, strict=True), start=1):
        name = f"j{k}"
        body[f"l{k}"] = body[f"l{parent}"] if kind == "fixed" else f"l{k}"
        inside = (
            f'<parent link="l{parent}"/><child link="l{k}"/>'
            f'<origin xyz="{text(random.normal(size=3) * 0.4)}" rpy="{text(random.uniform(-3, 3, 3))}"/>'
        )
        if kind != "fixed":
            axis = random.normal(size=3) if random.random() < 0.7 else np.eye(3)[random.integers(3)]
            inside += f'<axis xyz="{text(axis / np.linalg.norm(axis))}"/><limit lower="-9" upper="9" effort="1" velocity="1"/>'
            if random.random() < 0.4:
                robot.damping[name] = random.uniform(0.1, 2)
                inside += f'<dynamics damping="{text(robot.damping[name])}"/>'
            if driven and random.random() < 0.25:
                other, factor, offset = str(random.choice(driven)), random.uniform(-2, 2), random.uniform(-0.5, 0.5)
                robot.mimic[name] = (other, factor, offset)
                inside += f'<mimic joint="{other}" multiplier="{text(factor)}" offset="{text(offset)}"/>'
            driven.append(name)
        lines.append(f'<joint name="{name}" type="{kind}">{inside}</joint>')
        if kind != "fixed" and random.random() < 0.5:
            ratio, inertia = random.uniform(1, 100), random.uniform(1e-6, 1e-4)
            robot.rotors[name] = ratio**2 * inertia
            lines.append(
                f'<transmission name="t{k}"><joint name="{name}"/><actuator name="m{k}"><drake:gear_ratio value="{text(ratio)}"/>'
                f'<drake:rotor_inertia value="{text(inertia)}"/></actuator></transmission>'
            )
    lines.append("</robot>")
    robot.urdf = "\n".join(lines)
    robot.moving = {link: owner for link, owner in body.items() if owner != "ground"}
    return robot


class Pinocchio:
    """A URDF as Pinocchio reads it, with coordinates in carom's order."""

    def __init__(self, robot: Robot, velocities: list[str]) -> None:
        import pinocchio as pin

        self.pin, self.robot = pin, robot
        root = [pin.JointModelFreeFlyer()] if robot.floating else []
        model = pin.buildModelFromXML(robot.urdf, *root)
        self.names = {re.sub(r"[^\w-]", "_", model.names[k]): k for k in range(1, model.njoints)}
        armature = np.zeros(model.nv)
        for name, rotor in robot.rotors.items():
            armature[model.joints[model.getJointId(name)].idx_v] = rotor
        model.armature = armature
        self.model, self.data = model, model.createData()
        #: Joints in carom's order: its name, Pinocchio's number.
        self.order: list[tuple[str, int]] = []
        for entry in velocities:
            name = entry.removeprefix("v.").rsplit(".", 1)[0]
            if not self.order or self.order[-1][0] != name:
                joint = self.names["root_joint" if name == "floating_base" else name]
                self.order.append((name, joint))

    def following(self) -> tuple[Array, Array]:
        """G and g of q = G q_free + g over joints with one coordinate; the identity without mimics."""
        count = sum(self.model.joints[k].nv for _, k in self.order)
        G, g = np.eye(count), np.zeros(count)
        row, at = {}, 0
        for name, k in self.order:
            row[name] = at
            at += self.model.joints[k].nv
        for _ in self.robot.mimic:
            for name, (other, factor, offset) in self.robot.mimic.items():
                G[row[name]] = factor * G[row[other]]
                g[row[name]] = factor * g[row[other]] + offset
        free = [k for k in range(count) if not any(row[name] == k for name in self.robot.mimic)]
        return G[:, free], g

    def state(self, random: np.random.Generator) -> tuple[Array, Array]:
        """Positions and velocities for carom, which keep the mimics; remembers them for Pinocchio."""
        G, g = self.following()
        one = G @ random.uniform(-2, 2, size=G.shape[1]) + g
        v = G @ random.normal(size=G.shape[1])
        q_other, v_other = np.zeros(self.model.nq), np.zeros(self.model.nv)
        self.S, self.rate = np.zeros((self.model.nv, self.model.nv)), np.zeros(self.model.nv)
        q, at = [], 0
        for _, k in self.order:
            joint = self.model.joints[k]
            if joint.nv == 1:
                q.append(one[at : at + 1])
                turns_on = [np.cos(one[at]), np.sin(one[at])]
                q_other[joint.idx_q : joint.idx_q + joint.nq] = one[at] if joint.nq == 1 else turns_on
                self.S[joint.idx_v, at] = 1
            else:
                assert joint.shortname() == "JointModelFreeFlyer", joint.shortname()
                turn = random.normal(size=4)
                turn /= np.linalg.norm(turn)
                place = random.normal(size=3)
                q.append(np.concatenate([place, turn]))
                q_other[joint.idx_q : joint.idx_q + 7] = np.concatenate([place, turn[1:], turn[:1]])
                R = rotation(turn)
                rows = slice(joint.idx_v, joint.idx_v + 6)
                self.S[rows, at : at + 6] = np.kron(np.eye(2), R.T)
                # v_other = Rᵀ v: its rate at constant v is −ω × Rᵀ v in the body's axes.
                linear, angular = R.T @ v[at : at + 3], R.T @ v[at + 3 : at + 6]
                self.rate[rows] = np.concatenate([-np.cross(angular, linear), np.zeros(3)])
            at += joint.nv
        v_other = self.S @ v
        self.q, self.v, self.v_carom = q_other, v_other, v
        return np.concatenate(q), v

    def mass_matrix(self) -> Array:
        M = self.pin.crba(self.model, self.data, self.q)
        return self.S.T @ (np.triu(M) + np.triu(M, 1).T) @ self.S

    def bias(self) -> Array:
        """Velocity terms, gravity and dampers."""
        h = self.pin.nonLinearEffects(self.model, self.data, self.q, self.v)
        M = self.pin.crba(self.model, self.data, self.q)
        damping, at = np.zeros(self.model.nv), 0
        for name, k in self.order:
            damping[at] = self.robot.damping.get(name, 0.0)
            at += self.model.joints[k].nv
        return self.S.T @ (h + (np.triu(M) + np.triu(M, 1).T) @ self.rate) + damping * self.v_carom

    def mass(self) -> Array:
        """M in Pinocchio's own coordinates."""
        M = self.pin.crba(self.model, self.data, self.q)
        return np.triu(M) + np.triu(M, 1).T

    def tip_jacobian(self, link: str) -> Array:
        """J of a link's origin along the world's axes, (3, nv)."""
        pin = self.pin
        frame = self.model.getFrameId(link)
        pin.computeJointJacobians(self.model, self.data, self.q)
        pin.updateFramePlacements(self.model, self.data)
        J = pin.getFrameJacobian(self.model, self.data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        # Pinocchio returns (6,) for one degree of freedom.
        self.J = J.reshape(6, -1)[:3]
        return self.J @ self.S

    def inverse_inertia(self, link: str) -> Array:
        """Λ⁻¹ = J M⁻¹ Jᵀ at a link's origin, with the mimics kept."""
        G, _ = self.following()
        J = self.tip_jacobian(link) @ G
        return J @ np.linalg.solve(G.T @ self.mass_matrix() @ G, J.T)

    def mobility(self, link: str) -> Array:
        """W = Λ⁻¹ of a link's origin; keeps what the tip would give way without the mimics, the size of round-off where they hold it."""
        J = self.tip_jacobian(link)
        self.free = np.abs(J @ np.linalg.solve(self.mass_matrix(), J.T)).max()
        return self.inverse_inertia(link)

    def effective_mass(self, link: str, normal: Array) -> float:
        """1 / (n Λ⁻¹ n) at a link's origin."""
        W = float(normal @ self.inverse_inertia(link) @ normal)
        return 1 / W if W > 0 else np.inf
