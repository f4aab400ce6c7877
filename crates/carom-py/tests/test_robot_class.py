"""The class Robot against Pinocchio, closed forms and the command.

Tolerances: 1e-10 of the largest entry against Pinocchio, as in test_robots.py; 1e-12 against closed forms, which have a few roundings; the
command prints all digits, so that its numbers are compared at 1e-12, too.
"""

from __future__ import annotations

import copy
import csv
import json
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robots import Pinocchio, grow
from robots import Robot as Written
from test_robots import agree

import carom

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")

SEEDS = range(0, 60, 2)
POSES = 12
EXACT = 1e-12


@pytest.fixture(scope="module")
def arm(models: Path) -> carom.Robot:
    """The six-axis arm of the repository, with its motors."""
    return carom.Robot(models / "robots/arm.urdf", tip="tool_tip")


def poses(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([1830, seed]).uniform(-2, 2, (count, 6))


# Against Pinocchio.


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_robot_has_the_inertia_of_pinocchio_at_its_tip(seed: int, tmp_path: Path) -> None:
    written = grow(seed)
    if not written.moving:
        pytest.skip("nothing moves")
    random = np.random.default_rng([1831, seed])
    link = sorted(written.moving)[int(random.integers(len(written.moving)))]
    path = tmp_path / "robot.urdf"
    path.write_text(written.urdf)
    robot = carom.Robot(path, tip=link, base="floating" if written.floating else "fixed")
    other = Pinocchio(written, robot.machine.velocities)
    states, inverses, Js, speeds = [], [], [], []
    for _ in range(POSES):
        q, v = other.state(random)
        J = other.tip_jacobian(link)
        states.append((q, v)), inverses.append(other.inverse_inertia(link)), Js.append(J), speeds.append(J @ v)
    Q, V = (np.array(column) for column in zip(*states, strict=True))
    n = random.normal(size=(POSES, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    agree(robot.lambda_inv(Q), inverses, "Λ⁻¹")
    agree(robot.jacobian(Q), Js, "J")
    W = np.einsum("ki,kij,kj->k", n, inverses, n)
    # A tip that the joints hardly move along n is heavy without bound: the mobility is compared, and T_c where there is one.
    agree(1 / robot.m_eff(Q, n), W, "1/m_eff")
    mobile = W > 1e-6 * np.abs(inverses).max(axis=(1, 2))
    u = np.einsum("ki,ki->k", n, speeds)
    agree(robot.T_c(Q, V, n)[mobile], (0.5 * u**2)[mobile] / W[mobile], "T_c")


def test_a_file_of_mujoco_has_the_inertia_of_mujoco_at_its_tip(models: Path, arm: carom.Robot) -> None:
    import mujoco

    path = models / "robots/arm.xml"
    robot = carom.Robot(path, tip="tool_tip")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    site = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, "tool_tip")
    Q, expected, Js = poses(POSES, 3), [], []
    for q in Q:
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        M, J = np.zeros((model.nv, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_fullM(model, data, M)
        mujoco.mj_jacSite(model, data, J, None, site)
        expected.append(J @ np.linalg.solve(M, J.T)), Js.append(J)
    agree(robot.lambda_inv(Q), expected, "Λ⁻¹")
    agree(robot.jacobian(Q), Js, "J")
    n = np.array([0.6, 0.0, 0.8])
    agree(robot.m_eff(Q, n), 1 / np.einsum("i,kij,j->k", n, expected, n), "m_eff")
    # The same arm as URDF gives the same answers (axes of MJCF are written in 16 digits).
    agree(robot.lambda_inv(Q), arm.lambda_inv(Q), "Λ⁻¹ of the URDF")
    assert pickle.loads(pickle.dumps(robot)) == robot == copy.deepcopy(robot)
    skin = robot.skin(Q[0], points=300)
    assert len(skin.effective_mass) and np.all(skin.effective_mass > 0)


def test_payload_rotors_and_locked_joints_are_those_of_pinocchio(models: Path) -> None:
    import pinocchio as pin

    text = (models / "robots/arm.urdf").read_text()
    rotors = {f"joint_{k}": 0.1 * k for k in range(1, 7)}
    robot = carom.Robot(models / "robots/arm.urdf", "tool_tip", "2.5 kg", rotors, payload_at="10, -20, 250 mm")
    other = Pinocchio(Written(text, False, rotors, {}, {}), robot.machine.velocities)
    # carom's payload stands in the frame of the tip's body, which is the link on the last joint.
    load = pin.Inertia(2.5, np.array([0.01, -0.02, 0.25]), np.zeros((3, 3)))
    other.model.appendBodyToJoint(other.order[-1][1], load, pin.SE3.Identity())
    other.data = other.model.createData()
    held = carom.Robot(robot.machine, "tool_tip", 2.5, payload_at=[0.01, -0.02, 0.25], locked=["joint_2", "joint_4"])
    free = [k for k, name in enumerate(held.joints) if name not in held.locked]
    random = np.random.default_rng(1832)
    for _ in range(POSES):
        q, _ = other.state(random)
        agree(robot.lambda_inv(q), other.inverse_inertia("tool_tip"), "Λ⁻¹")
        J, M = other.tip_jacobian("tool_tip")[:, free], other.mass_matrix()[np.ix_(free, free)]
        agree(held.lambda_inv(q), J @ np.linalg.solve(M, J.T), "Λ⁻¹ with locked joints")
        n = random.normal(size=3)
        agree(held.m_eff(q, n, mass="free"), robot.m_eff(q, n), "free joints", EXACT)
        agree(held.m_eff(q, n, mass="locked"), held.m_eff(q, n), "locked joints", 0.0)


# Closed forms.

#: A rod on a hinge at the origin, and a block on a rail along x.
ROD = {
    "space": "planar",
    "bodies": {"rod": {"mass": "3 kg", "shape": {"rod": "0.8 m"}, "markers": {"tip": ["0.4 m", 0]}}},
    "joints": {"hinge": {"type": "revolute", "connects": ["ground", "rod"], "at": [[0, 0], ["-0.4 m", 0]], "rotor": 0}},
}


def block(mass: float) -> carom.Robot:
    machine = carom.Machine.from_dict(
        {
            "space": "spatial",
            "gravity": [0, 0, 0],
            "bodies": {"block": {"mass": mass, "inertia": [1, 1, 1], "markers": {"tip": [0, 0, 0]}}},
            "joints": {"rail": {"type": "prismatic", "connects": ["ground", "block"], "axis": [1, 0, 0]}},
        }
    )
    return carom.Robot(machine)


def test_a_rod_on_a_hinge_weighs_a_third_across_and_everything_along() -> None:
    load, rotor, length = 0.7, 0.2, 0.8
    robot = carom.Robot(carom.Machine.from_dict(ROD), payload=load, rotors={"hinge": rotor})
    angle = np.linspace(-3, 3, 41)
    across = 3 / 3 + load + rotor / length**2
    normal = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=1)
    along = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    agree(robot.m_eff(angle[:, None], normal), np.full(41, across), "across", EXACT)
    assert np.all(np.isinf(robot.m_eff(angle[:, None], along)))
    slanted = np.cos(0.3) * normal + np.sin(0.3) * along
    agree(robot.m_eff(angle[:, None], slanted), np.full(41, across / np.cos(0.3) ** 2), "slanted", EXACT)
    v = np.full((41, 1), 1.7)
    agree(robot.T_c(angle[:, None], v, normal), np.full(41, 0.5 * across * (1.7 * length) ** 2), "T_c", EXACT)
    assert np.all(robot.T_c(angle[:, None], v, along) == 0), "nothing moves along the rod"
    agree(robot.position(angle[:, None])[:, :2], length * along[:, :2], "tip", EXACT)
    # Two numbers are a direction of the plane; a locked hinge that turns drives the tip.
    assert robot.m_eff([0.0], [0, 1]) == robot.m_eff([0.0], [0, 1, 0])
    locked = robot.with_(locked="hinge")
    assert np.isinf(locked.m_eff([0.3], [0, 1])) and np.isinf(locked.T_c([0.3], [1.0], [0, 1]))
    assert locked.T_c([0.3], [0.0], [0, 1]) == 0


def test_a_turned_and_stretched_direction_changes_nothing(arm: carom.Robot) -> None:
    q, n = poses(20), np.random.default_rng(3).normal(size=(20, 3))
    agree(arm.m_eff(q, -7 * n), arm.m_eff(q, n), "−7 n", EXACT)
    agree(arm.T_c(q, q, n), arm.T_c(q, -q, n), "−v", EXACT)
    unit = n / np.linalg.norm(n, axis=1, keepdims=True)
    u = np.einsum("ki,kij,kj->k", unit, arm.jacobian(q), q)
    agree(arm.T_c(q, q, n), 0.5 * arm.m_eff(q, n) * u**2, "T_c = ½ m_eff u²", EXACT)
    agree(arm.T_c(q, q, n), arm.T_c(q, n=n, speed=u), "T_c of a speed", EXACT)


def two_rods(a: float, b: float, m1: float, m2: float) -> carom.Robot:
    hinge = {"type": "revolute", "position": 0}
    machine = carom.Machine.from_dict(
        {
            "space": "planar",
            "bodies": {
                "upper": {"mass": m1, "shape": {"rod": a}},
                "lower": {"mass": m2, "shape": {"rod": b}, "markers": {"tip": [b / 2, 0]}},
            },
            "joints": {
                "shoulder": {**hinge, "connects": ["ground", "upper"], "at": [[0, 0], [-a / 2, 0]]},
                "elbow": {**hinge, "connects": ["upper", "lower"], "at": [[a / 2, 0], [-b / 2, 0]]},
            },
        }
    )
    return carom.Robot(machine, rotors=[0.02, 0.01])


def test_two_rods_are_those_of_the_textbook() -> None:
    """M and J of the planar arm with two links as every textbook has them (Siciliano et al., Robotics, 7.3.2)."""
    a, b, m1, m2 = 0.6, 0.45, 2.0, 1.2
    robot = two_rods(a, b, m1, m2)
    q = np.random.default_rng(1833).uniform(-3, 3, (200, 2))
    first, both, c = q[:, 0], q.sum(axis=1), np.cos(q[:, 1])
    M12 = m2 * (b**2 / 3 + a * b * c / 2)
    M11 = m1 * a**2 / 3 + m2 * (a**2 + b**2 / 3 + a * b * c) + 0.02
    M22 = np.full_like(c, m2 * b**2 / 3 + 0.01)
    M = np.moveaxis(np.array([[M11, M12], [M12, M22]]), -1, 0)
    rows = [
        [-a * np.sin(first) - b * np.sin(both), -b * np.sin(both)],
        [a * np.cos(first) + b * np.cos(both), b * np.cos(both)],
    ]
    J = np.moveaxis(np.array(rows), -1, 0)
    wanted = J @ np.linalg.solve(M, np.swapaxes(J, 1, 2))
    agree(robot.lambda_inv(q)[:, :2, :2], wanted, "Λ⁻¹", EXACT)
    n = np.array([0.6, -0.8])
    agree(1 / robot.m_eff(q, n), n @ wanted @ n, "1/m_eff", EXACT)


def test_a_stretched_arm_is_immobile_along_itself_and_its_neighbours_are_heavy() -> None:
    robot = two_rods(0.6, 0.45, 2.0, 1.2)
    assert np.isinf(robot.m_eff([0.4, 0.0], [np.cos(0.4), np.sin(0.4)]))
    bent = np.array([1e-2, 1e-3, 1e-4])
    heavy = robot.m_eff(np.stack([0 * bent, bent], axis=1), [1, 0])
    # The tip moves along the arm by second order of the bend: m_eff grows as its inverse square.
    assert np.allclose(heavy[1:] / heavy[:-1], 100, rtol=1e-3), heavy


def test_the_published_speeds_come_out() -> None:
    """Hand, clamped, 140 N, 75 N/mm: 15.5 kg → 0.130 m/s and 10.2 kg → 0.160 m/s."""
    limits = {
        "source": "published example",
        "edition": "1",
        "confirmed": True,
        "regions": [{"name": "hand", "stiffness": 75, "force_clamped": 140, "force_impact": 280, "mass": 0.6}],
    }
    for mass, speed in ((15.5, 0.130), (10.2, 0.160)):
        robot = block(mass)
        found = robot.speed_limits([0.0], [1, 0, 0], limits)
        assert found.regions == ["hand"] and found.speed.shape == (1,)
        assert abs(found.allowed - speed) < 5e-4
        agree(found.allowed, 140 / np.sqrt(mass * 75e3), "v_max", EXACT)
        free = robot.speed_limits([0.0], [1, 0, 0], limits, clamped=False)
        agree(free.speed, [280 / np.sqrt(75e3 / (1 / 0.6 + 1 / mass))], "free", EXACT)
        padded = robot.speed_limits([0.0], [1, 0, 0], limits, padding="75 N/mm")
        agree(padded.speed, found.speed * np.sqrt(2), "padding as stiff as the hand", EXACT)
        standard = robot.speed_limits([0.0], [1, 0, 0], limits, mass="standard")
        agree(standard.speed, found.speed * np.sqrt(2), "half the mass", EXACT)


# Against the command.


def command(*arguments: str) -> dict[str, Any]:
    called = [sys.executable, "-m", "carom", *arguments, "--format", "json"]
    done = subprocess.run(called, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_one_pose_is_that_of_the_command(models: Path) -> None:
    file, pose = str(models / "robots/arm.urdf"), [0.3, -0.9, 1.4, -0.8, 0.2, 0.1]
    place = ["--tip", "tool_tip", "--q", ",".join(map(str, pose)), "--direction", "1,2,-1", "--payload", "1.5 kg"]
    robot = carom.Robot(file, "tool_tip", 1.5, locked=["joint_2"])
    n = np.array([1.0, 2.0, -1.0])
    told = command("tip", file, *place, "--lock", "joint_2")
    agree(robot.lambda_inv(pose), told["inverse_inertia"], "Λ⁻¹", EXACT)
    agree(robot.position(pose), told["tip_position"], "tip", EXACT)
    for mass in ("standard", "free", "locked"):
        agree(robot.m_eff(pose, n, mass=mass), told[f"{mass}_mass"], mass, EXACT)
    assert robot.assess(pose, n).to_dict()["shares"] == told["shares"]
    effort = "150,150,150,28,28,28"
    near = command("near", file, *place, "--effort", f"{effort} N m", "--area", "2 cm^2")
    free = robot.with_(locked=())
    found = free.speed_limits(pose, n, area="2 cm^2", effort=[float(x) for x in effort.split(",")])
    assert found.regions == [r["region"] for r in near["regions"]]
    agree(found.speed, [r["speed_clamped"] for r in near["regions"]], "speeds", EXACT)
    agree(found.static_push, near["static_push"], "static push", EXACT)
    assert found.push_exceeds is not None
    assert found.push_exceeds.tolist() == [r["push_exceeds"] for r in near["regions"]]
    assert found.cautions[0].code == "static-push"


@pytest.mark.parametrize("by", ["velocities", "speed"])
def test_a_path_is_judged_as_the_command_judges_it(by: str, models: Path, tmp_path: Path) -> None:
    file = str(models / "robots/arm.urdf")
    t = np.linspace(0, 2, 60)
    q = np.sin(np.outer(t, [1, 0.7, 1.3, 2, 0.4, 0.9]))
    q[30:33] = q[30]
    v = np.gradient(q, t, axis=0)
    v[30:33] = 0
    speed = 0.2 + 0.1 * np.sin(t)
    columns = np.column_stack([t, q, v] if by == "velocities" else [t, q, speed])
    heads = ["t", *(f"q{k}" for k in range(6)), *([f"v{k}" for k in range(6)] if by == "velocities" else ["speed"])]
    with open(tmp_path / "path.csv", "w", newline="") as out:
        csv.writer(out).writerows([heads, *([repr(float(x)) for x in row] for row in columns)])
    told = command(
        "near", file, "--tip", "tool_tip", "--path", str(tmp_path / "path.csv"), "-o", str(tmp_path / "out")
    )
    with open(tmp_path / "out/profile.csv") as lines:
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    profile = {name.split(" [")[0]: np.array(column) for name, *column in zip(*rows, strict=True)}
    found = carom.Robot(file, "tool_tip").path(q, **({"v": v} if by == "velocities" else {"speed": speed}), t=t)
    numbers = {name: column.astype(float) for name, column in profile.items() if name != "region"}
    for name, own in (
        ("t", t),
        ("speed", found.tip_speed),
        ("m_R", found.robot_mass),
        ("T_c", found.impact_energy),
        ("allowed speed", found.allowed),
        ("utilisation", found.utilisation),
        ("F hand, fingers", found.force[:, found.regions.index("hand, fingers")]),
    ):
        # The profile has six decimals, and three of forces.
        assert np.allclose(own, numbers[name], rtol=0, atol=6e-4 if name[0] == "F" else 6e-7), name
    assert [found.regions[k] for k in found.governing] == profile["region"].tolist()
    agree(found.utilisation.max(), told["path"]["greatest_utilisation"], "utilisation", EXACT)
    assert int(found.utilisation.argmax()) + 1 == told["path"]["greatest_at"]
    slow = [(s["first"] - 1, s["last"] - 1, s["allowed_speed"]) for s in told["path"]["slow"]]
    assert [s[:2] for s in found.stretches()] == [s[:2] for s in slow]
    agree([s[2] for s in found.stretches()], [s[2] for s in slow], "allowed", EXACT)


# Arrays.


def test_leading_axes_broadcast_as_those_of_numpy(arm: carom.Robot) -> None:
    q, n = poses(4), np.eye(3)
    table = arm.m_eff(q[:, None], n)
    assert table.shape == (4, 3)
    for k in range(4):
        assert np.array_equal(arm.m_eff(q[k], n), table[k])
        for j in range(3):
            assert arm.m_eff(q[k], n[j]) == table[k, j] and isinstance(arm.m_eff(q[k], n[j]), float)
    assert arm.m_eff(q.reshape(2, 2, 6), n[0]).shape == (2, 2)
    assert arm.T_c(q, np.ones(6), n[0]).shape == arm.T_c(q[0], np.ones((4, 6)), n[0]).shape == (4,)
    assert arm.lambda_inv(q[0]).shape == (3, 3) and arm.lambda_inv(q.reshape(2, 2, 6)).shape == (2, 2, 3, 3)
    assert arm.speed_limits(q[:, None], n).speed.shape == (4, 3, 15)
    for empty in (arm.m_eff(np.zeros((0, 6)), n[0]), arm.T_c(np.zeros((0, 6)), np.zeros(6), n[0])):
        assert empty.shape == (0,)
    assert arm.lambda_inv(np.zeros((0, 6))).shape == (0, 3, 3)
    assert np.array_equal(arm.m_eff(n=n[0]), arm.m_eff(arm.q, n[0]))


@pytest.mark.parametrize(
    "change",
    [
        lambda q: q.astype(np.float32).astype(np.float64).astype(np.float32),
        lambda q: q.tolist(),
        lambda q: q.astype(">f8"),
        lambda q: np.asfortranarray(q),
        lambda q: np.repeat(q, 2, axis=1)[:, ::2],
        lambda q: np.broadcast_to(q, q.shape),
    ],
    ids=["float32", "lists", "big-endian", "by columns", "with strides", "read-only"],
)
def test_arrays_of_every_kind_are_read(arm: carom.Robot, change: Callable[[np.ndarray], Any]) -> None:
    q = poses(5).astype(np.float32).astype(np.float64)
    assert np.array_equal(arm.m_eff(change(q), [1, 0, 0]), arm.m_eff(q, [1, 0, 0]))


def test_threads_change_no_bit(arm: carom.Robot) -> None:
    q, n = poses(1000), np.random.default_rng(5).normal(size=(1000, 3))
    assert np.array_equal(arm.m_eff(q, n, threads=1), arm.m_eff(q, n, threads=3))
    assert np.array_equal(arm.lambda_inv(q, threads=1), arm.lambda_inv(q, threads=3))


def test_a_robot_is_a_value(arm: carom.Robot, models: Path) -> None:
    loaded = arm.with_(payload="2 kg", locked=["joint_1"])
    for robot in (arm, loaded):
        for again in (pickle.loads(pickle.dumps(robot)), copy.copy(robot), copy.deepcopy(robot)):
            assert again == robot and hash(again) == hash(robot)
            assert again.m_eff(poses(1)[0], [1, 0, 0]) == robot.m_eff(poses(1)[0], [1, 0, 0])
    assert loaded != arm and "2 kg" in repr(loaded) and "joint_1" in repr(loaded)
    assert carom.Robot(arm.machine, "wrist_3.tool_tip") == arm
    assert carom.Robot(models / "robots/arm.toml").tip == "wrist_3.tip", "the marker `tip` of an overlay"


def test_the_rotors_of_a_robot_are_replaced_by_name_or_in_order(arm: carom.Robot) -> None:
    q, n = poses(1)[0], [1, 0, 0]
    numbers = [0.1 * k for k in range(1, 7)]
    by_name = arm.with_(rotors=dict(zip(arm.joints, numbers, strict=True)))
    assert by_name.m_eff(q, n) == arm.with_(rotors=numbers).m_eff(q, n) != arm.m_eff(q, n)
    bare = arm.with_(rotors=[0.0] * 6)
    with pytest.warns(carom.CaromWarning, match="motors not counted"):
        bare.m_eff(q, n)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arm.m_eff(q, n)
    assert bare.m_eff(q, n) < arm.m_eff(q, n)


def test_names_of_a_robots_file_are_found_as_they_stand_there(tmp_path: Path) -> None:
    path = tmp_path / "odd.urdf"
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    path.write_text(
        f'<robot name="odd"><link name="base"/><link name="link 1/a">{inertial}</link><joint name="joint#1" type="revolute">'
        '<parent link="base"/><child link="link 1/a"/><axis xyz="0 0 1"/><origin xyz="0 0 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'
    )
    robot = carom.Robot(path, "link 1/a", rotors={"joint#1": 2.0}, payload=1.0, payload_at=[0.5, 0, 0], locked="joint#1")
    assert robot.tip == "link_1_a" and robot.locked == ["joint_1"]
    assert np.isinf(robot.m_eff([0.0], [0, 1, 0]))


def bad_calls(arm: carom.Robot, file: str) -> dict[str, tuple[type[Exception], str, Callable[[], Any]]]:
    q, n = poses(3), [1, 0, 0]
    Robot = carom.Robot
    return {
        "a tip that is not there": (carom.UnknownNameError, "tool_tipp", lambda: Robot(file, "tool_tipp")),
        "no tip": (carom.UnknownNameError, "marker `tip`", lambda: Robot(file)),
        "a tip that is no name": (TypeError, "expected a name", lambda: Robot(file, 3)),  # type: ignore[arg-type]
        "a locked joint that is not there": (carom.UnknownNameError, "nope", lambda: Robot(file, "tool_tip", locked="nope")),
        "a rotor of no joint": (carom.UnknownNameError, "nope", lambda: Robot(file, "tool_tip", rotors={"nope": 1.0})),
        "a negative rotor": (carom.ModelError, "rotor", lambda: Robot(file, "tool_tip", rotors={"joint_1": -1.0})),
        "too few rotors": (carom.StateError, "2 numbers, expected 6", lambda: Robot(file, "tool_tip", rotors=[1.0, 2.0])),
        "a negative payload": (carom.StateError, "payload", lambda: Robot(file, "tool_tip", payload=-1)),
        "a payload in metres": (carom.StateError, "[kg]", lambda: Robot(file, "tool_tip", payload="1 m")),
        "a payload of nan": (carom.StateError, "payload", lambda: Robot(file, "tool_tip", payload=float("nan"))),
        "a place of two numbers too many": (
            carom.StateError,
            "payload_at",
            lambda: Robot(file, "tool_tip", 1, payload_at=[1, 2, 3, 4, 5]),
        ),
        "no such file": (carom.ModelError, "nope.urdf", lambda: Robot("nope.urdf", "tool_tip")),
        "an unknown base": (ValueError, "'free'", lambda: Robot(file, "tool_tip", base="free")),
        "a link that is not there": (carom.ModelError, "nope", lambda: Robot(file, "tool_tip", drop="nope")),
        "a base for a machine": (TypeError, "robot's file", lambda: Robot(arm.machine, "wrist_3", base="floating")),
        "positions too narrow": (carom.StateError, "(3, 5)", lambda: arm.m_eff(q[:, :5], n)),
        "positions of nan": (carom.StateError, "q[1, 2] is nan", lambda: arm.m_eff(nan_at(q), n)),
        "positions as words": (carom.StateError, "real numbers", lambda: arm.lambda_inv(["a"] * 6)),
        "a zero direction": (carom.StateError, "n[1] is the zero vector", lambda: arm.m_eff(q[:2], [[1, 0, 0], [0, 0, 0]])),
        "no direction": (carom.StateError, "n is missing", lambda: arm.m_eff(q)),
        "a direction of two numbers": (carom.StateError, "(2,)", lambda: arm.m_eff(q, [1, 0])),
        "batches that do not fit": (carom.StateError, "q (3,)", lambda: arm.m_eff(q, np.ones((4, 3)))),
        "velocities too narrow": (carom.StateError, "v:", lambda: arm.T_c(q, np.ones(5), n)),
        "velocities and a speed": (carom.StateError, "either", lambda: arm.T_c(q, np.ones(6), n, speed=1)),
        "an unknown mass": (ValueError, "standard", lambda: arm.m_eff(q, n, mass="heavy")),
        "no locked joint": (ValueError, "locked", lambda: arm.m_eff(q, n, mass="locked")),
        "no body masses": (carom.StateError, "body mass", lambda: arm.speed_limits(q, n, clamped=False)),
        "limits without a source": (carom.StateError, "source", lambda: arm.speed_limits(q, n, {"regions": []})),
        "limits of no file": (FileNotFoundError, "nope.toml", lambda: arm.speed_limits(q, n, "nope.toml")),
        "an area of nothing": (carom.StateError, "area", lambda: arm.speed_limits(q, n, area=0.0)),
        "a negative padding": (carom.StateError, "padding", lambda: arm.speed_limits(q, n, padding=-1.0)),
        "too few efforts": (carom.StateError, "effort", lambda: arm.speed_limits(q, n, effort=[1.0])),
        "a path of one axis": (carom.StateError, "(6,)", lambda: arm.path(q[0], q[0])),
        "a path without a motion": (carom.StateError, "either", lambda: arm.path(q)),
        "a path with a negative speed": (carom.StateError, "speed", lambda: arm.path(q, speed=-1.0)),
        "times too few": (carom.StateError, "t:", lambda: arm.path(q, q, t=[0.0])),
        "several poses to draw": (carom.StateError, "one pose", lambda: arm.plot_tip(q)),
        "no threads": (ValueError, "threads", lambda: arm.m_eff(q, n, threads=0)),
    }


def nan_at(q: np.ndarray) -> np.ndarray:
    out = q.copy()
    out[1, 2] = np.nan
    return out


def test_bad_input_is_refused_with_what_was_given_and_wanted(arm: carom.Robot, models: Path) -> None:
    for what, (kind, told, call) in bad_calls(arm, str(models / "robots/arm.urdf")).items():
        with pytest.raises(kind) as error:
            call()
        assert told in str(error.value), f"{what}: {error.value}"


# Figures.


def test_the_figure_of_a_tip_shows_its_masses(arm: carom.Robot) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    q = poses(1)[0]
    figure = arm.plot_tip(q)
    cuts = [ax for ax in figure.axes if "m_eff along" in ax.get_xlabel()]
    assert len(cuts) == 3
    x, y = cuts[0].lines[0].get_data()
    drawn = np.hypot(x, y)
    wanted = arm.m_eff(q, np.stack([x, y, 0 * x], axis=1))
    assert np.allclose(drawn[~np.isnan(drawn)], wanted[~np.isnan(drawn)], rtol=1e-9)
    (shown,) = [ax.collections[0] for ax in figure.axes if "equal-area" in ax.get_title()]
    masses = np.asarray(shown.get_array().compressed())
    assert arm.assess(q).principal[0].effective_mass <= masses.min() * (1 + 1e-9)
    plt.close(figure)
    rod = carom.Robot(carom.Machine.from_dict(ROD))
    plt.close(rod.plot_tip())


def test_the_figure_of_a_path_shows_speeds_and_limits(arm: carom.Robot) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    t = np.linspace(0, 1, 50)
    q = np.outer(np.sin(t), np.ones(6))
    v = np.outer(np.cos(t), np.ones(6))
    figure = arm.plot_path(q, v, t=t)
    found = arm.path(q, v, t=t)
    mass, speed, used = figure.axes
    assert np.array_equal(mass.lines[0].get_ydata(), found.robot_mass)
    assert np.array_equal(speed.lines[1].get_ydata(), found.allowed)
    assert np.allclose(used.lines[0].get_ydata(), 100 * found.tip_speed / found.allowed)
    plt.close(figure)


def test_the_page_of_a_tip_is_written(arm: carom.Robot, tmp_path: Path) -> None:
    arm.save_report(tmp_path / "tip.html", poses(1)[0], [1, 0, 0])
    text = (tmp_path / "tip.html").read_text()
    assert "tool_tip" in text and "<svg" in text
