"""What all tests share: where the repository is, and machines that several tests use."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "models"

#: Two links, each a rod with mass, in the plane; the tip above a floor. Every test of input uses it: it is small, and
#: has neither closures nor quaternions.
PENDULUM = {
    "title": "a double pendulum",
    "space": "planar",
    "gravity": [0, -9.81],
    "parameters": {"length": "0.5 m"},
    "bodies": {
        "upper": {"mass": "2 kg", "shape": {"rod": "length"}},
        "lower": {"mass": "1 kg", "shape": {"rod": "length"}, "contact": {"tip": {"point": ["length/2", 0]}}},
    },
    "ground": {"contact": {"floor": {"plane": [0, 1], "at": [0, -1.2]}}},
    "joints": {
        "shoulder": {
            "type": "revolute",
            "connects": ["ground", "upper"],
            "at": [[0, 0], ["-length/2", 0]],
            "position": "-60 deg",
            "velocity": "-1 rad/s",
        },
        "elbow": {
            "type": "revolute",
            "connects": ["upper", "lower"],
            "at": [["length/2", 0], ["-length/2", 0]],
            "position": "-40 deg",
            "velocity": "-2 rad/s",
        },
    },
    "contacts": {
        "tip": {
            "between": ["ground.floor", "lower.tip"],
            "restitution": 0.5,
            "stiffness": "1e6 N/m^1.5",
            "law": "flores",
        }
    },
}


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder of the repository's models."""
    return MODELS


@pytest.fixture(scope="session")
def pendulum() -> carom.Machine:
    """A planar double pendulum above a floor."""
    return carom.Machine.from_dict(PENDULUM)


@pytest.fixture(scope="session")
def arm() -> carom.Machine:
    """The six-axis arm of the repository."""
    return carom.Machine.open(MODELS / "robot-arm.toml")


def states(machine: carom.Machine, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """n random states of a machine without quaternions, angles over the whole circle."""
    random = np.random.default_rng(seed)
    return random.uniform(-np.pi, np.pi, (n, machine.nq)), random.normal(size=(n, machine.nv))
