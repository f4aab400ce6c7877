"""Figures: what they show is what was computed. Their looks were judged by eye."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module")
def run(models: Path) -> carom.Run:
    return carom.Machine.open(models / "002/double-pendulum.toml").run()


def test_a_run_shows_its_energies_and_forces(run: carom.Run) -> None:
    upper, lower = run.plot().axes
    lines = {line.get_label(): line for line in upper.lines}
    assert np.array_equal(lines["kinetic"].get_ydata(), run.trajectory.energies["kinetic"])
    assert np.array_equal(lines["kinetic"].get_xdata(), run.trajectory.t)
    assert upper.get_ylabel() == "energy [J]" and lower.get_ylabel() == "normal force [N]"
    assert np.nanmax(lower.lines[0].get_ydata()) == np.nanmax(run.contacts["tip"]["normal_force"])
    assert abs(np.nanmax(lower.lines[0].get_ydata()) / run.impacts[0].peak_force - 1) < 1e-3


def test_an_impulse_shows_the_energy_of_each_impact(models: Path) -> None:
    rigid = carom.Machine.open(models / "000/slider-crank.toml").run(until=1.0)
    _, lower = rigid.plot().axes
    assert lower.get_ylabel() == "impact energy T_c [J]"
    assert lower.lines[0].get_ydata().tolist() == [impact.impact_energy for impact in rigid.impacts]


@pytest.mark.parametrize("file", ["000/slider-crank.toml", "robot-arm.toml"])
def test_an_assessment_shows_where_it_strikes_and_how_heavy(models: Path, file: str) -> None:
    machine = carom.Machine.open(models / file)
    answer = machine.assess()
    plain, shown = machine.draw(), answer.plot()
    assert len(shown.lines) == len(plain.lines) + 1 and len(shown.texts) == len(plain.texts) + 1
    assert f"m_eff {answer.effective_mass:.4g} kg, T_c {answer.impact_energy:.4g} J" in shown.get_title()
    labels = [text.get_text() for text in shown.get_legend().get_texts()]
    assert labels == machine.bodies


def test_a_planar_machine_is_drawn_where_it_is(models: Path) -> None:
    machine = carom.Machine.open(models / "000/slider-crank.toml", parameters={"theta": "30 deg"})
    ax = machine.draw()
    points = np.concatenate([line.get_xydata() for line in ax.lines if len(line.get_xydata())])
    pin = [np.cos(np.pi / 6), np.sin(np.pi / 6)]
    # Poses of pictures are rounded to seven digits.
    assert np.min(np.linalg.norm(points - pin, axis=1)) < 1e-6, "the crank's pin, 1 m from the pivot at 30°"
    assert ax.get_xlabel() == "x [m]" and ax.get_aspect() == 1


def test_a_moving_picture_has_its_frames(run: carom.Run, tmp_path: Path) -> None:
    from PIL import Image

    run.animate(tmp_path / "hit.gif", seconds=0.5, fps=20)
    with Image.open(tmp_path / "hit.gif") as picture:
        assert picture.n_frames == 10
        picture.seek(0)
        first = np.asarray(picture.convert("RGB"))
        picture.seek(9)
        assert np.any(first != np.asarray(picture.convert("RGB"))), "it moves"
