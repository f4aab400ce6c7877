"""carom against Pinocchio and MuJoCo on 200 random trees and chains.

Tolerance: 1e-10, relative to the largest entry of what is compared. The three programs order their sums differently,
so M, h and A differ by some hundred units of round-off (2e-16) at most; solving with M multiplies that by its condition
number, which the generator keeps below 1e4 (a test states it): 1e4 · 2e-16 · 50 = 1e-10 is the worst that round-off
could do. What was found is 3e-14 at most. An error of a formula (a wrong sign, axis or frame) shows in the first digits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from trees import Mujoco, Pinocchio, grow, model, reordered, slices, unit

import carom

COUNT = 200
TOLERANCE = 1e-10
SEEDS = range(COUNT)

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")


class Case:
    """One tree in three programs, with contacts that touch at its state.

    ``touch``: a point or sphere of a link against a plane of ground. ``pair``: a point of one link against a plane of
    another (two links or more). ``stick``: as ``touch`` with the tangents as rows. ``ends``: a capsule on a plane, two
    points.
    """

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng([18, seed])
        tree = grow(seed)
        # carom's coordinates stand in the order of its joints, which is not that of the file where a tree branches.
        joints = carom.Machine.from_dict(model(tree)).joints
        self.tree = tree = reordered(tree, [name.removeprefix("to_") for name in joints])
        self.pin = pin = Pinocchio(tree)
        self.mujoco = Mujoco(tree)
        n = 2 if tree.planar else 3
        flat = np.array([1.0, 1.0, 0.0]) if tree.planar else np.ones(3)
        data = model(tree)
        bodies, ground, contacts = data["bodies"], data["ground"]["contact"], data["contacts"]

        self.link = link = int(random.integers(len(tree.links)))
        name = tree.links[link].name
        self.at = at = random.normal(size=3) * 0.3 * flat
        self.normal = normal = np.append(unit(random, n), np.zeros(3 - n))
        self.radius = radius = 0.0 if seed % 3 == 0 else 0.05
        foot = pin.point(link, at) - radius * normal
        shape = {"sphere": radius, "at": at[:n]} if radius else {"point": at[:n]}
        bodies[name]["contact"]["tip"] = shape
        ground["wall"] = {"plane": normal[:n], "at": foot[:n]}
        contacts["touch"] = {"between": ["ground.wall", f"{name}.tip"], "restitution": 0.5}
        contacts["stick"] = {**contacts["touch"], "friction": "stick"}

        # A second end of a capsule stands away from the plane, so that the first touches.
        far = at + random.normal(size=3) * 0.2 * flat
        if normal @ (pin.point(link, far) - pin.point(link, at)) < 0:
            far = 2 * at - far
        self.ends = (at, far)
        bodies[name]["contact"]["rod"] = {"capsule": 0.05, "from": at[:n], "to": far[:n]}
        ground["bed"] = {"plane": normal[:n], "at": (pin.point(link, at) - 0.05 * normal)[:n]}
        contacts["ends"] = {"between": ["ground.bed", f"{name}.rod"], "restitution": 0.5}

        self.other = None
        if len(tree.links) > 1:
            self.other = other = (link + 1) % len(tree.links)
            second = tree.links[other].name
            # The plane through the point, in the frame of the other body.
            origin, axes = pin.point(other, np.zeros(3)), []
            for axis in np.eye(3):
                axes.append(pin.point(other, axis) - origin)
            R = np.array(axes).T
            place = R.T @ (pin.point(link, at) - origin)
            bodies[second]["contact"]["face"] = {"plane": (R.T @ normal)[:n], "at": place[:n]}
            bodies[name]["contact"]["dot"] = {"point": at[:n]}
            contacts["pair"] = {"between": [f"{second}.face", f"{name}.dot"], "restitution": 0.5}
            self.place = place

        for body in bodies.values():
            if not body["contact"]:
                del body["contact"]
        self.machine = carom.Machine.from_dict(data)
        # The contact closes: u < 0.
        self.q, self.v = tree.q, tree.v
        if self.row(pin) @ self.v > 0:
            for part in tree.links:
                part.v = -part.v
            self.v = tree.v
            self.pin, self.mujoco = Pinocchio(tree), Mujoco(tree)

    def row(self, program: Any) -> np.ndarray:
        """Aᵀ of `touch`: the normal velocity of the point over v."""
        return self.normal @ program.jacobian(self.link, self.at)

    def programs(self) -> list[tuple[str, Any]]:
        return [("Pinocchio", self.pin), ("MuJoCo", self.mujoco)]


@lru_cache(maxsize=COUNT)
def case(seed: int) -> Case:
    return Case(seed)


def agree(found: Any, wanted: Any, scale: float | None = None, what: str = "") -> None:
    """Every entry within the tolerance times the largest one."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"{what}: {found.shape}, {wanted.shape}"
    scale = max(np.abs(wanted).max(initial=0.0), scale or 0.0)
    error = np.abs(found - wanted).max(initial=0.0)
    assert error <= TOLERANCE * scale, f"{what}: {error / scale:.1e} of {scale:.3g}"


def test_every_family_and_joint_occurs_often_and_no_tree_is_ill_conditioned() -> None:
    kinds = [link.kind for seed in SEEDS for link in case(seed).tree.links]
    spatial = {"revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "floating"}
    counts = {kind: kinds.count(kind) for kind in spatial}
    assert min(counts.values()) >= 10, counts
    branched = sum(
        len({link.parent for link in case(seed).tree.links}) < len(case(seed).tree.links) for seed in SEEDS
    )
    assert branched >= 50
    assert sum(case(seed).tree.planar for seed in SEEDS) == COUNT // 2
    worst = max(np.linalg.cond(case(seed).machine.mass_matrix(case(seed).q)) for seed in SEEDS)
    assert worst < 1e4, worst


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mass_matrix_is_that_of_pinocchio_and_mujoco(seed: int) -> None:
    c = case(seed)
    M = c.machine.mass_matrix(c.q)
    for name, program in c.programs():
        agree(M, program.mass_matrix(), what=name)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bias_is_that_of_pinocchio_and_mujoco(seed: int) -> None:
    c = case(seed)
    h = c.machine.bias(c.q, c.v)
    # A bias may cancel: its parts are as large as the weights and the efforts of the motion.
    scale = float(np.abs(c.machine.mass_matrix(c.q)).max() * max(1.0, np.abs(c.v).max() ** 2))
    for name, program in c.programs():
        agree(h, program.bias(), scale, what=name)


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_dynamics_is_that_of_pinocchio_and_mujoco(seed: int) -> None:
    c = case(seed)
    a = c.machine.forward_dynamics(c.q, c.v, c.tree.effort)
    agree(a, c.pin.forward_dynamics(c.tree.effort), what="Pinocchio")
    agree(a, c.mujoco.forward_dynamics(), what="MuJoCo")


@pytest.mark.parametrize("seed", SEEDS)
def test_effective_mass_and_energies_of_a_touching_point_are_those_of_pinocchio_and_mujoco(seed: int) -> None:
    c = case(seed)
    found = c.machine.assess("touch", q=c.q, v=c.v)
    # Positions are of the order of the tree's size, 1 m and more.
    assert abs(found.gap) < TOLERANCE
    for name, program in c.programs():
        A, M = c.row(program), program.mass_matrix()
        W, u = A @ np.linalg.solve(M, A), A @ c.v
        agree(found.row, A, what=f"{name} row")
        agree(found.W, [[W]], what=f"{name} W")
        agree(found.effective_mass, 1 / W, what=f"{name} m_eff")
        agree(found.contact_velocity, u, float(np.abs(A) @ np.abs(c.v)), what=f"{name} u")
        agree(found.impact_energy, u**2 / W / 2, float((np.abs(A) @ np.abs(c.v)) ** 2 / W), what=f"{name} T_c")
        agree(found.kinetic_energy, c.v @ M @ c.v / 2, what=f"{name} T")
    if not any(any(link.rotor) for link in c.tree.links):
        agree(found.kinetic_energy, c.pin.kinetic_energy(), what="Pinocchio's own T")
    agree(found.share, found.impact_energy / found.kinetic_energy)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mobility_between_two_links_and_of_two_ends_is_that_of_pinocchio_and_mujoco(seed: int) -> None:
    c = case(seed)
    ends = c.machine.assess("ends", q=c.q, v=c.v)
    for name, program in c.programs():
        Y = np.linalg.inv(program.mass_matrix())
        A = np.array([c.normal @ program.jacobian(c.link, end) for end in c.ends])
        agree(ends.rows, A, what=f"{name} rows")
        agree(ends.W, A @ Y @ A.T, what=f"{name} W")
        if c.other is not None:
            pair = c.machine.assess("pair", q=c.q, v=c.v)
            one, two = program.jacobian(c.link, c.at), program.jacobian(c.other, c.place)
            A = c.normal @ (one - two)
            scale = float(max(np.abs(one).max(), np.abs(two).max()))
            agree(pair.row, A, scale, what=f"{name} row of a pair")
            W = float(A @ Y @ A)
            agree(pair.W, [[W]], scale**2 * float(np.abs(Y).max()), what=f"{name} W of a pair")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mobility_with_tangents_is_that_of_pinocchio_and_mujoco_up_to_the_choice_of_tangents(seed: int) -> None:
    c = case(seed)
    found = c.machine.assess("stick", q=c.q, v=c.v)
    n = 2 if c.tree.planar else 3
    for name, program in c.programs():
        # The contact point of a sphere lies on its surface, where the tangential velocity is another.
        J = contact_jacobian(c, program)[:n]
        W = J @ np.linalg.solve(program.mass_matrix(), J.T)
        assert found.rows.shape == (n, c.machine.nv)
        # Rows are E J with E a rotation: E cancels in AᵀA, and W keeps its eigenvalues.
        agree(found.rows.T @ found.rows, J.T @ J, what=f"{name} AᵀA")
        agree(np.linalg.eigvalsh(found.W), np.linalg.eigvalsh(W), what=f"{name} W")


def contact_jacobian(c: Case, program: Any) -> np.ndarray:
    """World velocity of the material point of the link where it touches the wall."""
    foot = program.point(c.link, c.at) - c.radius * c.normal
    origin = program.point(c.link, np.zeros(3))
    R = np.array([program.point(c.link, axis) - origin for axis in np.eye(3)]).T
    return np.asarray(program.jacobian(c.link, R.T @ (foot - origin)))


@pytest.mark.parametrize("seed", range(0, COUNT, 10))
def test_a_machine_moved_to_the_state_answers_with_the_same_numbers(seed: int) -> None:
    c = case(seed)
    core = c.machine.assess("touch", q=c.q, v=c.v)
    whole = c.machine.with_(q=c.q, v=c.v).assess("touch")
    for name in ("effective_mass", "contact_velocity", "kinetic_energy", "impact_energy", "share"):
        # The state is stored with unit quaternions: one rounding of q apart.
        agree(getattr(whole, name), getattr(core, name), what=name)


@pytest.mark.parametrize("seed", range(0, COUNT, 5))
def test_a_batch_has_the_bits_of_single_states_on_every_number_of_threads(seed: int) -> None:
    c = case(seed)
    random = np.random.default_rng([19, seed])
    # More states than one chunk of a thread; quaternions stay as they are, their rates differ.
    n = 300
    q = np.tile(c.q, (n, 1))
    for link, (at, _) in zip(c.tree.links, slices(c.tree)):
        if link.steps[-1][0] != "ball":
            q[:, at] += random.normal(size=(n, at.stop - at.start))
    v = random.normal(size=(n, len(c.v)))
    single = [c.machine.assess("touch", q=q[k], v=v[k]) for k in range(n)]
    batches = [c.machine.assess("touch", q=q, v=v, threads=threads) for threads in (1, 2, 4)]
    for name in ("gap", "effective_mass", "contact_velocity", "kinetic_energy", "impact_energy", "share"):
        alone = np.array([getattr(s, name) for s in single])
        for batch in batches:
            assert getattr(batch, name).tobytes() == alone.tobytes(), name
    for name in ("W", "rows", "row"):
        alone = np.array([getattr(s, name) for s in single[:50]])
        for batch in batches:
            assert getattr(batch, name)[:50].tobytes() == alone.tobytes(), name
            assert getattr(batch, name).tobytes() == getattr(batches[0], name).tobytes(), name
    alone = np.array([s.gradient() for s in single[:20]])
    for batch in batches:
        assert batch.gradient()[:20].tobytes() == alone.tobytes()
    for ask in (c.machine.mass_matrix, lambda x: c.machine.jacobian("touch", x)):
        assert ask(q)[:50].tobytes() == np.array([ask(x) for x in q[:50]]).tobytes()
    for ask in (c.machine.bias, c.machine.forward_dynamics):
        assert ask(q, v)[:50].tobytes() == np.array([ask(*x) for x in zip(q[:50], v[:50])]).tobytes()
