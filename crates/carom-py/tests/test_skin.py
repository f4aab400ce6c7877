"""The skin of a robot against Pinocchio, and against the limits it is judged by."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from robots import Pinocchio
from robots import Robot as Written
from test_robots import agree

import carom

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")

POSE = np.array([0.3, -0.9, 1.4, -0.8, 0.2, 0.1])


@pytest.fixture(scope="module")
def arm(models: Path) -> carom.Robot:
    return carom.Robot(models / "robots/arm.urdf", "tool_tip")


@pytest.fixture(scope="module")
def skin(arm: carom.Robot) -> carom.Skin:
    found = arm.skin(POSE, points=3000)
    assert isinstance(found, carom.Skin)
    return found


def test_points_are_as_heavy_as_pinocchio_says(arm: carom.Robot, skin: carom.Skin, models: Path) -> None:
    """A = nᵀ (J_v + J_ω × r) at a point r from the origin of its link, m_eff = 1 / (A M⁻¹ Aᵀ)."""
    text = (models / "robots/arm.urdf").read_text()
    import pinocchio as pin

    rotors = {f"joint_{k + 1}": 101**2 * r for k, r in enumerate([1.2e-4, 1.2e-4, 6e-5, 1.5e-5, 1.5e-5, 1.5e-5])}
    other = Pinocchio(Written(text, False, rotors, {}, {}), arm.machine.velocities)
    assert [name for name, _ in other.order] == arm.joints
    model, data = other.model, other.data
    q = pin.neutral(model)
    for k, (_, joint) in enumerate(other.order):
        own = model.joints[joint]
        q[own.idx_q : own.idx_q + own.nq] = POSE[k] if own.nq == 1 else [np.cos(POSE[k]), np.sin(POSE[k])]
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    pin.computeJointJacobians(model, data, q)
    moving = np.flatnonzero(skin.body < len(skin.bodies) - 1)
    assert len(moving) > 1000
    assert len({int(k) for k in skin.body[moving]}) >= 4, "links of the arm with a surface"
    chosen = moving[:: len(moving) // 60]
    W = []
    for k in chosen:
        # Body and joint have the same position in a chain.
        joint = other.order[int(skin.body[k])][1]
        J = pin.getJointJacobian(model, data, joint, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        arm_to = skin.position[k] - data.oMi[joint].translation
        A = skin.normal[k] @ J[:3] + np.cross(arm_to, skin.normal[k]) @ J[3:]
        W.append(A @ np.linalg.solve(M, A))
    # Some points cannot move along their normal: mobilities are compared, all by the size of the largest.
    agree(1 / skin.effective_mass[chosen], W, "1/m_eff")
    assert np.sum(np.array(W) > 1e-3 * np.max(W)) > 30
    fixed = skin.effective_mass[skin.body == len(skin.bodies) - 1]
    assert np.all(np.isinf(fixed)), "the base does not give way"


def test_speeds_are_those_that_the_limits_allow(arm: carom.Robot, skin: carom.Skin) -> None:
    limits = arm.speed_limits(POSE, [1, 0, 0])
    masses = skin.effective_mass[:, None]
    wanted = np.nanmin(limits.limit / np.sqrt(masses * limits.stiffness), axis=1)
    agree(skin.permitted_speed, wanted, "v_max", 1e-12)
    assert np.allclose(np.linalg.norm(skin.normal, axis=1), 1, atol=1e-12)
    assert 1 <= len(skin.worst) <= 10 and skin.worst[0].body in skin.bodies


def test_poses_give_a_list_and_are_those_one_by_one(arm: carom.Robot, skin: carom.Skin) -> None:
    both = arm.skin([POSE, np.zeros(6)], points=3000)
    assert isinstance(both, list) and len(both) == 2
    assert np.array_equal(both[0].effective_mass, skin.effective_mass)
    assert len(both[1]) != len(skin) or not np.array_equal(both[1].position, skin.position)
    again = pickle.loads(pickle.dumps(skin))
    assert np.array_equal(again.position, skin.position) and again.to_dict() == skin.to_dict()


def test_a_skin_of_too_few_points_or_of_no_surface_is_refused(arm: carom.Robot) -> None:
    with pytest.raises(carom.StateError, match="3 points, expected 100 to"):
        arm.skin(POSE, points=3)
    with pytest.raises(TypeError, match="whole number"):
        arm.skin(POSE, points=1e4)  # type: ignore[arg-type]
    with pytest.raises(carom.StateError, match="expected"):
        arm.skin(np.zeros((2, 2, 6)))
