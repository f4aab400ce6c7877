"""A robot's file in carom and in a program that reads it by itself: M, W, m_eff and T_c at random poses.

The other program has `state(random)`, which draws a pose and gives it in carom's coordinates, `mass()` and `mass_matrix()` in its own and
in carom's, and `mobility(body)`, which gives W of a body's origin and keeps its Jacobian `J` and velocities `v`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import carom

POSES = 20
#: Where the tolerance is this small, poses whose M is worse conditioned are drawn again: round-off would be larger.
STRICT = 1e-10
WORST_CONDITION = 1e5


def mapped(name: str) -> str:
    """A name as the model file has it."""
    new = re.sub(r"[^\w-]", "_", name)
    return "ground_link" if new == "ground" else new


def agree(found: Any, wanted: Any, what: str, tolerance: float, least: float = 0.0) -> float:
    """The largest error, in parts of the largest entry or of a least scale."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"{what}: {found.shape}, {wanted.shape}"
    scale = max(np.abs(wanted).max(initial=0.0), least) or 1.0
    error = float(np.abs(found - wanted).max(initial=0.0) / scale)
    assert error <= tolerance, f"{what}: {error:.1e} of {scale:.3g}"
    return error


def touching(
    source: Path, body: str | None, normal: np.ndarray, folder: Path, floating: bool = False
) -> carom.Machine:
    """The robot under a model file, with two contacts at the origin of a body: along a normal, and with sticking across it."""
    n = ", ".join(repr(float(x)) for x in normal)
    base = 'base = "floating"\n' if floating else ""
    contacts = ""
    if body is not None:
        name = mapped(body)
        pair = f'between = ["ground.wall", "{name}.touched"]\nnormal = [{n}]\n'
        contacts = (
            f"[ground]\nmarkers.wall = [0, 0, 0]\n[bodies.{name}]\nmarkers.touched = [0, 0, 0]\n"
            f'[contacts.touch]\n{pair}[contacts.stick]\n{pair}friction = "stick"\n'
        )
    path = folder / "over.toml"
    path.write_text(f'carom = 1\n[robot]\nsource = "{source}"\n{base}{contacts}')
    return carom.Machine.open(path)


def compare(machine: carom.Machine, other: Any, body: str, normal: np.ndarray, random: Any, tolerance: float) -> Any:
    """M, W, m_eff and T_c at random poses: the largest error and the number of poses."""
    worst, count = 0.0, 0
    for _ in range(10 * POSES):
        state = other.state(random)
        if state is None or (tolerance <= STRICT and np.linalg.cond(other.mass()) > WORST_CONDITION):
            continue
        q, v = state
        worst = max(worst, agree(machine.mass_matrix(q), other.mass_matrix(), "M", tolerance))
        W = other.mobility(body)
        if normal @ other.J @ other.v > 0:
            v, other.v = -v, -other.v
        answer = machine.assess("touch", q, v)
        wanted = np.linalg.eigvalsh(W)
        # The tangents of the two programs need not be the same: W is compared by its principal values, and along the normal.
        worst = max(worst, agree(np.linalg.eigvalsh(machine.assess("stick", q, v).W), wanted, "W", tolerance, other.free))
        along = normal @ W @ normal
        # A tip that hardly moves along the normal is heavy without bound.
        if along > 1e-3 * other.free:
            worst = max(worst, agree([1 / answer.effective_mass], [along], "1/m_eff", tolerance))
            # The closing speed u is a sum over joints whose terms may cancel: its round-off is one of the sum of their magnitudes, and
            # T_c = u² / (2 W) has that of |u| times it.
            u, terms = normal @ other.J @ other.v, np.abs(normal @ other.J) @ np.abs(other.v)
            energy, least = 0.5 * u**2 / along, 0.5 * abs(u) * terms / along
            worst = max(worst, agree([answer.impact_energy], [energy], "T_c", tolerance, least))
        count += 1
        if count == POSES:
            break
    return worst, count
