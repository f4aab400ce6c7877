"""Types, stubs, examples and units: what is written about the package is what it does."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typed_example
from conftest import states

import carom
from carom import _carom

PROJECT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")


def mypy(*arguments: str, cwd: Path) -> str:
    """What mypy complains of; the sources of the package are those of the repository, the module is the installed one."""
    command = [sys.executable, "-m", *arguments]
    environment = {**os.environ, "MYPYPATH": str(PROJECT / "python")}
    found = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=300)
    return "" if found.returncode == 0 else found.stdout + found.stderr


def test_the_stubs_are_those_of_the_native_module(tmp_path: Path) -> None:
    config = ["--mypy-config-file", str(PROJECT / "pyproject.toml")]
    assert mypy("mypy.stubtest", "carom._carom", *config, cwd=tmp_path) == ""


def test_the_package_and_the_examples_pass_mypy_strict() -> None:
    config = ["--strict", "--config-file", "pyproject.toml"]
    example = str(Path(typed_example.__file__))
    assert mypy("mypy", *config, "python/carom", example, cwd=PROJECT) == ""


def test_mypy_finds_a_wrong_call(tmp_path: Path) -> None:
    """The check above would pass for a package without types, too."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import carom\nm = carom.Machine.open(3)\nx: str = m.mass_matrix()\nm.asses('faces')\n")
    found = mypy("mypy", "--strict", str(wrong), cwd=PROJECT)
    for line in (2, 3, 4):
        assert f"wrong.py:{line}: error" in found, found


def test_the_examples_run(models: Path, pendulum: carom.Machine, tmp_path: Path) -> None:
    mass, energy = typed_example.one_answer(models)
    assert mass == pytest.approx(0.801475121638498, rel=1e-12)
    assert energy == pytest.approx(0.8393156438348175, rel=1e-12)
    q, v = states(pendulum, 4)
    assert typed_example.many_states(pendulum, q, v).shape == (4,)
    assert np.abs(typed_example.dynamics(pendulum, q[0], v[0])).max() < 1e-12
    low = pendulum.with_(sets={"ground.contact.floor.at.1": -0.95})
    assert typed_example.motion(low, tmp_path) >= 1
    assert (tmp_path / "motion.parquet").stat().st_size > 0 and (tmp_path / "hit.html").stat().st_size > 0
    assert 0.4 < typed_example.laws() < 0.5
    (fault,) = typed_example.errors()
    assert (fault.line, fault.path) == (2, "space")
    assert typed_example.studied(models).shape == (3,)
    assert typed_example.near_a_person(models, np.zeros((5, 6))).shape == (5,)


def test_every_public_name_and_method_has_a_docstring() -> None:
    missing = []
    for name in carom.__all__:
        item = getattr(carom, name)
        if inspect.isclass(item) or inspect.isfunction(item) or inspect.isbuiltin(item):
            if not inspect.getdoc(item):
                missing.append(name)
        if inspect.isclass(item):
            for member, value in vars(item).items():
                documented = callable(value) or isinstance(value, (property, classmethod, staticmethod))
                if documented and not member.startswith("_") and not inspect.getdoc(getattr(item, member)):
                    missing.append(f"{name}.{member}")
    assert not missing


# Units.

UNIT = re.compile(r"\[([^\]]*)\]")


def documented_units() -> dict[str, dict[str, list[str]]]:
    """Quantity to class to the units that its docstring has in brackets, the first one before a comma."""
    found: dict[str, dict[str, list[str]]] = {}
    for owner in (carom.AssessAnswer, carom.StateAssessment):
        for name, value in vars(owner).items():
            if isinstance(value, property) or inspect.isgetsetdescriptor(value):
                units = UNIT.findall(inspect.getdoc(value) or "")
                if units:
                    found.setdefault(name, {})[owner.__name__] = re.split(", or | or ", units[0])
    # Attributes of batches are documented by comments in front of them.
    source = inspect.getsource(carom.StatesAssessment)
    for comment, name in re.findall(r"#: ([^\n]*)\n    (\w+):", source):
        units = UNIT.findall(comment)
        if units:
            found.setdefault(name, {})["StatesAssessment"] = re.split(", or | or ", units[0])
    return found


def same(unit: str) -> str:
    return unit.replace("^2", "²").split(" of ")[0].strip()


def test_units_in_docstrings_are_those_of_the_table_of_units() -> None:
    documented = documented_units()
    names = {"effective_mass", "kinetic_energy", "impact_energy", "gap", "contact_velocity"}
    assert names <= set(documented), documented
    compared = 0
    for name, owners in documented.items():
        known = carom.UNITS.get(name)
        for owner, units in owners.items():
            if known is None:
                continue
            table = [same(unit) for unit in known.split(" or ")]
            assert [same(unit) for unit in units if same(unit)][0] == table[0], (owner, name, units, known)
            assert set(map(same, units)) <= {*table}, (owner, name, units, known)
            compared += 1
    assert compared >= 6


def test_units_of_answers_are_those_of_the_docstrings(pendulum: carom.Machine) -> None:
    q, v = states(pendulum, 2)
    documented = documented_units()
    answers: list[Any] = [
        pendulum.assess("tip"),
        pendulum.assess("tip", q=q[0], v=v[0]),
        pendulum.assess("tip", q=q, v=v),
    ]
    for answer in answers:
        for name, unit in answer.units.items():
            if name in documented and type(answer).__name__ in documented[name]:
                assert same(documented[name][type(answer).__name__][0]) == unit, (type(answer).__name__, name)
            # The answer of `check` calls the residual in its own unit by this name; that of states is divided by its size.
            if name in carom.UNITS and name != "closure_gap":
                assert unit in [same(u) for u in carom.UNITS[name].split(" or ")], (name, unit)
    assert answers[1].units == answers[2].units


def test_columns_of_runs_have_the_units_that_names_of_coordinates_have(pendulum: carom.Machine) -> None:
    run = pendulum.run(until=0.01)
    headings = [f"{name} [{unit}]" for name, unit in run.units.items()]
    assert set(pendulum.coordinates) | set(pendulum.velocities) <= set(headings)
    assert run.units["t"] == "s"
    table = run.to_pandas()
    assert table.attrs["units"] == run.units and table.attrs["inputs"] == run.inputs


def test_parquet_has_units_and_the_hash_of_the_input(pendulum: carom.Machine, tmp_path: Path) -> None:
    import pyarrow.parquet

    run = pendulum.run(until=0.01)
    run.to_parquet(tmp_path / "run.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "run.parquet")
    assert table.schema.metadata[b"inputs"].decode() == run.inputs
    assert {field.name: (field.metadata or {}).get(b"unit", b"").decode() for field in table.schema if field.name != "event"} == run.units
    assert np.array_equal(table["t"].to_numpy(), run.trajectory.t)


def test_the_names_of_all_cautions_are_known() -> None:
    assert _carom.caution_names(0) == []
    names = [name for k in range(64) for name in _carom.caution_names(1 << k)]
    assert len(names) == len(set(names)) and "not-evaluated" in names


def test_answers_are_those_of_the_command(models: Path) -> None:
    path = models / "000/slider-crank.toml"
    command = [sys.executable, "-m", "carom", "assess", str(path), "--format", "json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60).stdout)
    found = carom.Machine.open(path).assess(cone=np.deg2rad(15.0), rivals=True).to_dict()
    for ours, theirs in zip(found["contacts"], told["contacts"], strict=True):
        assert ours["energies"] == theirs["energies"] and ours["sentence"] == theirs["sentence"]
        assert [row["effective_mass"] for row in ours["rows"]] == [row["effective_mass"] for row in theirs["rows"]]
