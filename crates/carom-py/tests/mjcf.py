"""Random robots as MJCF, and any MJCF in MuJoCo, in carom's order of coordinates.

The generator writes what real files have: several joints in a body, reference positions, every way to state an orientation,
masses by `<inertial>` and by geoms, classes inside classes, frames, degrees and radians, motors with inertia, joints that are
coupled by equalities and tendons, and loops that are closed by points and frames.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from compared import mapped
from robots import text
from trees import rotation

Array = np.ndarray

#: Joints of a body, by the words of the format.
KINDS = [
    ["hinge"], ["slide"], ["ball"], ["hinge", "hinge"], ["slide", "hinge"], ["slide", "slide", "hinge"],
    ["hinge", "slide"], ["slide", "ball"], [], ["hinge"],
]  # fmt: skip


@dataclass
class Model:
    """An MJCF and what the tests ask of it."""

    xml: str
    #: Bodies that move.
    moving: list[str] = field(default_factory=list)
    #: What it has, for the test that counts.
    has: set[str] = field(default_factory=set)


class Writer:
    """One random model."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng([2218, seed])
        self.degrees = bool(self.random.random() < 0.5)
        self.sequence = str(self.random.choice(["xyz", "zyx", "XYZ", "zXy", "xYx"]))
        self.count = int(self.random.integers(2, 9))
        self.made = 0
        self.single: list[str] = []
        self.joint_bodies: list[str] = []
        self.out = Model("")

    def angle(self, size: Any = None) -> Any:
        x = self.random.uniform(-3, 3, size)
        return np.degrees(x) if self.degrees else x

    def place(self, scale: float = 0.3) -> str:
        """A position and an orientation, in one of the format's forms."""
        kind = int(self.random.integers(7))
        direction = self.random.normal(size=3)
        axes = self.random.normal(size=6)
        turn = [
            "",
            f'quat="{text(self.random.normal(size=4))}"',
            f'axisangle="{text([*direction, self.angle()])}"',
            f'euler="{text(self.angle(3))}"',
            f'xyaxes="{text(axes)}"',
            f'zaxis="{text(direction)}"',
            'zaxis="0 0 -1"',
        ][kind]
        self.out.has.add(turn.split("=")[0])
        return f'pos="{text(self.random.normal(size=3) * scale)}" {turn}'

    def inertial(self) -> str:
        mass = self.random.uniform(0.5, 5)
        a, b, c = self.random.uniform(0.05, 0.3, size=3) ** 2
        principal = mass * np.array([b + c, a + c, a + b])
        if self.random.random() < 0.5:
            self.out.has.add("diaginertia")
            return f'<inertial {self.place(0.1)} mass="{text(mass)}" diaginertia="{text(principal)}"/>'
        self.out.has.add("fullinertia")
        Q = np.linalg.qr(self.random.normal(size=(3, 3)))[0]
        J = Q @ np.diag(principal) @ Q.T
        six = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        return f'<inertial pos="{text(self.random.normal(size=3) * 0.1)}" mass="{text(mass)}" fullinertia="{text(six)}"/>'

    def geoms(self) -> str:
        out = ""
        for k in range(int(self.random.integers(1, 4))):
            kind = str(self.random.choice(["sphere", "capsule", "cylinder", "ellipsoid", "box", ""]))
            size = self.random.uniform(0.05, 0.2, size=3)
            line = f'type="{kind}"' if kind else 'class="inner"'
            if kind in ("capsule", "cylinder", "ellipsoid", "box") and self.random.random() < 0.4:
                line += f' fromto="{text(self.random.normal(size=6) * 0.2)}" size="{text(size[0])}"'
                self.out.has.add("fromto")
            elif kind:
                line += f' size="{text(size)}" {self.place(0.1)}'
            else:
                # The class states a box and three sizes; the element replaces the first.
                line += f' size="{text(size[0])}" {self.place(0.1)}'
                self.out.has.add("overlaid size")
            chance = self.random.random()
            if chance < 0.3:
                line += f' mass="{text(self.random.uniform(0.3, 2))}"'
            elif chance < 0.6:
                line += f' density="{text(self.random.uniform(200, 900))}"'
            if kind in ("sphere", "capsule", "cylinder", "box") and self.random.random() < 0.2:
                line += ' shellinertia="true"'
                self.out.has.add("shellinertia")
            if k > 0 and self.random.random() < 0.2:
                line += ' group="5"'
            out += f"<geom {line}/>"
        self.out.has.add("geoms")
        return out

    def joint(self, kind: str, body: str, k: int) -> str:
        named = self.random.random() < 0.8
        name = f'name="{body}_{k}"' if named else ""
        line = f'<joint {name} type="{kind}" pos="{text(self.random.normal(size=3) * 0.2)}"'
        if kind in ("hinge", "slide"):
            line += f' axis="{text(self.random.normal(size=3))}"'
            if self.random.random() < 0.4:
                line += f' ref="{text(self.angle() if kind == "hinge" else self.random.normal() * 0.2)}"'
                self.out.has.add("ref")
            if named:
                self.single.append(f"{body}_{k}")
        if self.random.random() < 0.5:
            line += f' armature="{text(self.random.uniform(0.01, 0.3))}"'
            self.out.has.add("armature")
        if self.random.random() < 0.3:
            line += f' damping="{text(self.random.uniform(0.1, 1))}"'
        if kind in ("hinge", "slide") and self.random.random() < 0.3:
            line += f' stiffness="{text(self.random.uniform(1, 5))}" springref="{text(self.angle() * 0.1)}"'
        return line + "/>"

    def body(self, top: bool, moves: bool) -> str:
        name = f"b{self.made}"
        self.made += 1
        if top and self.random.random() < 0.25:
            joints = str(self.random.choice(["<freejoint/>", f'<joint name="{name}_0" type="free"/>']))
            kinds = ["free"]
        else:
            kinds = KINDS[int(self.random.integers(len(KINDS)))]
            joints = "".join(self.joint(kind, name, k) for k, kind in enumerate(kinds))
        if self.random.random() < 0.2 and kinds != ["free"]:
            joints = f"<frame {self.place()}>{joints}</frame>"
            self.out.has.add("frame")
        self.out.has.update([" ".join(kinds)])
        moves = moves or bool(kinds)
        if moves:
            self.out.moving.append(name)
        inside = joints + (self.inertial() if self.random.random() < 0.5 else self.geoms())
        inside += f'<site name="s_{name}" {self.place()}/>'
        while self.made < self.count and self.random.random() < 0.65:
            inside += self.body(False, moves)
        # The class `inner` has a density of its own, which geoms without one take.
        child = ' childclass="inner"' if self.random.random() < 0.2 else ""
        body = f'<body name="{name}"{child} {self.place()}>{inside}</body>'
        if self.random.random() < 0.15:
            body = f"<frame {self.place()}>{body}</frame>"
        return body

    def equalities(self) -> str:
        tendons = equalities = actuators = ""
        # A loop is closed at the reference positions; a coupling with a constant is not, and both together may have no pose at all.
        loop = len(self.out.moving) >= 3 and self.random.random() < 0.35
        if len(self.single) >= 2 and self.random.random() < 0.4:
            a, b = self.random.choice(self.single, size=2, replace=False)
            factor, offset = self.random.uniform(-2, 2), 0.0 if loop else self.random.uniform(-0.3, 0.3)
            equalities += f'<joint joint1="{a}" joint2="{b}" polycoef="{text([offset, factor])} 0 0 0"/>'
            self.out.has.add("equality joint")
        elif len(self.single) >= 3 and self.random.random() < 0.5:
            some = self.random.choice(self.single, size=3, replace=False)
            terms = "".join(f'<joint joint="{j}" coef="{text(self.random.uniform(0.3, 1))}"/>' for j in some)
            tendons = f'<tendon><fixed name="t">{terms}</fixed></tendon>'
            equalities += '<tendon tendon1="t"/>'
            self.out.has.add("equality tendon")
        if loop:
            a, b = (str(x) for x in self.random.choice(self.out.moving, size=2, replace=False))
            word = str(self.random.choice(["connect", "weld", "connect world"]))
            if word == "connect":
                equalities += f'<connect body1="{a}" body2="{b}" anchor="{text(self.random.normal(size=3) * 0.2)}"/>'
            elif word == "weld":
                equalities += f'<weld body1="{a}" body2="{b}" anchor="{text(self.random.normal(size=3) * 0.2)}"/>'
            else:
                equalities += f'<connect body1="{a}" anchor="{text(self.random.normal(size=3) * 0.2)}"/>'
            self.out.has.add(word)
        for joint in self.single:
            if self.random.random() < 0.2:
                actuators += f'<motor joint="{joint}" gear="{text(self.random.uniform(1, 5))}" armature="0.01"/>'
                self.out.has.add("actuator armature")
        return f"{tendons}<equality>{equalities}</equality><actuator>{actuators}</actuator>"

    def model(self) -> Model:
        bodies = ""
        while self.made < self.count:
            bodies += self.body(True, False)
        unit = "degree" if self.degrees else "radian"
        more = str(self.random.choice(["", 'settotalmass="20"', 'boundmass="0.4" boundinertia="0.02"']))
        self.out.has.add(more.split("=")[0])
        box = text(self.random.uniform(0.05, 0.2, 3))
        self.out.xml = (
            f'<mujoco model="random"><compiler angle="{unit}" eulerseq="{self.sequence}" inertiagrouprange="0 4" {more}/>'
            '<default><joint armature="0.02"/><geom density="700"/><default class="outer"><geom type="box"/>'
            f'<default class="inner"><geom size="{box}" density="400"/></default></default></default>'
            f"<worldbody>{bodies}</worldbody>{self.equalities()}</mujoco>"
        )
        return self.out


def grow(seed: int) -> Model:
    """A random model of 2 to 8 bodies."""
    return Writer(seed).model()


class Mujoco:
    """An MJCF as MuJoCo reads it, with coordinates in carom's order."""

    def __init__(self, path: Path, velocities: list[str]) -> None:
        import mujoco

        self.mujoco = mujoco
        self.model = model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        # Contacts and limits are no equalities; they would only cost time here.
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        self.data = mujoco.MjData(model)
        self.names: dict[str, int] = {}
        for body in range(model.nbody):
            own = mapped(model.body(body).name or f"body_{body}")
            first = model.body_jntadr[body]
            for k in range(model.body_jntnum[body]):
                name = model.joint(first + k).name or f"{own}_joint" + (f"_{k + 1}" if k else "")
                self.names[mapped(name)] = first + k
        #: MuJoCo's joints in carom's order.
        self.order: list[int] = []
        last = None
        for entry in velocities:
            name = entry.removeprefix("v.").rsplit(".", 1)[0]
            if name != last:
                self.order.append(self.names[name])
            last = name
        assert sorted(self.order) == list(range(model.njnt)), "every joint is there once"

    def set(self, q: Array) -> None:
        """Positions in MuJoCo's order."""
        self.data.qpos[:] = q
        self.mujoco.mj_normalizeQuat(self.model, self.data.qpos)
        self.data.qvel[:] = 0
        self.mujoco.mj_forward(self.model, self.data)

    def constraints(self) -> tuple[Array, Array]:
        """Rows and residuals of the equalities, in MuJoCo's coordinates."""
        data, model = self.data, self.model
        J = np.reshape(data.efc_J, (-1, model.nv)) if data.nefc else np.zeros((0, model.nv))
        rows = [k for k in range(data.nefc) if data.efc_type[k] == self.mujoco.mjtConstraint.mjCNSTR_EQUALITY]
        return J[rows], np.array(data.efc_pos)[rows]

    def mass(self) -> Array:
        M = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, self.data, M)
        return M

    def state(self, random: np.random.Generator) -> tuple[Array, Array] | None:
        """Positions and velocities for carom that keep the equalities; `None` if none was found near the drawn ones."""
        model, mujoco = self.model, self.mujoco
        closed = model.neq > 0
        q = np.array(model.qpos0)
        # Loops are left along the way that keeps them, in small steps; trees stand anywhere.
        step = random.uniform(-2, 2, size=model.nv) * (0.3 if closed else 1.0)
        mujoco.mj_integratePos(model, q, step, 1.0)
        self.set(q)
        for _ in range(40 if closed else 0):
            J, r = self.constraints()
            if not len(r) or np.abs(r).max() < 1e-14:
                break
            q = np.array(self.data.qpos)
            mujoco.mj_integratePos(model, q, -np.linalg.pinv(J, rcond=1e-10) @ r, 1.0)
            self.set(q)
        D, r = self.constraints()
        if len(r) and np.abs(r).max() > 1e-13:
            return None
        self.D = D
        v = random.normal(size=model.nv)
        if len(D):
            v -= np.linalg.pinv(D, rcond=1e-10) @ (D @ v)
        # v_MuJoCo = S v_carom: rotations of balls and free bodies stand in the body's axes there, in the parent's here.
        self.S = S = np.zeros((model.nv, model.nv))
        positions, at = [], 0
        for joint in self.order:
            kind = model.jnt_type[joint]
            first, dof = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
            nq, nv = {0: (7, 6), 1: (4, 3)}.get(int(kind), (1, 1))
            own = self.data.qpos[first : first + nq]
            positions.append(np.array(own))
            S[dof : dof + nv, at : at + nv] = np.eye(nv)
            if nv > 1:
                S[dof + nv - 3 : dof + nv, at + nv - 3 : at + nv] = rotation(own[-4:]).T
            at += nv
        self.v = v
        return np.concatenate(positions), np.linalg.solve(S, v)

    def mass_matrix(self) -> Array:
        return self.S.T @ self.mass() @ self.S

    def mobility(self, body: str) -> Array:
        """W = J Y Jᵀ of a body's origin, with the equalities kept."""
        model, data = self.model, self.data
        J = np.zeros((3, model.nv))
        self.mujoco.mj_jacBody(model, data, J, None, model.body(body).id)
        self.J = J
        M = self.mass()
        W = J @ np.linalg.solve(M, J.T)
        #: What the tip would give way without the equalities: the size of round-off where they hold it.
        self.free = np.abs(W).max()
        if len(self.D):
            MD = np.linalg.solve(M, self.D.T)
            C = J @ MD
            W -= C @ np.linalg.pinv(self.D @ MD, rcond=1e-11, hermitian=True) @ C.T
        return W
