"""Robots' files against Pinocchio, which reads the same URDF by itself.

Tolerance: 1e-10 of the largest entry, as in test_against_others.py, for random robots; 1e-9 for the robots of the package
example-robot-data, whose mass matrices are worse conditioned. Those are large and not part of the ordinary tests:
`cargo xtask robots` fetches them and names their folder by CAROM_ROBOTS.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from compared import POSES, compare, mapped
from compared import touching as carom_touching
from robots import Pinocchio, Robot, grow

import carom

SEEDS = range(60)
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


def mimics(path: Path) -> dict[str, tuple[str, float, float]]:
    """The joints of a URDF that follow others and are not fixed, by the standard's own XML."""
    out = {}
    for joint in ElementTree.parse(path).getroot().findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("type") != "fixed":
            other, factor, offset = mimic.get("joint", ""), mimic.get("multiplier", "1"), mimic.get("offset", "0")
            out[mapped(joint.get("name", ""))] = (mapped(other), float(factor), float(offset))
    return out


@pytest.mark.skipif("CAROM_ROBOTS" not in os.environ, reason="CAROM_ROBOTS names no folder of robots")
def test_the_robots_of_the_package(tmp_path: Path) -> None:
    """Every URDF of a folder: read or refused with a reason; those read have Pinocchio's M, W, m_eff and T_c."""
    folder = Path(os.environ["CAROM_ROBOTS"])
    random = np.random.default_rng(1820)
    refused, rows, by_both, unread = [], [], [], []
    for path in sorted(folder.rglob("*.urdf")):
        name = path.relative_to(folder)
        floating = False
        try:
            try:
                machine = carom.Machine.open(path)
            except carom.CaromError as error:
                if "nothing moves" not in str(error):
                    raise
                floating = True
                machine = carom_touching(path, None, np.ones(3), tmp_path, floating)
        except carom.CaromError as error:
            reason = str(error).splitlines()[0].split(": ", 1)[-1]
            (by_both if not read_by_pinocchio(path) else refused).append(f"{name}: {reason}")
            continue
        try:
            other = Pinocchio(Robot(path.read_text(), floating, {}, {}, mimics(path)), machine.velocities)
        except Exception as error:  # What Pinocchio does not read cannot be compared.
            unread.append(f"{name}: {str(error).splitlines()[0]}")
            continue
        # The tip is the last body of the tree.
        body = machine.bodies[-1]
        link = next(frame.name for frame in other.model.frames if mapped(frame.name) == body)
        normal = random.normal(size=3)
        normal /= np.linalg.norm(normal)
        machine = carom_touching(path, link, normal, tmp_path, floating)
        worst, count = compare(machine, other, link, normal, random, CORPUS_TOLERANCE)
        rows.append(f"{name!s:64} nv {machine.nv:3}  tip {body:28} {count} poses, worst {worst:.1e}")
        assert count == POSES, rows[-1]
    print(*rows, sep="\n")
    for word, list_ in [("refused", refused), ("refused by both", by_both), ("not read by Pinocchio", unread)]:
        print(f"{word} {len(list_)}:", *list_, sep="\n  ")
    assert rows and len(refused) + len(by_both) <= MOST_REFUSED, (refused, by_both)


def read_by_pinocchio(path: Path) -> bool:
    """Whether Pinocchio reads a file with the joints that follow others."""
    import pinocchio as pin

    try:
        pin.buildModelFromXML(path.read_text(), mimic=True)
    except Exception:
        return False
    return True
