"""Fits of contact laws from Python, beside the least squares of SciPy."""

from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq, least_squares

import carom

#: Two minima of the same sum of squares: each search ends where the sum, not its place, is flat to rounding.
TWIN = 1e-6
#: Impacts that the twins fit.
MASS = 1.2
SPEEDS = np.linspace(0.2, 1.1, 10)


def hunt_crossley(stiffness: float, exponent: float, restitution: float) -> tuple[np.ndarray, np.ndarray]:
    """Separation speeds and peak forces of m δ̈ = −K δⁿ (1 + b δ̇/v), b = 3 (1 − e)/2 (Hunt and Crossley 1975).

    With w = δ̇/v and H(w) = w/b − ln(1 + b w)/b² the motion keeps K δⁿ⁺¹/((n + 1) m v²) = H(1) − H(w): it ends where H(−e′) = H(1), and the
    force is greatest where b (H(1) − H(w)) = n w/(n + 1).
    """
    b = 1.5 * (1.0 - restitution)

    def left(w: float) -> float:
        def h(x: float) -> float:
            return x / b - math.log1p(b * x) / b**2

        return h(1.0) - h(w)

    tight: dict[str, Any] = {"xtol": 1e-15, "rtol": 1e-14}
    after = -brentq(left, -min(1.0, (1.0 - 1e-12) / b), -1e-6, **tight)
    part = exponent / (exponent + 1.0)
    w = brentq(lambda w: b * left(w) - part * w, 0.0, 1.0, **tight)
    depth = ((exponent + 1.0) * MASS * SPEEDS**2 / stiffness * left(w)) ** (1.0 / (exponent + 1.0))
    return after * SPEEDS, stiffness * depth**exponent * (1.0 + b * w)


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    """Ten impacts with noise of stated size."""
    random = np.random.default_rng(7)
    after, peak = hunt_crossley(3e6, 1.45, 0.7)
    sigma_after, sigma_peak = np.full(10, 0.004), 0.01 * peak
    return {
        "effective_mass [kg]": np.full(10, MASS),
        "approach_speed [m/s]": SPEEDS,
        "separation_speed [m/s]": after + sigma_after * random.normal(size=10),
        "sigma(separation_speed) [m/s]": sigma_after,
        "peak_force [N]": peak + sigma_peak * random.normal(size=10),
        "sigma(peak_force) [N]": sigma_peak,
    }


@pytest.fixture(scope="module")
def discs(models: Path) -> carom.Machine:
    return carom.Machine.open(models / "002/two-discs.toml")


@pytest.fixture(scope="module")
def found(discs: carom.Machine, measured: dict[str, Any]) -> Any:
    return discs.fit(measured, contact="rims", laws=["hunt-crossley", "hertz"])


def test_a_fit_of_impacts_is_that_of_scipy(found: Any, measured: dict[str, Any]) -> None:
    def residuals(x: np.ndarray) -> np.ndarray:
        after, peak = hunt_crossley(math.exp(x[0]), x[1], x[2])
        return np.concatenate(
            [
                (after - measured["separation_speed [m/s]"]) / measured["sigma(separation_speed) [m/s]"],
                (peak - measured["peak_force [N]"]) / measured["sigma(peak_force) [N]"],
            ]
        )

    twin = least_squares(residuals, [math.log(1e6), 1.5, 0.5], jac="3-point", xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale="jac")
    best = found.law("hunt-crossley")
    assert best.chi_square == pytest.approx(2.0 * twin.cost, rel=TWIN)
    values = found.estimates("hunt-crossley")
    assert math.log(values["stiffness"]) == pytest.approx(twin.x[0], abs=TWIN)
    assert values["exponent"] == pytest.approx(twin.x[1], abs=TWIN)
    assert values["restitution"] == pytest.approx(twin.x[2], abs=TWIN)
    for name, (low, high) in found.intervals("hunt-crossley").items():
        assert 0 < low < values[name] < high < math.inf


def test_the_best_law_comes_first_with_a_block_to_paste(found: Any, discs: carom.Machine) -> None:
    assert found.laws[0].aicc_difference == 0 and found.laws[-1].law == "hertz"
    assert found.laws[-1].aicc_difference > 10
    assert found.verdict and found.verdict in repr(found)
    assert found.law() == found.laws[0] and found.law("hunt-crossley").law == found.laws[0].law
    assert "[contacts.rims]" in found.block
    text = discs.text.split("[contacts.rims]")[0] + found.block
    assert carom.Machine.from_text(text).contacts == ["rims"]
    with pytest.raises(KeyError, match="no law `none`"):
        found.law("none")


def test_columns_tables_and_files_are_the_same_measurements(
    discs: carom.Machine, measured: dict[str, Any], found: Any, tmp_path: Path
) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(measured)
    path = tmp_path / "impacts.csv"
    table.to_csv(path, index=False)
    asked = {"contact": "rims", "laws": ["hunt-crossley", "hertz"], "threads": 1}
    from_table = discs.fit(table, **asked)
    from_file = discs.fit(path, **asked)
    assert from_table == found
    assert from_file.data == str(path) and from_file.laws == found.laws
    command = [sys.executable, "-m", "carom", "fit", discs_path(), str(path), "--law", "hunt-crossley", "--law", "hertz"]
    told = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, timeout=60)
    assert json.loads(told.stdout)["laws"] == from_file.to_dict()["laws"]


def discs_path() -> str:
    return str(Path(__file__).resolve().parents[3] / "models/002/two-discs.toml")


def test_a_fit_keeps_its_page_its_residuals_and_its_table(found: Any, tmp_path: Path) -> None:
    found.save_report(tmp_path / "fit.html")
    assert "<svg" in (tmp_path / "fit.html").read_text()
    assert "<iframe" in found._repr_html_()
    points = found.residuals()
    chi = np.sum(((points["observed"] - points["predicted"]) / points["deviation"]) ** 2)
    assert chi == pytest.approx(found.laws[0].chi_square, rel=1e-9)
    assert sorted(set(points["line"])) == list(range(2, 12))
    pytest.importorskip("pandas")
    assert list(found.to_pandas()["law"]) == [law.law for law in found.laws]
    stored = pickle.loads(pickle.dumps(found))
    assert stored == found and copy.deepcopy(found) == found
    with pytest.raises(ValueError, match="stored has no page"):
        stored.save_report(tmp_path / "again.html")


def test_a_parameter_is_held_and_what_was_not_measured_is_left_out(
    discs: carom.Machine, measured: dict[str, Any]
) -> None:
    some = {**measured, "peak_force [N]": [None, math.nan, *measured["peak_force [N]"][2:]]}
    found = discs.fit(some, laws="hunt-crossley", fix={"exponent": 1.5})
    assert found.measurements == 18
    assert found.estimates()["exponent"] == 1.5 and "exponent" not in found.intervals()


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (3, TypeError, "expected the path of a CSV file"),
        ({}, carom.SimulationError, "there are no columns"),
        ({"peak_force [N]": [1.0], "approach_speed [m/s]": [1, 2]}, carom.SimulationError, "differ in length"),
        ({"peak_force [N]": ["1,2"]}, carom.SimulationError, "has a comma"),
        ({"peak_force [N]": 3.0}, carom.SimulationError, "expected a list or an array"),
        ({"peak_force [N]": [True]}, carom.SimulationError, "row 0: True, expected a number"),
        ({"peak_force [N]": [math.inf]}, carom.SimulationError, "data:2: column 1: `inf` is not a finite number"),
        ({"peak_force [m]": [3.0]}, carom.SimulationError, "data:1"),
        ("no-such-file.csv", FileNotFoundError, "no-such-file"),
    ],
)
def test_bad_measurements_are_refused_by_name(discs: carom.Machine, data: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words.replace("(", r"\(")):
        discs.fit(data)


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"contact": "none"}, carom.UnknownNameError, "none"),
        ({"laws": "none"}, carom.CaromError, "none"),
        ({"level": 2.0}, carom.CaromError, "level"),
        ({"fix": {"colour": 1.0}}, carom.CaromError, "`colour` is no parameter"),
        ({"fix": {"exponent": "x"}}, TypeError, "fix: exponent"),
        ({"speed": "fast"}, carom.CaromError, "speed"),
        ({"threads": 0}, ValueError, "threads"),
    ],
)
def test_bad_requests_are_refused_by_name(
    discs: carom.Machine, measured: dict[str, Any], asked: dict[str, Any], error: Any, words: str
) -> None:
    with pytest.raises(error, match=words):
        discs.fit(measured, **asked)


def test_columns_that_set_values_of_the_file_need_its_state(discs: carom.Machine, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"laws": "hertz", "fix": {"exponent": 1.5}}
    force = {"peak_force [N]": [1e4, 1.1e4, 1e4]}
    fast = discs.with_(v=3.0 * discs.v)
    # The discs approach at 2 m/s in the file.
    assert [case.approach_speed for case in fast.fit(force, **asked).cases] == pytest.approx([6.0] * 3)
    posed = {**force, "parameters.mass_1 [kg]": [2.0, 3.0, 4.0]}
    masses = [case.effective_mass for case in discs.fit(posed, **asked).cases]
    assert masses == pytest.approx([m * 3 / (m + 3) for m in (2.0, 3.0, 4.0)])
    with pytest.raises(carom.StateError, match="column `parameters.mass_1` sets a value of the file"):
        fast.fit(posed, **asked)
