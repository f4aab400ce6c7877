"""Random trees and chains of bodies, each described three times: for carom, for Pinocchio, for MuJoCo.

The three programs share the joint's pose X_PF J(q) X_CM⁻¹ (F fixed in the parent, M in the child) but not its
coordinates:

============  ======================  ====================  ==============================
joint         carom                   Pinocchio             MuJoCo
============  ======================  ====================  ==============================
spherical q   quaternion w, x, y, z   x, y, z, w            w, x, y, z
spherical v   ω in axes of F          ω in axes of M        ω in axes of M
floating q    x, y, z, then as above  the same              three slides and a ball
floating v    ẋ, ω in axes of F       ẋ, ω in axes of M     ẋ in axes of F, ω in axes of M
============  ======================  ====================  ==============================

With v_other = S(q) v_carom: M = Sᵀ M_other S, h = Sᵀ (h_other + M_other Ṡ v), A = A_other S.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

FAMILIES = ("planar chain", "planar tree", "spatial chain", "spatial tree")
Array = np.ndarray


def rpy(angles: Array) -> Array:
    """Rotation by roll, pitch and yaw about fixed x, y and z."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return z @ y @ x


def rotation(quaternion: Array) -> Array:
    """Rotation matrix of a unit quaternion w, x, y, z."""
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(R: Array) -> Array:
    """Unit quaternion w, x, y, z of a rotation: the eigenvector of Bar-Itzhack's matrix, accurate for every angle."""
    K = np.array(
        [
            [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1]],
        ]
    )
    return np.linalg.eigh(K)[1][:, -1]


@dataclass(frozen=True)
class Pose:
    """Rotation and translation."""

    R: Array
    p: Array

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.R @ other.R, self.R @ other.p + self.p)

    def inverse(self) -> Pose:
        return Pose(self.R.T, -self.R.T @ self.p)


@dataclass
class Link:
    """A body with the joint that carries it."""

    name: str
    parent: int
    kind: str
    #: Axes of the elementary turns and slides in F, in the order of the coordinates.
    steps: list[tuple[str, Array]]
    X_PF: Pose
    X_CM: Pose
    angles: tuple[Array, Array]
    axis: list[list[float]] | None
    rotor: list[float]
    mass: float
    center: Array
    inertia: Array
    q: Array
    v: Array


@dataclass
class Tree:
    """A machine, its state and efforts."""

    planar: bool
    gravity: Array
    links: list[Link] = field(default_factory=list)
    effort: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def q(self) -> Array:
        return np.concatenate([link.q for link in self.links])

    @property
    def v(self) -> Array:
        return np.concatenate([link.v for link in self.links])


def unit(random: np.random.Generator, n: int) -> Array:
    vector = random.normal(size=n)
    return vector / np.linalg.norm(vector)


def random_inertia(random: np.random.Generator, planar: bool) -> Array:
    """A tensor of a body that exists, with turned principal axes: that of a cloud of points."""
    if planar:
        return np.eye(3) * random.uniform(0.02, 0.5)
    points = random.normal(size=(6, 3)) * random.uniform(0.1, 0.5, 3)
    second = points.T @ points
    return np.trace(second) * np.eye(3) - second


def random_joint(random: np.random.Generator, planar: bool, root: bool) -> tuple[str, list[tuple[str, Array]], Any]:
    """Kind, elementary steps in F, and what stands under `axis`."""
    x, y, z = np.eye(3)
    if planar:
        kind = str(random.choice(["revolute", "prismatic", "floating"], p=[0.65, 0.25, 0.1]))
        if kind == "revolute":
            return kind, [("turn", z)], None
        if kind == "prismatic":
            axis = np.append(unit(random, 2), 0)
            return kind, [("slide", axis)], axis[:2].tolist()
        return kind, [("slide", x), ("slide", y), ("turn", z)], None
    kinds = ["revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "floating"]
    weights = [0.4, 0.15, 0.1, 0.1, 0.05, 0.1, 0.1]
    kind = "floating" if root and random.random() < 0.3 else str(random.choice(kinds, p=weights))
    axis = unit(random, 3)
    if kind == "revolute":
        return kind, [("turn", axis)], axis.tolist()
    if kind == "prismatic":
        return kind, [("slide", axis)], axis.tolist()
    if kind == "cylindrical":
        return kind, [("turn", axis), ("slide", axis)], axis.tolist()
    if kind == "universal":
        across = np.cross(axis, unit(random, 3))
        across /= np.linalg.norm(across)
        return kind, [("turn", axis), ("turn", across)], [axis.tolist(), across.tolist()]
    if kind == "planar":
        return kind, [("slide", x), ("slide", y), ("turn", z)], None
    if kind == "spherical":
        return kind, [("ball", z)], None
    return kind, [("slide", x), ("slide", y), ("slide", z), ("ball", z)], None


def grow(seed: int) -> Tree:
    """The tree of that number; families take turns."""
    random = np.random.default_rng([17, seed])
    family = FAMILIES[seed % len(FAMILIES)]
    planar = family.startswith("planar")
    flat = np.array([1.0, 1.0, 0.0]) if planar else np.ones(3)
    tree = Tree(planar, random.normal(size=3) * 6 * flat)
    for k in range(int(random.integers(1, 9))):
        parent = k - 1 if family.endswith("chain") else int(random.integers(-1, k))
        kind, steps, axis = random_joint(random, planar, parent < 0)
        turn = np.array([0, 0, 1.0]) if planar else np.ones(3)
        angles = random.uniform(-1.4, 1.4, (2, 3)) * turn
        at = random.normal(size=(2, 3)) * 0.4 * flat
        q = [random.uniform(-2, 2, 1) if what == "turn" else random.normal(size=1) * 0.5 for what, _ in steps]
        if steps[-1][0] == "ball":
            q[-1] = unit(random, 4)
        nv = len(steps) + 2 * (steps[-1][0] == "ball")
        geared = kind in ("revolute", "prismatic") and random.random() < 0.3
        tree.links.append(
            Link(
                name=f"body_{k}",
                parent=parent,
                kind=kind,
                steps=steps,
                X_PF=Pose(rpy(angles[0]), at[0]),
                X_CM=Pose(rpy(angles[1]), at[1]),
                angles=(angles[0], angles[1]),
                axis=axis,
                rotor=[random.uniform(0.05, 0.5)] if geared else [0.0] * nv,
                mass=random.uniform(0.3, 3),
                center=random.normal(size=3) * 0.2 * flat,
                inertia=random_inertia(random, planar),
                q=np.concatenate(q),
                v=random.normal(size=nv) * 1.5,
            )
        )
    tree.effort = random.normal(size=len(tree.v)) * 3
    return tree


def reordered(tree: Tree, names: list[str]) -> Tree:
    """The same tree with its links in that order."""
    links = {link.name: link for link in tree.links}
    old = [link.name for link in tree.links]
    for link in tree.links:
        link.parent = -1 if link.parent < 0 else names.index(old[link.parent])
    tree.links = [links[name] for name in names]
    return tree


# For carom.


def model(tree: Tree) -> dict[str, Any]:
    """The dictionary of the model file, without contacts."""
    n = 2 if tree.planar else 3
    data: dict[str, Any] = {
        "space": "planar" if tree.planar else "spatial",
        "gravity": tree.gravity[:n],
        "bodies": {},
        "joints": {},
        "ground": {"contact": {}},
        "contacts": {},
    }
    for link in tree.links:
        I = link.inertia
        tensor = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        data["bodies"][link.name] = {
            "mass": link.mass,
            "center": link.center[:n],
            "inertia": I[2, 2] if tree.planar else tensor,
            "contact": {},
        }
        parent = "ground" if link.parent < 0 else tree.links[link.parent].name
        joint: dict[str, Any] = {
            "type": link.kind,
            "connects": [parent, link.name],
            "at": [link.X_PF.p[:n], link.X_CM.p[:n]],
            "orientation": [float(a[2]) if tree.planar else a for a in link.angles],
        }
        if link.axis is not None:
            joint["axis"] = link.axis
        if any(link.rotor):
            joint["rotor"] = link.rotor[0]
        data["joints"][f"to_{link.name}"] = joint
    return data


# What the others' coordinates are.


def slices(tree: Tree) -> list[tuple[slice, slice]]:
    """Where each link's positions and velocities stand in carom's q and v."""
    out, iq, iv = [], 0, 0
    for link in tree.links:
        out.append((slice(iq, iq + len(link.q)), slice(iv, iv + len(link.v))))
        iq, iv = iq + len(link.q), iv + len(link.v)
    return out


def other_positions(tree: Tree, q: Array, scalar_last: bool) -> Array:
    """Positions in the order of MuJoCo, or of Pinocchio where the scalar of a quaternion stands last."""
    out = q.copy()
    for link, (at, _) in zip(tree.links, slices(tree)):
        if scalar_last and link.steps[-1][0] == "ball":
            out[at.stop - 4 : at.stop] = np.roll(q[at.stop - 4 : at.stop], -1)
    return out


def velocity_map(tree: Tree, q: Array, v: Array, slides_too: bool) -> tuple[Array, Array]:
    """S and Ṡ v of v_other = S v; `slides_too`: the linear velocity of a floating joint is in axes of M as well.

    With R from M to F: ω_M = Rᵀ ω_F, whose Ṡ v is −ω_M × ω_M = 0; ẋ_M = Rᵀ ẋ_F with −ω_M × ẋ_M.
    """
    S, rate = np.eye(len(v)), np.zeros(len(v))
    for link, (at, dof) in zip(tree.links, slices(tree)):
        if link.steps[-1][0] != "ball":
            continue
        Rt = rotation(q[at.stop - 4 : at.stop]).T
        angular = slice(dof.stop - 3, dof.stop)
        S[angular, angular] = Rt
        if slides_too and link.kind == "floating":
            linear = slice(dof.start, dof.start + 3)
            S[linear, linear] = Rt
            rate[linear] = -np.cross(Rt @ v[angular], Rt @ v[linear])
    return S, rate


# For Pinocchio.


class Pinocchio:
    """The same tree in Pinocchio."""

    def __init__(self, tree: Tree) -> None:
        import pinocchio as pin

        self.pin, self.tree = pin, tree
        model = pin.Model()
        model.gravity.linear = tree.gravity
        self.joint: list[int] = []
        armature: list[float] = []
        for link in tree.links:
            above = Pose(np.eye(3), np.zeros(3))
            before = 0
            if link.parent >= 0:
                above, before = tree.links[link.parent].X_CM.inverse(), self.joint[link.parent]
            place = above @ link.X_PF
            for k, (name, kind) in enumerate(self._joints(link)):
                placement = pin.SE3(place.R, place.p) if k == 0 else pin.SE3.Identity()
                before = model.addJoint(before, kind, placement, f"{link.name}.{name}{k}")
            body = link.X_CM.inverse()
            inertia = pin.Inertia(link.mass, link.center, link.inertia)
            model.appendBodyToJoint(before, inertia, pin.SE3(body.R, body.p))
            self.joint.append(before)
            armature += link.rotor
        model.armature = np.array(armature)
        self.model, self.data = model, model.createData()
        self.q = other_positions(tree, tree.q, scalar_last=True)
        self.S, self.rate = velocity_map(tree, tree.q, tree.v, slides_too=True)
        self.v = self.S @ tree.v
        pin.computeJointJacobians(model, self.data, self.q)
        pin.forwardKinematics(model, self.data, self.q, self.v)

    def _joints(self, link: Link) -> list[tuple[str, Any]]:
        pin = self.pin
        if link.kind == "floating" and not self.tree.planar:
            return [("free", pin.JointModelFreeFlyer())]
        make = {
            "turn": pin.JointModelRevoluteUnaligned,
            "slide": pin.JointModelPrismaticUnaligned,
            "ball": lambda _: pin.JointModelSpherical(),
        }
        return [(what, make[what](axis)) for what, axis in link.steps]

    def mass_matrix(self) -> Array:
        M = self.pin.crba(self.model, self.data, self.q)
        M = np.triu(M) + np.triu(M, 1).T
        return self.S.T @ M @ self.S

    def bias(self) -> Array:
        h = self.pin.nonLinearEffects(self.model, self.data, self.q, self.v)
        M = self.pin.crba(self.model, self.data, self.q)
        M = np.triu(M) + np.triu(M, 1).T
        return self.S.T @ (h + M @ self.rate)

    def forward_dynamics(self, effort: Array) -> Array:
        # v_other = S v, so v̇ = S⁻¹ (v̇_other − Ṡ v) and effort_other = S⁻ᵀ effort; S is orthogonal.
        a = self.pin.aba(self.model, self.data, self.q, self.v, self.S @ effort)
        return self.S.T @ (a - self.rate)

    def kinetic_energy(self) -> float:
        # Of trees without rotors: Pinocchio 4.1 counts a rotor's energy for slides along any axis, not for turns.
        return float(self.pin.computeKineticEnergy(self.model, self.data, self.q, self.v))

    def point(self, link: int, at: Array) -> Array:
        """World position of a point of a body."""
        local = self.tree.links[link].X_CM.inverse()
        return np.array(self.data.oMi[self.joint[link]].act(local.R @ at + local.p))

    def jacobian(self, link: int, at: Array) -> Array:
        """World velocity of that point over v, (3, nv)."""
        pin = self.pin
        J = pin.getJointJacobian(self.model, self.data, self.joint[link], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        # Pinocchio returns (6,) for one degree of freedom.
        J = J.reshape(6, -1)
        arm = self.point(link, at) - self.data.oMi[self.joint[link]].translation
        return (J[:3] - pin.skew(arm) @ J[3:]) @ self.S


# For MuJoCo.


class Mujoco:
    """The same tree in MuJoCo, from MJCF text."""

    def __init__(self, tree: Tree) -> None:
        import mujoco

        self.mujoco, self.tree = mujoco, tree
        self.model = mujoco.MjModel.from_xml_string(mjcf(tree))
        self.data = mujoco.MjData(self.model)
        order = [self.model.body(link.name).id for link in tree.links]
        self.body = order
        # MuJoCo numbers bodies depth first: its coordinates are those of the links in that order.
        q = other_positions(tree, tree.q, scalar_last=False)
        self.S, self.rate = velocity_map(tree, tree.q, tree.v, slides_too=False)
        self.dofs = np.zeros(len(tree.v), dtype=int)
        for link, body, (at, dof) in zip(tree.links, order, slices(tree)):
            joint = int(self.model.body_jntadr[body])
            first_q, first_v = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
            self.data.qpos[first_q : first_q + len(link.q)] = q[at]
            self.dofs[dof] = np.arange(first_v, first_v + len(link.v))
        self.data.qvel[self.dofs] = self.S @ tree.v
        self.data.qfrc_applied[self.dofs] = self.S @ tree.effort
        mujoco.mj_forward(self.model, self.data)

    def mass_matrix(self) -> Array:
        columns = np.zeros((self.model.nv, self.model.nv))
        for k, column in enumerate(np.eye(self.model.nv)):
            self.mujoco.mj_mulM(self.model, self.data, columns[k], column)
        return self.S.T @ columns[np.ix_(self.dofs, self.dofs)] @ self.S

    def bias(self) -> Array:
        return self.S.T @ self.data.qfrc_bias[self.dofs]

    def forward_dynamics(self) -> Array:
        return self.S.T @ self.data.qacc[self.dofs]

    def point(self, link: int, at: Array) -> Array:
        local = self.tree.links[link].X_CM.inverse()
        body = self.body[link]
        return self.data.xmat[body].reshape(3, 3) @ (local.R @ at + local.p) + self.data.xpos[body]

    def jacobian(self, link: int, at: Array) -> Array:
        J = np.zeros((3, self.model.nv))
        self.mujoco.mj_jac(self.model, self.data, J, None, self.point(link, at), self.body[link])
        return J[:, self.dofs] @ self.S


def numbers(values: Array) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(values))


def mjcf(tree: Tree) -> str:
    """The tree as MJCF. The frame of a MuJoCo body is M, so that its joints stand at its origin."""

    def body(k: int) -> str:
        link = tree.links[k]
        above = tree.links[link.parent].X_CM.inverse() if link.parent >= 0 else Pose(np.eye(3), np.zeros(3))
        place, own = above @ link.X_PF, link.X_CM.inverse()
        I = own.R @ link.inertia @ own.R.T
        tensor = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        types = {"turn": "hinge", "slide": "slide", "ball": "ball"}
        joints = "".join(
            f'<joint type="{types[what]}" axis="{numbers(axis)}" armature="{link.rotor[0]!r}"/>'
            for what, axis in link.steps
        )
        children = "".join(body(j) for j, other in enumerate(tree.links) if other.parent == k)
        return (
            f'<body name="{link.name}" pos="{numbers(place.p)}" quat="{numbers(quaternion(place.R))}">'
            f'<inertial mass="{link.mass!r}" pos="{numbers(own.R @ link.center + own.p)}" '
            f'fullinertia="{numbers(np.array(tensor))}"/>{joints}{children}</body>'
        )

    roots = "".join(body(k) for k, link in enumerate(tree.links) if link.parent < 0)
    return (
        '<mujoco><compiler angle="radian" inertiafromgeom="false" fusestatic="false"/>'
        f'<option gravity="{numbers(tree.gravity)}"/><worldbody>{roots}</worldbody></mujoco>'
    )
