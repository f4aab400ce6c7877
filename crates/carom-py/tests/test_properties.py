"""What must hold for any machine and any state, looked for by hypothesis."""

from __future__ import annotations

import copy
import pickle
import tomllib
from typing import Any

import numpy as np
import pytest
from conftest import PENDULUM
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from trees import grow, model

import carom
from carom._toml import to_toml

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")
#: Machines are opened anew for each example: some milliseconds.
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

MACHINE = carom.Machine.from_dict(PENDULUM)
ARM = carom.Machine.from_dict({**model(grow(6)), "contacts": {}})

angles = st.floats(-10, 10, allow_nan=False)
#: No speeds below 1e-9: energies of 1e-600 J are no numbers of 64 bits, and `assess` says so.
rates = st.floats(-100, 100, allow_nan=False).map(lambda x: round(x, 9))
lengths = st.floats(0.01, 100, allow_nan=False)
masses = st.floats(1e-3, 1e3, allow_nan=False)


@QUICK
@given(length=lengths, upper=masses, lower=masses, slope=angles)
def test_edits_at_once_are_edits_one_by_one_and_the_file_with_them(
    length: float, upper: float, lower: float, slope: float
) -> None:
    edits = {"bodies.upper.mass": upper, "bodies.lower.mass": lower, "joints.elbow.position": slope}
    at_once = MACHINE.with_(parameters={"length": length}, sets=edits)
    step = MACHINE.with_(parameters={"length": length})
    for path, value in edits.items():
        step = step.with_(sets={path: value})
    written = copy.deepcopy(PENDULUM)
    written["parameters"]["length"] = length
    written["bodies"]["upper"]["mass"], written["bodies"]["lower"]["mass"] = upper, lower
    written["joints"]["elbow"]["position"] = slope
    direct = carom.Machine.from_dict(written)
    assert at_once == step
    answers = [m.assess("tip").contacts for m in (at_once, step, direct)]
    assert answers[0] == answers[1] == answers[2]
    assert at_once.q[1] == slope
    # It is another machine, and the first is as it was.
    assert MACHINE == carom.Machine.from_dict(PENDULUM)


@QUICK
@given(q=hnp.arrays(np.float64, 2, elements=angles), v=hnp.arrays(np.float64, 2, elements=rates), length=lengths)
def test_a_pickled_machine_is_the_same_machine_at_the_same_state(q: np.ndarray, v: np.ndarray, length: float) -> None:
    machine = MACHINE.with_(parameters={"length": length}).with_(q=q, v=v)
    again = pickle.loads(pickle.dumps(machine))
    assert again == machine and hash(again) == hash(machine) and again.input_hash == machine.input_hash
    assert again.q.tobytes() == q.tobytes() and again.v.tobytes() == v.tobytes()
    assert again.assess("tip") == machine.assess("tip")
    assert (again.with_(q=q + 1, v=v) == machine) == bool(np.array_equal(q + 1, q))


@QUICK
@given(seed=st.integers(200, 5000))
def test_a_machine_made_of_a_dictionary_is_that_of_its_text(seed: int) -> None:
    data = model(grow(seed))
    machine = carom.Machine.from_dict(data)
    assert machine == carom.Machine.from_text(machine.text)
    assert machine == carom.Machine.from_dict(tomllib.loads(machine.text))
    assert machine == pickle.loads(pickle.dumps(machine))
    assert machine == machine.with_() == machine.with_(q=machine.q, v=machine.v)


plain = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8"), max_size=20),
)
tables = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(data=st.dictionaries(st.text(max_size=8), tables, max_size=6))
def test_any_dictionary_is_written_as_toml_that_reads_back_as_it_was(data: dict[str, Any]) -> None:
    assert tomllib.loads(to_toml(data)) == data


@settings(max_examples=200, deadline=None)
@given(
    q=hnp.arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=angles),
    data=st.data(),
)
def test_the_assessment_is_the_formula_of_mass_matrix_and_rows(q: np.ndarray, data: st.DataObject) -> None:
    """m_eff = 1 / (A M⁻¹ Aᵀ), u = A v, T = ½ vᵀ M v, T_c = ½ m_eff u² while closing.

    Tolerance: M is some 10 of condition 100, so both sides are exact to 1e-13; 1e-10 leaves room near W = 0.
    """
    v = data.draw(hnp.arrays(np.float64, q.shape, elements=rates))
    found = MACHINE.assess("tip", q=q, v=v)
    M, A = MACHINE.mass_matrix(q), MACHINE.jacobian("tip", q)
    W = A @ np.linalg.solve(M, A.transpose(0, 2, 1))
    u = np.einsum("nki,ni->nk", A, v)[:, 0]
    T = np.einsum("ni,nij,nj->n", v, M, v) / 2
    # Of a stretched arm along the normal W is zero but for round-off: m_eff is then inf, or beyond measure.
    largest = np.abs(np.linalg.inv(M)).max(axis=(1, 2)) * 0.5
    clear = W[:, 0, 0] > 1e-6 * largest
    # Speeds lose digits where they cancel: compared in parts of their summands.
    speeds = np.abs(A[:, 0]).max(axis=1) * np.abs(v).max(axis=1) + 1e-300
    assert np.allclose(found.W, W, rtol=1e-10, atol=1e-12 * largest.max())
    assert np.all(np.abs(found.contact_velocity - u) <= 1e-13 * speeds)
    assert np.allclose(found.kinetic_energy, T, rtol=1e-12, atol=1e-300)
    assert np.allclose(found.effective_mass[clear], 1 / W[clear, 0, 0], rtol=1e-9)
    T_c = np.where(u < 0, u**2 / (2 * np.where(clear, W[:, 0, 0], 1.0)), 0.0)
    sure = clear & (np.abs(u) > 1e-9 * speeds)
    assert np.allclose(found.impact_energy[sure], T_c[sure], rtol=1e-8)
    assert np.all(found.impact_energy[sure] <= found.kinetic_energy[sure] * (1 + 1e-9)), "T_c is a part of T"


@settings(max_examples=100, deadline=None)
@given(q=hnp.arrays(np.float64, 2, elements=angles), v=hnp.arrays(np.float64, 2, elements=rates), k=st.integers(0, 1))
def test_gradients_are_the_slopes_of_the_effective_mass(q: np.ndarray, v: np.ndarray, k: int) -> None:
    """Central differences with a step of 1e-5 err by 1e-10 of the third derivative and 1e-11 of m_eff."""
    h = 1e-5 * np.eye(2)[k]
    around = MACHINE.assess("tip", q=np.array([q - h, q, q + h]), v=np.tile(v, (3, 1)))
    if np.abs(around.row).max() < 0.05 or around.effective_mass[1] > 20:
        return  # Near a stretched arm m_eff has a pole, whose third derivative is beyond differences.
    slope = (around.effective_mass[2] - around.effective_mass[0]) / 2e-5
    assert around.gradient()[1, k] == pytest.approx(slope, rel=1e-5, abs=1e-5 * around.effective_mass[1])


@settings(max_examples=100, deadline=None)
@given(effort=hnp.arrays(np.float64, ARM.nv, elements=rates), v=hnp.arrays(np.float64, ARM.nv, elements=st.floats(-5, 5)))
def test_accelerations_satisfy_the_equation_of_motion(effort: np.ndarray, v: np.ndarray) -> None:
    """M v̇ + h = effort, in parts of its largest term."""
    a = ARM.forward_dynamics(ARM.q, v, effort)
    M, h = ARM.mass_matrix(ARM.q), ARM.bias(ARM.q, v)
    scale = max(np.abs(effort).max(), np.abs(h).max(), (np.abs(M) @ np.abs(a)).max())
    assert np.abs(M @ a + h - effort).max() <= 1e-11 * scale
