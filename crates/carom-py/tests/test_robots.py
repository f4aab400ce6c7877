"""Robots' files against Pinocchio, which reads the same URDF by itself.

Tolerance: 1e-10 of the largest entry, as in test_against_others.py, for random robots; 1e-9 for the robots of the package
example-robot-data, whose mass matrices are worse conditioned. Those are large and not part of the ordinary tests: set
CAROM_ROBOTS to the folder that holds them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robots import Pinocchio, Robot, grow

import carom

SEEDS = range(60)
POSES = 20
TOLERANCE = 1e-10
CORPUS_TOLERANCE = 1e-9
#: Files of the package that are not refused for a fault of their own, counted; see `test_the_robots_of_the_package`.
MOST_REFUSED = 5

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")


def agree(found: Any, wanted: Any, what: str, tolerance: float = TOLERANCE) -> float:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"{what}: {found.shape}, {wanted.shape}"
    scale = np.abs(wanted).max(initial=0.0) or 1.0
    error = float(np.abs(found - wanted).max(initial=0.0) / scale)
    assert error <= tolerance, f"{what}: {error:.1e} of {scale:.3g}"
    return error


def over(robot: Robot, folder: Path, contact: str = "") -> carom.Machine:
    """The robot under a model file with a contact."""
    (folder / "robot.urdf").write_text(robot.urdf)
    base = 'base = "floating"\n' if robot.floating else ""
    path = folder / "over.toml"
    path.write_text(f'carom = 1\n[robot]\nsource = "robot.urdf"\n{base}{contact}')
    return carom.Machine.open(path)


def touching(link: str, body: str, normal: np.ndarray) -> str:
    n = ", ".join(repr(float(x)) for x in normal)
    return (
        f'tip = "{link}"\n[ground]\nmarkers.wall = [0, 0, 0]\n'
        f'[contacts.touch]\nbetween = ["ground.wall", "{body}.tip"]\nnormal = [{n}]\n'
    )


def test_the_random_robots_have_all_that_they_should() -> None:
    robots = [grow(seed) for seed in SEEDS]
    assert sum(bool(r.mimic) for r in robots) >= 15
    assert sum(any(other in r.mimic for other, _, _ in r.mimic.values()) for r in robots) >= 3, "chains"
    assert sum(bool(r.rotors) for r in robots) >= 40
    assert sum(r.floating for r in robots) >= 15
    assert sum("type=\"fixed\"" in r.urdf for r in robots) >= 30
    assert sum(re.search(r'<link name="l\d+"></link>', r.urdf) is not None for r in robots) >= 15, "frames"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_robot_is_that_of_pinocchio(seed: int, tmp_path: Path) -> None:
    robot = grow(seed)
    if not robot.floating and not robot.moving:
        pytest.skip("nothing moves")
    random = np.random.default_rng([1819, seed])
    links = sorted(robot.moving)
    link = links[int(random.integers(len(links)))]
    normal = random.normal(size=3)
    normal /= np.linalg.norm(normal)
    machine = over(robot, tmp_path, touching(link, robot.moving[link], normal))
    other = Pinocchio(robot, machine.velocities)
    for _ in range(POSES):
        q, v = other.state(random)
        agree(machine.mass_matrix(q), other.mass_matrix(), "M")
        agree(machine.bias(q, v), other.bias(), "h")
        found = machine.assess("touch", q, np.zeros(machine.nv)).effective_mass
        wanted = other.effective_mass(link, normal)
        # A tip that the joints hardly move along the normal is heavy without bound: its inverse is compared.
        agree([1 / found], [1 / wanted], "1/m_eff") if wanted < 1e6 else None


def test_an_imported_robot_says_that_its_motors_are_missing(tmp_path: Path) -> None:
    robot = next(r for r in map(grow, SEEDS) if not r.rotors and r.moving)
    link, body = next(iter(robot.moving.items()))
    machine = over(robot, tmp_path, touching(link, body, np.array([0.0, 0.0, 1.0])))
    for answer in (machine.check(), machine.assess()):
        assert any("motors not counted" in caution.message for caution in answer.cautions)


@pytest.mark.skipif("CAROM_ROBOTS" not in os.environ, reason="CAROM_ROBOTS names no folder of robots")
def test_the_robots_of_the_package() -> None:
    """Every URDF of a folder: read or refused with a reason; those read have Pinocchio's M."""
    files = sorted(Path(os.environ["CAROM_ROBOTS"]).rglob("*.urdf"))
    random = np.random.default_rng(1820)
    refused, worst, compared, unread = [], 0.0, 0, []
    for path in files:
        try:
            machine = carom.Machine.open(path)
        except carom.CaromError as error:
            if "nothing moves" in str(error):
                continue
            refused.append(f"{path.name}: {str(error).splitlines()[0].split(': ', 1)[-1]}")
            continue
        try:
            other = Pinocchio(Robot(path.read_text(), False, {}, {}, {}), machine.velocities)
        except Exception as error:  # What Pinocchio does not read cannot be compared.
            unread.append(f"{path.name}: {error}")
            continue
        for _ in range(POSES):
            q, _ = other.state(random)
            worst = max(worst, agree(machine.mass_matrix(q), other.mass_matrix(), path.name, CORPUS_TOLERANCE))
        compared += 1
    print(f"{len(files)} files, {compared} compared, worst {worst:.1e}, not by Pinocchio: {unread}")
    print("refused:", *refused, sep="\n  ")
    assert len(refused) <= MOST_REFUSED, refused
