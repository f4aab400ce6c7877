"""MJCF files against MuJoCo, which reads the same files by itself.

Tolerance: 1e-10 of the largest entry for random models whose M has a condition number below 1e5 and 1e-9 for the files of
dm_control's suite, for the reasons of test_against_others.py. The suite is large and not part of the ordinary tests:
`cargo xtask robots` fetches it and names its folder by CAROM_MJCF.
"""

from __future__ import annotations

import os
from pathlib import Path

import mjcf
import numpy as np
import pytest
from compared import POSES, compare, touching

import carom

SEEDS = range(150)
TOLERANCE = 1e-10
SUITE_TOLERANCE = 1e-9
MOST_REFUSED = 3

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")


def test_the_random_models_have_all_that_they_should() -> None:
    counts: dict[str, int] = {}
    for seed in SEEDS:
        for word in mjcf.grow(seed).has:
            counts[word] = counts.get(word, 0) + 1
    every = [
        "quat", "axisangle", "euler", "xyaxes", "zaxis", "diaginertia", "fullinertia", "geoms", "fromto", "overlaid size",
        "shellinertia", "ref", "armature", "frame", "free", "ball", "hinge", "slide", "hinge hinge", "slide slide hinge",
        "slide ball", "equality joint", "equality tendon", "connect", "weld", "connect world", "actuator armature",
        "settotalmass", "boundmass",
    ]  # fmt: skip
    assert {word: counts.get(word, 0) for word in every if counts.get(word, 0) < 5} == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_model_is_that_of_mujoco(seed: int, tmp_path: Path) -> None:
    model = mjcf.grow(seed)
    if not model.moving:
        pytest.skip("nothing moves")
    random = np.random.default_rng([2219, seed])
    path = tmp_path / "robot.xml"
    path.write_text(model.xml)
    body = owner_of(path, model.moving[int(random.integers(len(model.moving)))])
    normal = random.normal(size=3)
    normal /= np.linalg.norm(normal)
    machine = touching(path, body, normal, tmp_path)
    other = mjcf.Mujoco(path, machine.velocities)
    _, count = compare(machine, other, body, normal, random, TOLERANCE)
    assert count == POSES, count


def owner_of(path: Path, body: str) -> str:
    """A body with joints: the one that is asked for, or the one it is fixed to."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    at = model.body(body).id
    while not model.body_jntnum[at]:
        at = model.body_parentid[at]
    return str(model.body(at).name)


@pytest.mark.skipif("CAROM_MJCF" not in os.environ, reason="CAROM_MJCF names no folder of models")
def test_the_models_of_the_suite(tmp_path: Path) -> None:
    """Every MJCF of a folder: read or refused with a reason; those read have MuJoCo's M, W, m_eff and T_c."""
    import mujoco

    random = np.random.default_rng(2220)
    refused, rows = [], []
    for path in sorted(Path(os.environ["CAROM_MJCF"]).glob("*.xml")):
        try:
            machine = carom.Machine.open(path)
        except carom.CaromError as error:
            refused.append(f"{path.name}: {str(error).splitlines()[0].split(': ', 1)[-1]}")
            continue
        model = mujoco.MjModel.from_xml_path(str(path))
        worst = 0.0
        # The tip is the first of the bodies that most joints carry.
        depth = np.zeros(model.nbody)
        for at in range(1, model.nbody):
            depth[at] = depth[model.body_parentid[at]] + model.body_jntnum[at]
        body = str(model.body(int(np.argmax(depth))).name)
        normal = random.normal(size=3)
        normal /= np.linalg.norm(normal)
        machine = touching(path, body, normal, tmp_path)
        other = mjcf.Mujoco(path, machine.velocities)
        worst, count = compare(machine, other, body, normal, random, SUITE_TOLERANCE)
        rows.append(f"{path.name:24} nv {machine.nv:3}  tip {body:20} {count} poses, worst {worst:.1e}")
        assert count == POSES, rows[-1]
    print(*rows, sep="\n")
    print(f"refused {len(refused)}:", *refused, sep="\n  ")
    assert rows and len(refused) <= MOST_REFUSED, refused
