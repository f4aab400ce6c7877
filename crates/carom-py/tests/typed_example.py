"""The calls that the README and the book show, checked by ``mypy --strict`` and run by the tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import carom

Floats = NDArray[np.float64]


def one_answer(models: Path) -> tuple[float, float]:
    """The first three lines."""
    m = carom.Machine.open(models / "000/slider-crank.toml", parameters={"theta": "30 deg"})
    a = m.assess("faces")
    cautions: list[carom.Caution] = a.cautions
    unit: str = a.units["effective_mass"]
    assert unit == "kg" and all(c.message for c in cautions)
    plain: dict[str, object] = a.to_dict()
    assert "contacts" in plain
    return a.effective_mass, a.impact_energy


def many_states(m: carom.Machine, q: Floats, v: Floats) -> Floats:
    """Arrays in, arrays out."""
    b = m.assess(m.contacts[0], q=q, v=v, threads=2)
    assert isinstance(b, carom.StatesAssessment)
    W: Floats = b.W
    row: Floats = b.row
    slope: Floats = b.gradient("effective_mass", by="position")
    assert W.shape[0] == row.shape[0] == slope.shape[0] == len(b)
    masks: dict[str, NDArray[np.bool_]] = b.cautions
    assert isinstance(masks, dict)
    mass: Floats = b.effective_mass
    return mass


def dynamics(m: carom.Machine, q: Floats, v: Floats) -> Floats:
    """What a user of a dynamics library expects to find."""
    M: Floats = m.mass_matrix(q)
    h: Floats = m.bias(q, v)
    A: Floats = m.jacobian(m.contacts[0], q)
    a: Floats = m.forward_dynamics(q, v, effort=np.zeros(m.nv))
    assert A.shape[-1] == m.nv
    return M @ a + h


def motion(m: carom.Machine, folder: Path) -> int:
    """A run, its impacts and its files."""
    r = m.run(until=0.2, law="exact", tolerance=1e-9, progress=False)
    q: Floats = r.trajectory.q
    energy: Floats = r.trajectory.energies["kinetic"]
    assert q.shape == (len(r.trajectory), m.nq) and energy.shape == r.trajectory.t.shape
    for name, history in r.contacts.items():
        force: Floats = history["normal_force"]
        assert history.name == name and force.shape == history.t.shape
    r.to_parquet(folder / "motion.parquet")
    r.save_report(folder / "hit.html")
    assert list(r.to_pandas()["t"]) == list(r.trajectory.t)
    onsets: list[float] = [impact.onset for impact in r.impacts]
    return len(onsets)


def laws() -> float:
    """Contact laws, and what one delivers."""
    names: list[str] = [law.name for law in carom.laws()]
    assert "flores" in names
    delivered: float = carom.law("flores", restitution=0.5).delivered
    return delivered


def errors() -> list[carom.Fault]:
    """What is wrong with a model, and where."""
    try:
        carom.Machine.from_text("carom = 1\nspace = 'plane'\n")
    except carom.ModelError as error:
        return error.faults
    return []


def studied(models: Path) -> Floats:
    """A study of the repository at points of one's own."""
    study = carom.Study(
        carom.Machine.open(models / "000/slider-crank.toml"),
        variables=["theta"],
        measures=["effective_mass"],
        points=np.array([[0.3], [0.4], [0.5]]),
    )
    table: carom.StudyTable = study.run(threads=1)
    found: Floats = table.measures["effective_mass"]
    return found


def near_a_person(models: Path, q: Floats) -> Floats:
    """A robot's tip: how heavy it is, and how fast it may move."""
    robot = carom.Robot(models / "robots/arm.urdf", tip="tool_tip", payload="1.5 kg")
    inverse: Floats = robot.lambda_inv(q)
    mass = robot.m_eff(q, [1, 0, 0])
    limits: carom.SpeedLimits = robot.speed_limits(q, [1, 0, 0])
    assert inverse.shape == (len(q), 3, 3) and mass.shape == (len(q),)
    allowed: Floats = limits.allowed
    return allowed
