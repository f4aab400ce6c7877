"""What is given in another form than it is computed in: converted where NumPy users expect it, refused by name otherwise.

Every refusal is an exception of Python that says what was given and what was wanted; a test per case.
"""

from __future__ import annotations

import math
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import PENDULUM, states

import carom

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")

ONE_Q, ONE_V = np.array([-1.1, -0.4]), np.array([-1.0, -2.0])


# Converted.

#: Forms of the same numbers: each gives the bits of the plain array.
CONVERTED: dict[str, Callable[[np.ndarray], Any]] = {
    "lists": lambda x: x.tolist(),
    "tuples": lambda x: tuple(x.tolist()) if x.ndim == 1 else tuple(map(tuple, x.tolist())),
    "a list of arrays": lambda x: list(x),
    "big-endian": lambda x: x.astype(">f8"),
    "Fortran's order": np.asfortranarray,
    "every second row of a larger array": lambda x: np.repeat(x, 2, axis=0)[::2],
    "a reversed view": lambda x: x[::-1].copy()[::-1],
    "a column of a larger array": lambda x: np.stack([x, x], axis=-1)[..., 0],
    "read-only": lambda x: _locked(x),
    "not aligned": lambda x: _shifted(x),
    "a subclass": lambda x: x.view(np.ma.MaskedArray),
    "a buffer": lambda x: memoryview(np.ascontiguousarray(x)),
    "long doubles": lambda x: x.astype(np.longdouble),
    "broadcast": lambda x: np.broadcast_to(x, (1, *x.shape))[0],
}


def _locked(x: np.ndarray) -> np.ndarray:
    out = x.copy()
    out.flags.writeable = False
    return out


def _shifted(x: np.ndarray) -> np.ndarray:
    raw = np.frombuffer(b"\0" + x.tobytes(), dtype=np.uint8)[1:]
    out = raw.view(np.float64).reshape(x.shape)
    assert not out.flags.aligned
    return out


@pytest.mark.parametrize("form", CONVERTED)
def test_one_state_in_another_form_is_converted(pendulum: carom.Machine, form: str) -> None:
    wanted = pendulum.assess("tip", q=ONE_Q, v=ONE_V)
    make = CONVERTED[form]
    found = pendulum.assess("tip", q=make(ONE_Q), v=make(ONE_V))
    assert isinstance(found, carom.StateAssessment)
    assert found.to_dict() == wanted.to_dict()


@pytest.mark.parametrize("form", CONVERTED)
def test_many_states_in_another_form_are_converted(pendulum: carom.Machine, form: str) -> None:
    q, v = states(pendulum, 7)
    make = CONVERTED[form]
    wanted, found = pendulum.assess("tip", q=q, v=v), pendulum.assess("tip", q=make(q), v=make(v))
    assert isinstance(found, carom.StatesAssessment) and len(found) == 7
    for name, values in wanted.to_dict().items():
        assert found.to_dict()[name].tobytes() == values.tobytes(), name
    assert found.W.tobytes() == wanted.W.tobytes()
    for ask in (pendulum.mass_matrix, lambda x: pendulum.jacobian("tip", x)):
        assert ask(make(q)).tobytes() == ask(q).tobytes()
    for ask in (pendulum.bias, pendulum.forward_dynamics):
        assert ask(make(q), make(v)).tobytes() == ask(q, v).tobytes()


@pytest.mark.parametrize("kind", ["f4", "f2", "i8", "i4", "u1", "i2"])
def test_other_kinds_of_numbers_are_converted_to_64_bit_floats(pendulum: carom.Machine, kind: str) -> None:
    q, v = np.array([1, 2]).astype(kind), np.array([0, 1]).astype(kind)
    found = pendulum.assess("tip", q=q, v=v)
    wanted = pendulum.assess("tip", q=q.astype(float), v=v.astype(float))
    assert found.to_dict() == wanted.to_dict()
    assert pendulum.mass_matrix(q).dtype == np.float64


def test_whole_numbers_in_lists_are_converted(pendulum: carom.Machine) -> None:
    assert pendulum.assess("tip", q=[1, 2], v=[0, 1]).to_dict() == pendulum.assess("tip", q=[1.0, 2.0], v=[0.0, 1.0]).to_dict()


def test_one_velocity_goes_with_many_positions_and_the_reverse(pendulum: carom.Machine) -> None:
    q, v = states(pendulum, 5)
    one = pendulum.assess("tip", q=q, v=v[0])
    assert np.array_equal(one.impact_energy, pendulum.assess("tip", q=q, v=np.tile(v[0], (5, 1))).impact_energy)
    other = pendulum.assess("tip", q=q[0], v=v)
    assert np.array_equal(other.contact_velocity, pendulum.assess("tip", q=np.tile(q[0], (5, 1)), v=v).contact_velocity)
    assert pendulum.forward_dynamics(q, v[0]).shape == (5, 2)
    assert pendulum.forward_dynamics(q[0], v[0], np.zeros((3, 2))).shape == (3, 2)
    assert pendulum.forward_dynamics(q[:1], v[:1]).shape == (1, 2)


def test_input_arrays_are_not_written_to(pendulum: carom.Machine) -> None:
    q, v = states(pendulum, 200)
    before = q.tobytes(), v.tobytes()
    answer = pendulum.assess("tip", q=q, v=v, threads=2)
    answer.gradient(), answer.W, pendulum.mass_matrix(q), pendulum.forward_dynamics(q, v)
    assert (q.tobytes(), v.tobytes()) == before


def test_results_do_not_change_when_the_input_is_overwritten_later(pendulum: carom.Machine) -> None:
    q, v = ONE_Q.copy(), ONE_V.copy()
    one = pendulum.assess("tip", q=q, v=v)
    row = one.row.copy()
    many_q, many_v = states(pendulum, 3)
    many = pendulum.assess("tip", q=many_q, v=many_v)
    W = many.W.copy()
    many = pendulum.assess("tip", q=many_q, v=many_v)
    q[:], many_q[:] = 0.0, 0.0
    assert np.array_equal(one.row, row)
    assert np.array_equal(many.W, W)


# Empty.


def test_an_empty_batch_gives_empty_arrays_of_the_right_shapes(pendulum: carom.Machine) -> None:
    q, v = np.zeros((0, 2)), np.zeros((0, 2))
    found = pendulum.assess("tip", q=q, v=v, threads=4)
    assert len(found) == 0 and repr(found) == "0 states" and found.cautions == {}
    assert all(values.shape == (0,) for values in found.to_dict().values())
    assert (found.W.shape, found.rows.shape, found.row.shape) == ((0, 1, 1), (0, 1, 2), (0, 2))
    assert found.gradient().shape == (0, 2)
    assert found.gradient(by="mass").shape == (0, 2)
    assert found.gradient(by="center").shape == (0, 2, 3)
    assert found.gradient(by="inertia").shape == (0, 2, 6)
    assert pendulum.mass_matrix(q).shape == (0, 2, 2)
    assert pendulum.bias(q, v).shape == (0, 2)
    assert pendulum.forward_dynamics(q, v).shape == (0, 2)
    assert pendulum.jacobian("tip", q).shape == (0, 1, 2)


# Refused.


def refused(ask: Callable[[], Any], kind: type[BaseException], *words: str) -> str:
    """The call raises that exception, and its message has all the words."""
    with pytest.raises(kind) as caught:
        ask()
    text = str(caught.value)
    for word in words:
        assert word in text, text
    return text


SHAPES: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "too short": ([1.0], [0.0, 0.0], ("q", "(1,)", "(2,)")),
    "too long": ([1.0, 2.0, 3.0], [0.0, 0.0], ("q", "(3,)", "(2,)")),
    "v too short": ([1.0, 2.0], [0.0], ("v", "(1,)", "(2,)")),
    "a plain number": (1.0, [0.0, 0.0], ("q", "()", "(2,)")),
    "rows too wide": (np.zeros((3, 3)), np.zeros((3, 2)), ("q", "(3, 3)", "(N, 2)")),
    "transposed": (np.zeros((2, 5)), np.zeros((2, 5)), ("q", "(2, 5)", "(N, 2)")),
    "three axes": (np.zeros((1, 4, 2)), np.zeros((1, 4, 2)), ("q", "(1, 4, 2)", "(N, 2)")),
    "nothing": ([], [], ("q", "(0,)", "(2,)")),
    "different numbers of states": (np.zeros((5, 2)), np.zeros((4, 2)), ("(5, 2)", "(4, 2)")),
    "lists of different lengths": ([[1.0, 2.0], [3.0]], [0.0, 0.0], ("q", "different lengths")),
}


@pytest.mark.parametrize("case", SHAPES)
def test_a_wrong_shape_is_refused_with_what_was_given_and_wanted(pendulum: carom.Machine, case: str) -> None:
    q, v, words = SHAPES[case]
    refused(lambda: pendulum.assess("tip", q=q, v=v), carom.StateError, *words)
    refused(lambda: pendulum.forward_dynamics(q, v), carom.StateError, *words)
    if not case.startswith(("v ", "different numbers")):
        refused(lambda: pendulum.mass_matrix(q), carom.StateError, words[0], words[1])


@pytest.mark.parametrize("length", [1, 3])
def test_arrays_of_one_state_of_the_wrong_length_are_refused(pendulum: carom.Machine, length: int) -> None:
    """Arrays that need no conversion take the short way into the native module."""
    text = refused(lambda: pendulum.assess("tip", q=np.zeros(length), v=np.zeros(2)), carom.StateError, "q")
    assert str(length) in text and "2" in text
    refused(lambda: pendulum.assess("tip", q=np.zeros(2), v=np.zeros(length)), carom.StateError, "v")


KINDS: dict[str, tuple[Any, str]] = {
    "complex": (np.array([1 + 0j, 2]), "complex128"),
    "texts": (["a", "b"], "<U1"),
    "bytes": ([b"a", b"b"], "|S1"),
    "objects": (np.array([None, 1], dtype=object), "object"),
    "booleans": ([True, False], "bool"),
    "dates": (np.array(["2020-01-01"] * 2, dtype="M8[s]"), "datetime64"),
    "records": (np.zeros(2, dtype=[("x", "f8")]), "x"),
    "a dictionary": ({"q": 1}, "object"),
    "a set": ({1.0, 2.0}, "object"),
    "a generator": ((x for x in (1.0, 2.0)), "object"),
}


@pytest.mark.parametrize("case", KINDS)
def test_what_is_not_real_numbers_is_refused_with_its_kind(pendulum: carom.Machine, case: str) -> None:
    given, word = KINDS[case]
    zeros = np.zeros(2)
    refused(lambda: pendulum.assess("tip", q=given, v=zeros), carom.StateError, "q", word, "real numbers")
    refused(lambda: pendulum.assess("tip", q=zeros, v=given), carom.StateError, "v", word, "real numbers")
    refused(lambda: pendulum.mass_matrix(given), carom.StateError, "q", word)
    refused(lambda: pendulum.forward_dynamics(zeros, zeros, given), carom.StateError, "effort", word)
    refused(lambda: pendulum.with_(q=given), carom.StateError, "q", word)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_state_that_is_not_finite_is_marked_in_a_batch_and_leaves_the_others(pendulum: carom.Machine, bad: float) -> None:
    q, v = states(pendulum, 4)
    wanted = pendulum.assess("tip", q=q, v=v)
    for what in (q, v):
        good = what[2, 1]
        what[2, 1] = bad
        with pytest.warns(carom.CaromWarning, match=r"not-evaluated \(1 of 4 states\)"):
            found = pendulum.assess("tip", q=q, v=v)
        what[2, 1] = good
        for name in ("gap", "effective_mass", "kinetic_energy", "impact_energy", "share"):
            values = getattr(found, name)
            assert np.isnan(values[2]), name
            assert np.array_equal(np.delete(values, 2), np.delete(getattr(wanted, name), 2)), name
        assert found.cautions["not-evaluated"].tolist() == [False, False, True, False]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_state_that_is_not_finite_is_refused(pendulum: carom.Machine, bad: float) -> None:
    zeros = np.zeros(2)
    for given in (np.array([0.0, bad]), [0.0, bad]):
        refused(lambda: pendulum.assess("tip", q=given, v=zeros), carom.StateError, "q[1]", "finite")
        refused(lambda: pendulum.assess("tip", q=zeros, v=given), carom.StateError, "v[1]", "finite")


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_matrices_and_moved_machines_refuse_what_is_not_finite(pendulum: carom.Machine, bad: float) -> None:
    zeros, q = np.zeros(2), [0.0, bad]
    for ask in (
        lambda: pendulum.mass_matrix(q),
        lambda: pendulum.mass_matrix([zeros, q]),
        lambda: pendulum.jacobian("tip", q),
        lambda: pendulum.bias(q, zeros),
        lambda: pendulum.with_(q=q),
    ):
        refused(ask, carom.StateError, "q[", "1]", "finite")
    refused(lambda: pendulum.bias(zeros, q), carom.StateError, "v[1]", "finite")
    refused(lambda: pendulum.forward_dynamics(zeros, zeros, q), carom.StateError, "effort[1]", "finite")


def test_a_quaternion_of_zeros_is_no_state() -> None:
    """A rotation of no direction: the state must be marked, not answered with infinite gaps."""
    machine = carom.Machine.from_dict(
        {
            "space": "spatial",
            "gravity": [0, 0, -9.81],
            "bodies": {"ball": {"mass": 1.0, "shape": {"sphere": 0.1}, "contact": {"skin": {"sphere": 0.1}}}},
            "ground": {"contact": {"floor": {"plane": [0, 0, 1]}}},
            "joints": {"free": {"type": "floating", "connects": ["ground", "ball"]}},
            "contacts": {"hit": {"between": ["ball.skin", "ground.floor"]}},
        }
    )
    found = machine.assess("hit", q=[0, 0, 1, 0, 0, 0, 0], v=np.zeros(6))
    assert "not-evaluated" in found.cautions
    assert math.isnan(found.gap)


def test_q_without_v_and_v_without_q_are_refused_by_name(pendulum: carom.Machine) -> None:
    refused(lambda: pendulum.assess("tip", q=ONE_Q), carom.StateError, "v is missing")
    refused(lambda: pendulum.assess("tip", v=ONE_V), carom.StateError, "q is missing")
    refused(lambda: pendulum.bias(ONE_Q), carom.StateError, "together")
    refused(lambda: pendulum.forward_dynamics(v=ONE_V), carom.StateError, "together")


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2", math.nan, [2]])
def test_threads_that_are_no_whole_number_of_at_least_one_are_refused(pendulum: carom.Machine, threads: Any) -> None:
    for q, v in (states(pendulum, 3), (ONE_Q, ONE_V)):
        refused(lambda: pendulum.assess("tip", q=q, v=v, threads=threads), ValueError, "threads", repr(threads))


@pytest.mark.parametrize("threads", [1, np.int64(2), 10**6, 2**70])
def test_any_whole_number_of_threads_gives_the_same_bits(pendulum: carom.Machine, threads: Any) -> None:
    q, v = states(pendulum, 20_000)
    found = pendulum.assess("tip", q=q, v=v, threads=threads)
    assert found.impact_energy.tobytes() == pendulum.assess("tip", q=q, v=v, threads=1).impact_energy.tobytes()


# Names.


def test_an_unknown_contact_is_refused_and_the_nearest_name_offered(pendulum: carom.Machine) -> None:
    q, v = states(pendulum, 3)
    for ask in (
        lambda: pendulum.assess("tipp"),
        lambda: pendulum.assess(["tip", "tipp"]),
        lambda: pendulum.assess("tipp", q=ONE_Q, v=ONE_V),
        lambda: pendulum.assess("tipp", q=q, v=v),
        lambda: pendulum.jacobian("tipp"),
    ):
        refused(ask, carom.UnknownNameError, "contact `tipp`", "did you mean `tip`?")
    refused(lambda: pendulum.assess("tip", locked=["elbo"]), carom.UnknownNameError, "joint `elbo`", "`elbow`")


def test_a_name_alone_may_stand_where_several_may(pendulum: carom.Machine) -> None:
    assert pendulum.assess("tip", locked="elbow") == pendulum.assess(["tip"], locked=["elbow"])


def test_without_a_name_the_only_contact_is_meant_and_several_are_listed(models: Path) -> None:
    machine = carom.Machine.open(models / "two-supports.toml")
    assert len(machine.contacts) > 1
    text = refused(lambda: machine.assess(None, q=machine.q, v=machine.v), carom.UnknownNameError, "which contact?")
    assert all(name in text for name in machine.contacts)


@pytest.mark.parametrize("contact", [3, b"tip", ["tip", 3], 1.5])
def test_a_contact_that_is_no_name_is_refused(pendulum: carom.Machine, contact: Any) -> None:
    refused(lambda: pendulum.assess(contact), TypeError, "contact", "name")
    refused(lambda: pendulum.assess(contact, q=ONE_Q, v=ONE_V), TypeError, "contact", "name")


def test_words_of_gradients_are_refused_with_those_that_are_known(pendulum: carom.Machine) -> None:
    q, v = states(pendulum, 2)
    for answer in (pendulum.assess("tip", q=q, v=v), pendulum.assess("tip", q=ONE_Q, v=ONE_V)):
        refused(lambda: answer.gradient("mass"), ValueError, "`mass`", "`effective_mass`", "`impact_energy`")
        refused(lambda: answer.gradient(by="masses"), ValueError, "`masses`", "`mass`", "`rotor`")


@pytest.mark.parametrize("cone", [-0.1, 2.0, math.nan, math.inf])
def test_a_cone_that_is_no_half_angle_is_refused(pendulum: carom.Machine, cone: float) -> None:
    refused(lambda: pendulum.assess("tip", cone=cone), ValueError, "cone", "rad")


# Runs, impacts and laws.


@pytest.mark.parametrize("until", [-1.0, 0.0, math.nan, math.inf])
def test_a_run_until_no_positive_time_is_refused(pendulum: carom.Machine, until: float) -> None:
    refused(lambda: pendulum.run(until=until), carom.SimulationError, "duration", "positive time [s]")


@pytest.mark.parametrize("until", ["1 s", [1.0], 1j, True])
def test_an_end_that_is_no_number_is_refused(pendulum: carom.Machine, until: Any) -> None:
    refused(lambda: pendulum.run(until=until), TypeError, "until", repr(until), "[s]")


def test_a_run_without_an_end_is_refused(pendulum: carom.Machine) -> None:
    refused(pendulum.run, carom.SimulationError, "duration")


@pytest.mark.parametrize("tolerance", [0.0, -1e-9, 1.0, math.nan])
def test_a_tolerance_out_of_range_is_refused_with_the_range(pendulum: carom.Machine, tolerance: float) -> None:
    refused(lambda: pendulum.run(until=0.1, tolerance=tolerance), carom.SimulationError, "1e-14", "1e-2")


def test_words_of_runs_are_refused_with_those_that_are_known(pendulum: carom.Machine) -> None:
    refused(lambda: pendulum.run(until=0.1, law="florez"), carom.CaromError, "`florez`", "`flores`")
    refused(lambda: pendulum.run(until=0.1, law=3), TypeError, "law", "3", "name")
    refused(lambda: pendulum.run(until=0.1, method="smooth"), ValueError, "`smooth`", "`piecewise`")
    refused(lambda: pendulum.run(until=0.1, method=3), TypeError, "method", "3")
    refused(lambda: pendulum.run(until=0.1, method="piecewise", impact="newtn"), carom.CaromError, "newtn", "`newton`")
    refused(lambda: pendulum.run(until=0.1, samples="some"), ValueError, "samples", "'some'", "'all'")
    refused(lambda: pendulum.run(until=0.1, progress=5), TypeError, "progress", "5", "function")


@pytest.fixture(scope="module")
def struck(models: Path) -> carom.Machine:
    """A machine whose contacts are closed and approach."""
    return carom.Machine.open(models / "impacts/rod.toml")


@pytest.mark.parametrize("restitution", [-0.5, 1.5, math.nan, math.inf])
def test_a_restitution_out_of_range_is_refused(struck: carom.Machine, restitution: float) -> None:
    assert struck.impact(law="newton", restitution=0.5).laws
    refused(lambda: struck.impact(law="newton", restitution=restitution), carom.CaromError, "restitution")
    refused(lambda: carom.law("flores", restitution=restitution), carom.LawError, "restitution")
    refused(
        lambda: struck.with_(sets={f"contacts.{struck.contacts[0]}.restitution": restitution}),
        carom.ModelError,
        "restitution",
    )


def test_words_of_impacts_are_refused_with_those_that_are_known(struck: carom.Machine) -> None:
    refused(lambda: struck.impact(law="newtn"), carom.CaromError, "newtn", "`newton`")
    refused(lambda: struck.impact(law="newton", friction=-1), ValueError, "friction", "-1", "at least 0")
    refused(lambda: struck.impact(law="newton", friction="sticky"), ValueError, "`sticky`", "`stick`")
    refused(lambda: struck.impact(law="generalised", removal="some"), ValueError, "`some`", "`one-pass`")


def test_an_unknown_law_is_refused_and_the_nearest_name_offered() -> None:
    refused(lambda: carom.law("florez"), carom.LawError, "`florez`", "`flores`")
    for name in ("--help", None, 3):
        refused(lambda: carom.law(name), carom.LawError, repr(name))
    refused(lambda: carom.law("flores", restitution="half"), carom.LawError, "half")


# Files and dictionaries.


def test_bad_toml_tells_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("carom = 1\nspace = 'planar'\nfoo =\n")
    with pytest.raises(carom.ModelError) as caught:
        carom.Machine.open(path)
    (fault,) = caught.value.faults
    assert (Path(fault.file), fault.line, fault.column) == (path, 3, 6)
    assert f"{path}:3:6" in str(caught.value)


def test_every_fault_of_a_model_is_told_with_its_key_and_place() -> None:
    text = "carom = 1\nspace = 'planar'\n[bodies.rod]\nmass = -1\ninertia = 'heavy'\n"
    with pytest.raises(carom.ModelError) as caught:
        carom.Machine.from_text(text, name="rod.toml")
    faults = {fault.path: fault for fault in caught.value.faults}
    assert faults["bodies.rod.mass"].line == 4 and faults["bodies.rod.mass"].column == 8
    assert faults["bodies.rod.inertia"].line == 5
    assert all(fault.file == "rod.toml" for fault in faults.values())


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    refused(lambda: carom.Machine.open(tmp_path / "none.toml"), carom.ModelError, "none.toml", "No such file")
    refused(lambda: carom.Machine.open(tmp_path), carom.ModelError, str(tmp_path), "directory")
    refused(lambda: carom.Machine.open(""), carom.ModelError)
    refused(lambda: carom.Machine.open(3), TypeError, "int")


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "image.toml"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    refused(lambda: carom.Machine.open(path), carom.ModelError, "image.toml", "not a text file")
    refused(lambda: carom.Machine.from_text("carom = 1\0"), carom.ModelError, "not a text file")
    refused(lambda: carom.Machine.from_text(b"carom = 1"), TypeError)


def test_a_path_may_be_text_path_or_bytes(models: Path) -> None:
    path = models / "001/two-spheres.toml"
    first = carom.Machine.open(path)
    assert first == carom.Machine.open(str(path)) == carom.Machine.open(bytes(path))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"lenght": 1.0}, ("lenght", "`length`")),
        ({"length": "3 kg"}, ("length", "[kg]")),
        ({"length": math.nan}, ("length", "nan")),
        ({"length": 1j}, ("length", "complex")),
        ({"length": None}, ("length", "NoneType")),
        ({"length": "-1 m"}, ("rod",)),
    ],
)
def test_a_parameter_that_is_unknown_or_no_quantity_is_refused(
    pendulum: carom.Machine, edit: dict[str, Any], words: tuple[str, ...]
) -> None:
    refused(lambda: pendulum.with_(parameters=edit), carom.ModelError, *words)


def test_edits_must_be_dictionaries(pendulum: carom.Machine) -> None:
    refused(lambda: pendulum.with_(parameters=[1]), TypeError, "parameters", "list", "dictionary")
    refused(lambda: pendulum.with_(sets="bodies.upper.mass=3"), TypeError, "sets", "str", "dictionary")


def test_edits_may_be_numbers_and_arrays_of_numpy(pendulum: carom.Machine) -> None:
    plain = pendulum.with_(sets={"gravity": "[0, -1]", "bodies.upper.mass": 3})
    assert plain == pendulum.with_(sets={"gravity": np.array([0.0, -1.0]), "bodies.upper.mass": np.float32(3)})
    assert plain == pendulum.with_(sets={"gravity": [np.float64(0), np.int8(-1)], "bodies.upper.mass": np.int64(3)})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"space": None}, ("space", "NoneType")),
        ({3: 1}, ("key", "3")),
        ({**PENDULUM, "gravity": [0, math.nan]}, ("gravity", "nan")),
        ({**PENDULUM, "gravity": [0, 1j]}, ("gravity", "complex")),
        ({**PENDULUM, "gravity": [0, 0, 1]}, ("gravity", "3", "2")),
        ({**PENDULUM, "gravty": [0, 0]}, ("gravty", "gravity")),
        ({}, ("space",)),
    ],
)
def test_a_dictionary_that_is_no_model_is_refused_with_the_key(data: Any, words: tuple[str, ...]) -> None:
    text = refused(lambda: carom.Machine.from_dict(data), carom.ModelError, *words)
    assert text.strip()


@pytest.mark.parametrize("data", [[1], None, "carom = 1", 3])
def test_what_is_no_dictionary_is_refused(data: Any) -> None:
    refused(lambda: carom.Machine.from_dict(data), TypeError)


def test_a_machine_is_not_made_by_its_constructor() -> None:
    refused(lambda: carom.Machine(3), TypeError, "Machine.open")
    refused(lambda: carom.Machine(), TypeError)


# Pickles and copies.


def test_a_machine_moved_and_edited_is_pickled_with_its_state(pendulum: carom.Machine) -> None:
    machine = pendulum.with_(parameters={"length": "0.7 m"}, sets={"bodies.lower.mass": 4}).with_(q=[0.1, 0.2], v=[3, 4])
    again = pickle.loads(pickle.dumps(machine))
    assert again == machine and hash(again) == hash(machine) and again != pendulum
    assert again.q.tolist() == [0.1, 0.2] and again.v.tolist() == [3.0, 4.0]
    assert again.assess("tip") == machine.assess("tip")
    assert deepcopy(machine) == copy(machine) == machine


def test_a_file_that_completes_another_is_pickled_without_its_folder(models: Path, monkeypatch: Any, tmp_path: Path) -> None:
    machine = carom.Machine.open(models / "studies/002-fig-04.toml")
    data = pickle.dumps(machine)
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(data) == machine


def test_answers_are_pickled(pendulum: carom.Machine, struck: carom.Machine) -> None:
    q, v = states(pendulum, 3)
    whole, impact = pendulum.assess("tip"), struck.impact(law="newton")
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert pickle.loads(pickle.dumps(impact)) == impact
    one, many = pendulum.assess("tip", q=ONE_Q, v=ONE_V), pendulum.assess("tip", q=q, v=v)
    assert pickle.loads(pickle.dumps(one)).to_dict() == one.to_dict()
    assert deepcopy(one).to_dict() == one.to_dict()
    again = pickle.loads(pickle.dumps(many))
    assert again.W.tobytes() == many.W.tobytes() and np.array_equal(again.impact_energy, many.impact_energy)
    assert pickle.loads(pickle.dumps(whole.cautions)) == whole.cautions
    law = carom.law("flores", restitution=0.5)
    assert pickle.loads(pickle.dumps(law)).delivered == law.delivered


def test_answers_are_equal_when_their_inputs_are(pendulum: carom.Machine) -> None:
    q, v = states(pendulum, 3)

    def answers(machine: carom.Machine, last: float) -> list[Any]:
        moved = v.copy()
        moved[-1, -1] = last
        run = machine.run(until=0.01 * (1 + last))
        study = carom.Study(machine, ["length"], ["effective_mass"], points=[[0.4], [0.5 + 0.01 * last]])
        whole = [machine.assess("tip", q=q, v=moved), machine.assess("tip", q=q[0], v=moved[-1]), study.run(threads=1)]
        return [*whole, run, run[0], run.trajectory, run.trajectory.energies]

    first, again, other = answers(pendulum, 0.5), answers(pendulum, 0.5), answers(pendulum, 0.7)
    for one, same, different in zip(first, again, other, strict=True):
        kind = type(one).__name__
        assert one == same == pickle.loads(pickle.dumps(one)) == deepcopy(one), kind
        assert one != different and one != 3, kind
        if type(one).__hash__ is not None:
            assert hash(one) == hash(same), kind
    low = pendulum.with_(sets={"ground.contact.floor.at.1": -0.95})
    one, same = low.run(until=0.3).contacts["tip"], low.run(until=0.3).contacts["tip"]
    other_law = low.with_(sets={"contacts.tip.restitution": 0.6}).run(until=0.3).contacts["tip"]
    assert one == same and one == pickle.loads(pickle.dumps(one))
    assert one != other_law


def test_a_force_law_implies_its_method(models: Path) -> None:
    rigid = carom.Machine.open(models / "002/double-pendulum.toml", sets={"simulation.contact": "piecewise"})
    soft = rigid.run(law="exact")
    assert soft.impacts[0].peak_force == rigid.run(law="exact", method="continuous").impacts[0].peak_force > 0
    with pytest.raises(ValueError, match="'exact' is a force law"):
        rigid.run(law="exact", method="piecewise")


def test_errors_are_pickled_with_their_faults() -> None:
    with pytest.raises(carom.ModelError) as caught:
        carom.Machine.from_text("carom = 1\nspace = 'planar'\nfoo =\n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.faults) == (carom.ModelError, str(caught.value), caught.value.faults)
    for name in ("UnknownNameError", "StateError", "LawError", "SimulationError", "StudyError", "VersionError"):
        error = getattr(carom, name)("what happened", [("file", 1, 2, "key", "message")])
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and again.faults == error.faults and isinstance(again, carom.CaromError)
    stopped = pickle.loads(pickle.dumps(carom.RunInterrupted("interrupted at t = 1 s")))
    assert isinstance(stopped, KeyboardInterrupt) and str(stopped) == "interrupted at t = 1 s"


def test_a_run_is_pickled_with_its_columns_and_its_page(struck: carom.Machine) -> None:
    run = struck.run(until=0.01)
    again = pickle.loads(pickle.dumps(run))
    assert repr(again) == repr(run) and again.machine == struck
    assert np.array_equal(again.trajectory.q, run.trajectory.q)
    assert again.contacts.keys() == run.contacts.keys()
    # The page is drawn from the engine's own record: the stored run is run again, to the same bits.
    assert again._repr_html_() == run._repr_html_()



# Several threads.


def test_one_machine_is_used_by_many_threads_at_once(pendulum: carom.Machine) -> None:
    q, v = states(pendulum, 2000)
    wanted = pendulum.assess("tip", q=q, v=v)
    singles = [pendulum.assess("tip", q=q[k], v=v[k]).impact_energy for k in range(100)]
    M, run = pendulum.mass_matrix(q), pendulum.run(until=0.05).trajectory.q
    failures: list[BaseException] = []
    gate = threading.Barrier(8)

    def work(number: int) -> None:
        try:
            gate.wait()
            for _ in range(5):
                found = pendulum.assess("tip", q=q, v=v, threads=1 + number % 3)
                assert found.impact_energy.tobytes() == wanted.impact_energy.tobytes()
                assert [pendulum.assess("tip", q=q[k], v=v[k]).impact_energy for k in range(100)] == singles
                assert pendulum.mass_matrix(q).tobytes() == M.tobytes()
                assert pendulum.run(until=0.05).trajectory.q.tobytes() == run.tobytes()
                with pytest.raises(carom.UnknownNameError):
                    pendulum.assess("tipp", q=q, v=v)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "threads wait for each other"
    assert not failures, failures[0]


#: Threads that raise while others ask, with the interpreter changing hands as often as it can.
CROWD = """
import sys, threading
import numpy as np
import carom
sys.path.insert(0, sys.argv[1])
from conftest import PENDULUM
machine = carom.Machine.from_dict(PENDULUM)
q, v, short, done = np.zeros(2), np.zeros(2), np.zeros(1), []
def work():
    for _ in range(300):
        for contact, given in (("tipp", q), ("tip", short), ("tip", q)):
            try:
                machine.assess(contact, q=given, v=v)
            except carom.CaromError:
                done.append(1)
sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=work) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(done))
"""


def test_errors_raised_in_many_threads_at_once_do_not_lock_each_other_out() -> None:
    """An exception is made by Python code, which may hand the interpreter to a thread that waits for the machine.

    In a process of its own: where that happens, nothing in the process goes on. It takes 0.1 s.
    """
    command = [sys.executable, "-c", CROWD, str(Path(__file__).parent)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert found.stdout.strip() == str(4 * 300 * 2), found.stderr


# What people see.


def test_units_of_an_angular_stop_are_those_of_rotation() -> None:
    machine = carom.Machine.from_dict(
        {
            "space": "planar",
            "gravity": [0, 0],
            "bodies": {"door": {"mass": 1.0, "shape": {"rod": 1.0}}},
            "joints": {"hinge": {"type": "revolute", "connects": ["ground", "door"], "velocity": -1.0}},
            "contacts": {"stop": {"joint": "hinge", "lower": 0, "restitution": 0.5}},
        }
    )
    one, many = machine.assess("stop", q=[0.0], v=[-1.0]), machine.assess("stop", q=[[0.0]], v=[[-1.0]])
    for answer in (machine.assess("stop"), one, many):
        assert answer.units["effective_mass"] == "kg m²"
        assert answer.units["contact_velocity"] == "rad/s"
        assert answer.units["gap"] == "rad"
    assert one.units == many.units and one.units["W"] == "1/(kg m²)"
    assert re.search(r"m_eff = [\d.]+ kg m²,.*u = -1\.0+ rad/s, gap = 0\.0+ rad", repr(one))
