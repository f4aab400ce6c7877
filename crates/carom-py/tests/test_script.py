"""The script that the package was designed by: every line runs as it stands, and means what it says."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

#: Q, V, q, v and effort are given; `...` in the places of arguments is filled in.
SCRIPT = """
import carom, numpy as np
m = carom.Machine.open("models/000/slider-crank.toml", parameters={"theta": "30 deg"})
a = m.assess("faces");  core = a.effective_mass, a.impact_energy, a.cautions
b = m.assess("faces", q=Q, v=V, threads=4)
many = b.effective_mass, b.W, b.row, b.gradient("effective_mass", by="position")
dynamics = m.mass_matrix(q), m.bias(q, v), m.jacobian("faces", q), m.forward_dynamics(q, v, effort)
r = m.run(until=8, law="exact", tolerance=1e-9, progress=True)
motion = r.impacts, r.contacts, r.trajectory.q, r.to_pandas(), r.to_parquet("run.parquet")
i = m.impact(law="poisson", restitution=0.5);  delivered = carom.law("flores", restitution=0.5).delivered;  laws = carom.laws()
figures = r.plot(), a.plot(), m.draw(), r.animate("hit.gif")
r.save_report("hit.html")
page = r._repr_html_()
"""


@pytest.fixture(scope="module")
def names(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the script leaves behind, and the folder it ran in."""
    folder = tmp_path_factory.mktemp("script")
    (folder / "models").symlink_to(models)
    own = carom.Machine.open(models / "000/slider-crank.toml", parameters={"theta": "30 deg"})
    N = 7
    found: dict[str, Any] = {
        "Q": np.tile(own.q, (N, 1)),
        "V": np.linspace(0, 2, N)[:, None] * own.v,
        "q": own.q,
        "v": own.v,
        "effort": np.zeros(own.nv),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in SCRIPT.strip().splitlines():
            exec(compile(line, "script", "exec"), found)
    yield {**found, "folder": folder}
    import matplotlib.pyplot as plt

    plt.close("all")


def test_the_first_answer_is_that_of_the_paper(names: Any) -> None:
    mass, energy, cautions = names["core"]
    # Nikravesh-Poursina, example 4: 0.8015 kg in four digits; T_c = ½ m_eff u².
    assert abs(mass - 0.8015) < 5e-5 and cautions == []
    assert abs(energy / (0.5 * mass * names["a"].contact_velocity ** 2) - 1) < 1e-12
    assert names["a"].units["impact_energy"] == "J" and names["a"].to_dict()["contacts"]


def test_arrays_come_out_in_their_shapes(names: Any) -> None:
    mass, W, row, slope = names["many"]
    n, nv = names["V"].shape
    assert (mass.shape, W.shape, row.shape, slope.shape) == ((n,), (n, 1, 1), (n, nv), (n, nv))
    assert np.allclose(mass, names["core"][0], rtol=1e-12) and np.allclose(1 / W[:, 0, 0], mass, rtol=1e-12)


def test_the_matrices_are_those_of_one_motion(names: Any) -> None:
    M, h, A, acceleration = names["dynamics"]
    nv = names["v"].size
    assert M.shape == (nv, nv) and np.allclose(M, M.T) and np.linalg.eigvalsh(M).min() > 0
    assert np.allclose(A @ names["v"], names["a"].contact_velocity, rtol=1e-12)
    # M v̇ + h = Dᵀ λ: what is left does no work in a motion that keeps the closures, as v itself does.
    left = M @ acceleration + h
    assert abs(left @ names["v"]) < 1e-12 * np.linalg.norm(left) * np.linalg.norm(names["v"])


def test_the_run_has_its_impact_and_its_files(names: Any) -> None:
    impacts, contacts, q, table, _ = names["motion"]
    assert len(impacts) == 1 and q.shape == (len(names["r"].trajectory), 4)
    # The law `exact` delivers what it is asked for where nothing but the contact changes the speed meanwhile; here other forces do.
    others = abs(impacts[0].speed_change_by_other_forces) / impacts[0].approach_speed
    assert 0 < abs(impacts[0].restitution - 0.5) < others
    assert abs(impacts[0].impact_energy / names["core"][1] - 1) < 1e-9
    # The greatest of the samples, which stand beside the peak.
    peak = np.nanmax(contacts["faces"]["normal_force"])
    assert abs(peak / impacts[0].peak_force - 1) < 1e-3
    assert table.attrs["units"] and table.attrs["inputs"] == names["r"].inputs
    import pyarrow.parquet

    metadata = pyarrow.parquet.read_schema(names["folder"] / "run.parquet").metadata
    assert metadata[b"inputs"].decode() == names["r"].inputs


def test_the_restitution_is_the_one_asked_for_as_the_contact_becomes_stiff(names: Any) -> None:
    """What the machine's own motion adds is proportional to the duration of the contact, up to its square."""
    found = []
    for stiffness in ("1e10 N/m^1.5", "1e12 N/m^1.5"):
        machine = names["m"].with_(sets={"contacts.faces.stiffness": stiffness})
        impact = machine.run(until=8, law="exact", tolerance=1e-11).impacts[0]
        found.append((impact.duration, impact.restitution))
    (long, soft), (short, hard) = found
    assert long / short == pytest.approx(100**0.4, rel=1e-3)  # Hertz: the duration goes with k^(-2/5).
    # The straight line through both meets duration zero at 0.5; its curvature leaves about 2 long short [s²] = 3e-8.
    assert abs(hard - short * (soft - hard) / (long - short) - 0.5) < 1e-7


def test_a_dictionary_has_the_words_of_the_file(names: Any, models: Path) -> None:
    tomllib = pytest.importorskip("tomllib")
    words = tomllib.loads((models / "000/slider-crank.toml").read_text())
    m = carom.Machine.from_dict(words, parameters={"theta": "30 deg"})
    assert m.assess("faces").effective_mass == names["core"][0]
    assert np.array_equal(m.q, names["m"].q) and np.array_equal(m.mass_matrix(m.q), names["dynamics"][0])


def test_the_impact_and_the_laws(names: Any) -> None:
    before, after = names["i"].u_before[0], names["i"].laws[0].u_after[0]
    assert abs(after / -before - 0.5) < 1e-12
    # carom laws flores: less than was asked for (book, chapter on laws).
    assert abs(names["delivered"] - 0.4704) < 5e-5 and len(names["laws"]) >= 20


def test_the_figures_and_pages_are_there(names: Any) -> None:
    from PIL import Image

    with Image.open(names["folder"] / "hit.gif") as picture:
        assert picture.n_frames > 1
    report = (names["folder"] / "hit.html").read_text()
    assert report.startswith("<!doctype html>") and "slider-crank" in report
    assert "<iframe" in names["page"] and len(names["page"]) > len(report)


def test_everything_pickles_compares_and_hashes(names: Any) -> None:
    for name in ("m", "a", "b", "r", "i"):
        value = names[name]
        for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert again == value, name
            assert hash(again) == hash(value), name
    m = names["m"]
    other = m.with_(parameters={"theta": "45 deg"})
    assert other != m and hash(other) != hash(m) and other.input_hash != m.input_hash
    assert other.with_(parameters={"theta": "30 deg"}) == m
    assert len({m, other, copy.copy(m)}) == 2
