"""Uncertainty, searches, maps and comparisons from Python."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, optimize, stats

import carom

#: Estimates from a sample lie about the exact numbers: so many of their standard errors. Four leave 6e-5 to chance, and the sample is the same
#: every time.
ERRORS = 4.0
#: Of a linear function of few numbers: rounding.
LINEAR = 1e-12

UNCERTAIN = """
[uncertainty]
points = 4096
measures = ["approach_speed"]
[uncertainty.inputs.speed_1]
distribution = "normal"
deviation = 0.1
[uncertainty.inputs.speed_2]
distribution = "uniform"
low = -0.8
high = -0.2
"""


def file(folder: Path, text: str) -> Path:
    discs = Path(__file__).resolve().parents[3] / "models/002/two-discs.toml"
    path = folder / "design.toml"
    path.write_text(f"carom = 1\nmodel = {str(discs)!r}\n" + text)
    return path


@pytest.fixture(scope="module")
def uncertain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return file(tmp_path_factory.mktemp("uncertain"), UNCERTAIN)


def test_the_spread_of_a_linear_function_is_that_of_its_closed_form(uncertain: Path) -> None:
    """The closing speed v₁ − v₂ of a normal v₁ and a uniform v₂."""
    answer = carom.uncertainty(uncertain, threads=2)
    np.testing.assert_allclose(
        answer.values["approach_speed"], answer.inputs["speed_1"] - answer.inputs["speed_2"], rtol=LINEAR
    )
    normal, even = stats.norm(1.5, 0.1), stats.uniform(-0.8, 0.6)

    def below(y: float) -> float:
        return float(integrate.quad(lambda v: normal.cdf(y + v) / 0.6, -0.8, -0.2, epsabs=1e-13)[0])

    def quantile(p: float) -> float:
        return float(optimize.brentq(lambda y: below(y) - p, 0.0, 4.0, xtol=1e-12))

    variances = {"speed_1": normal.var(), "speed_2": even.var()}
    variance = sum(variances.values())
    spread = answer.measure("approach_speed").spread
    exact = {"mean": 2.0, "deviation": variance**0.5, "p5": quantile(0.05), "median": quantile(0.5), "p95": quantile(0.95)}
    for name, number in exact.items():
        estimate = spread[name]
        assert estimate.low < estimate.value < estimate.high
        assert 0 < estimate.error < 0.01
        assert abs(estimate.value - number) < ERRORS * estimate.error, (name, estimate.value, number)
    influences = answer.influences("approach_speed")
    assert list(influences) == ["speed_2", "speed_1"]
    for name, share in influences.items():
        # Slices of a sample give a share within a hundredth or two.
        assert share == pytest.approx(variances[name] / variance, abs=0.02)


def test_a_machine_and_its_file_have_the_same_sample_on_any_number_of_threads(uncertain: Path) -> None:
    one = carom.uncertainty(uncertain, threads=1)
    machine = carom.Machine.open(uncertain)
    for other in (carom.uncertainty(machine, threads=2), machine.uncertainty(threads=3)):
        assert other == one
        assert (other.values["approach_speed"] == one.values["approach_speed"]).all()
    edited = machine.uncertainty(sets={"uncertainty.points": 256})
    assert edited.points == 256 == len(edited.values["approach_speed"])
    moved = machine.with_(q=machine.q + 0.0)
    with pytest.raises(carom.StudyError, match="a state of its own"):
        moved.uncertainty()


def test_an_uncertainty_keeps_its_page_and_its_table(uncertain: Path, tmp_path: Path) -> None:
    answer = carom.uncertainty(uncertain)
    answer.save_report(tmp_path / "page.html")
    assert "<svg" in (tmp_path / "page.html").read_text()
    assert answer.headline in repr(answer)
    pytest.importorskip("pandas")
    table = answer.to_pandas()
    assert list(table) == ["speed_1", "speed_2", "approach_speed"] and len(table) == 4096
    assert table.attrs["units"]["approach_speed"] == "m/s"
    stored = pickle.loads(pickle.dumps(answer))
    assert stored == answer
    with pytest.raises(ValueError, match="ask again"):
        _ = stored.values
    with pytest.raises(KeyError, match="no measure `none`; there is approach_speed"):
        answer.measure("none")


def test_ctrl_c_ends_a_sample(uncertain: Path) -> None:
    machine = carom.Machine.open(uncertain)
    long = {"uncertainty.action": "run", "uncertainty.measures.0": "impacts", "uncertainty.points": 4_000_000}
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        machine.uncertainty(sets=long, threads=1)
    # The whole sample takes minutes.
    assert 0.4 < time.perf_counter() - begun < 20
    assert machine.uncertainty(sets={"uncertainty.points": 64}).points == 64


def test_a_file_without_uncertainty_is_refused(models: Path) -> None:
    with pytest.raises(carom.StudyError, match="uncertainty"):
        carom.uncertainty(models / "002/two-discs.toml")


def test_the_best_design_goes_on_from_its_log(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        """
[study]
minimise = "impact_energy"
[study.variables]
mass_1 = { range = [1, 4] }
mass_2 = { range = [2, 6] }
""",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", carom.CaromWarning)
        first = carom.optimise(path, evaluations=300, folder=tmp_path / "search")
        again = carom.optimise(path, evaluations=300, folder=tmp_path / "search")
    assert first.path[-1] == again.path[-1]
    # m_eff = m₁ m₂/(m₁ + m₂) is least at the least masses, 2/3 kg, and T_c = ½ m_eff (2 m/s)². 1e-6: the search ends there.
    assert first.path[-1].value == pytest.approx(4 / 3, abs=1e-6)
    assert len(first.edges) == 2


def test_a_map_has_an_array_for_each_measure(models: Path) -> None:
    found = carom.measure_map(
        models / "002/two-discs.toml",
        ("parameters.mass_1", "1", "2"),
        ("parameters.mass_2", "1", "3"),
        "effective_mass",
        count=5,
    )
    m1, m2 = np.meshgrid(found.x, found.y)
    assert (found.x[-1], found.y[-1]) == (2.0, 3.0)
    np.testing.assert_allclose(found["effective_mass"], m1 * m2 / (m1 + m2), rtol=LINEAR)


def test_two_designs_are_compared(tmp_path: Path, models: Path) -> None:
    heavy = file(tmp_path, '[parameters]\nmass_1 = "6 kg"\n')
    answer = carom.compare(models / "002/two-discs.toml", heavy)
    ratios = {entry.measure: entry.ratio for entry in answer.measures}
    # 6·3/9 = 2 kg beside 2·3/5 = 1.2 kg.
    assert ratios["effective_mass"] == pytest.approx(2 / 1.2, rel=LINEAR)
    with pytest.raises(carom.StudyError, match="action: `look`, expected one of"):
        carom.compare(heavy, heavy, action="look")
