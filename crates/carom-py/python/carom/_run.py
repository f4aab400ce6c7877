"""Runs: the motion over time with all its impacts, as arrays."""

from __future__ import annotations

import json
import operator
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _carom
from ._answer import Answer, Caution, VerbAnswer, warn
from ._errors import RunInterrupted, SimulationError
from ._states import Floats

if TYPE_CHECKING:
    from ._machine import Machine


class Table(Mapping[str, Floats]):
    """Columns over time: by name as arrays, or all together as :attr:`values` (n, columns)."""

    def __init__(self, heads: Sequence[tuple[str, str]], values: Floats) -> None:
        self._at = {name: k for k, (name, _) in enumerate(heads)}
        #: Names of the columns.
        self.names: list[str] = [name for name, _ in heads]
        #: SI units by name; empty for a plain number.
        self.units: dict[str, str] = dict(heads)
        #: All columns, (n, columns).
        self.values_array: Floats = values

    def __getitem__(self, name: str) -> Floats:
        try:
            return self.values_array[:, self._at[name]]
        except KeyError:
            raise KeyError(f"no column `{name}`; there is {', '.join(self.names)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values_array, dtype=dtype, copy=bool(copy) or None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        same = self.units == other.units and self.names == other.names
        return same and np.array_equal(self.values_array, other.values_array, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{len(self.values_array)} moments of {', '.join(self.names)}"


class Trajectory:
    """The motion over time: one entry per moment in every array."""

    def __init__(self, columns: dict[str, Any]) -> None:
        #: The moments [s]: even in time, at all events, and inside impacts.
        self.t: Floats = columns["t"]
        #: Whether an event lies there.
        self.event: NDArray[np.bool_] = columns["event"]
        self._tables = {name: Table(*columns[name]) for name in columns if name not in ("t", "event")}

    @property
    def q(self) -> Floats:
        """Positions, (n, nq) [m or rad]."""
        return self._tables["q"].values_array

    @property
    def v(self) -> Floats:
        """Velocities, (n, nv) [m/s or rad/s]."""
        return self._tables["v"].values_array

    @property
    def energies(self) -> Table:
        """Where the energy is and went [J], by name."""
        return self._tables["energies"]

    @property
    def impact_energies(self) -> Table:
        """T_c of each contact point, and T_a = T − T_c [J]."""
        return self._tables["impact_energies"]

    @property
    def poses(self) -> Table:
        """Poses of the bodies' own frames, if asked for."""
        return self._tables["poses"]

    @property
    def reactions(self) -> Table:
        """Force and moment of each joint and closure in world axes, if asked for."""
        return self._tables["reactions"]

    def columns(self) -> dict[str, tuple[str, Floats]]:
        """Every column with its unit, by the heading that CSV files have."""
        out: dict[str, tuple[str, Floats]] = {"t": ("s", self.t)}
        for table in self._tables.values():
            for name in table:
                out[name] = (table.units[name], table[name])
        return out

    def __len__(self) -> int:
        return len(self.t)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trajectory):
            return NotImplemented
        same = np.array_equal(self.t, other.t) and np.array_equal(self.event, other.event)
        return same and self._tables == other._tables

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        end = f"{self.t[0]:.6g} … {self.t[-1]:.6g} s" if len(self.t) else "empty"
        return f"{len(self)} moments, {end}, q {self.q.shape}, v {self.v.shape}"


class ContactHistory(Table):
    """A contact point while it touches: gap, force, slip and more over its own moments :attr:`t`."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(*data["columns"])
        #: The name of the point: that of the contact, with a number where it has several.
        self.name: str = data["name"]
        #: The contact.
        self.contact: str = data["contact"]
        #: Which of its points, from 1.
        self.point: int = data["point"]
        #: The moments [s].
        self.t: Floats = data["t"]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContactHistory):
            return NotImplemented
        return self.name == other.name and np.array_equal(self.t, other.t) and super().__eq__(other)

    __hash__ = None


class _Source:
    """Where the columns of runs come from: the engine that ran, or, of runs that were stored, what was kept of them."""

    def __init__(self, machine: Machine, asked: _carom._Wanted, native: _carom.Run | None = None) -> None:
        self.machine = machine
        self.asked = asked
        self._native = native
        self._kept: dict[tuple[str, int], Any] = {}

    def key(self) -> tuple[Any, ...]:
        """What a run follows from: the same machine and the same questions give the same bits."""
        return (self.machine, json.dumps(self.asked))

    def native(self) -> _carom.Run:
        """The engine's own; stored runs are run again, to the same bits."""
        if self._native is None:
            self._native = self.machine._native.run(self.asked, None)
        return self._native

    def columns(self, index: int) -> dict[str, Any]:
        if ("columns", index) not in self._kept:
            self._kept["columns", index] = self.native().columns(index)
        columns: dict[str, Any] = self._kept["columns", index]
        return columns

    def contacts(self, index: int) -> list[dict[str, Any]]:
        if ("contacts", index) not in self._kept:
            self._kept["contacts", index] = self.native().contacts(index)
        contacts: list[dict[str, Any]] = self._kept["contacts", index]
        return contacts

    def __getstate__(self) -> dict[str, Any]:
        for index in range(len(self.native())):
            self.columns(index)
            self.contacts(index)
        return {"machine": self.machine, "asked": self.asked, "_native": None, "_kept": self._kept}


class RunUnderLaw:
    """One run under one choice of laws."""

    def __init__(self, source: _Source, index: int, data: dict[str, Any]) -> None:
        self._source = source
        self._index = index
        self._data = data
        self._trajectory: Trajectory | None = None
        self._contacts: dict[str, ContactHistory] | None = None

    @property
    def law(self) -> str | None:
        """The law asked for instead of the file's."""
        law: str | None = self._data["law"]
        return law

    @property
    def result(self) -> Answer:
        """Everything but the columns: counts, ledger, stays, events, last state."""
        return Answer(self._data)

    @property
    def impacts(self) -> list[Answer]:
        """The impacts, by onset."""
        return [Answer(entry) for entry in self._data["impacts"]]

    @property
    def events(self) -> list[Answer]:
        """Events of contacts and of the file, in the order of time."""
        return [Answer(entry) for entry in self._data["events"]]

    @property
    def stopped(self) -> str | None:
        """Why it stopped before its end."""
        reason: str | None = self._data["stopped"]
        return reason

    @property
    def inputs(self) -> str:
        """A hash of everything that went in, the duration apart."""
        return str(self._data["inputs"])

    @property
    def trajectory(self) -> Trajectory:
        """The motion over time."""
        if self._trajectory is None:
            self._trajectory = Trajectory(self._source.columns(self._index))
        return self._trajectory

    @property
    def contacts(self) -> dict[str, ContactHistory]:
        """Every contact point while it touches, by name."""
        if self._contacts is None:
            found = self._source.contacts(self._index)
            self._contacts = {data["name"]: ContactHistory(data) for data in found}
        return self._contacts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunUnderLaw) and self._key() == other._key() and self._data == other._data

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (*self._source.key(), self._index)

    def __repr__(self) -> str:
        n = len(self.impacts)
        lines = [f"{n} impact{'' if n == 1 else 's'} until t = {self._data['state']['t']:.6g} s"]
        for impact in self.impacts[:8]:
            data = impact._data
            peak = data.get("peak_force")
            told = "" if peak is None else f", peak force {peak:.6g} N"
            lines.append(
                f"  {', '.join(data['contacts'])} at {data['onset']:.6g} s: "
                f"m_eff {_number(data['effective_mass'])} kg, T_c {_number(data['impact_energy'])} J{told}"
            )
        if len(self.impacts) > 8:
            lines.append(f"  and {len(self.impacts) - 8} more")
        if self.stopped:
            lines.append(f"stopped: {self.stopped}")
        return "\n".join(lines)


def _number(value: float | None) -> str:
    return "unbounded" if value is None else f"{value:.6g}"


class Run(Sequence[RunUnderLaw]):
    """The motion over time with all its impacts; one entry per law, and those of the first as attributes."""

    def __init__(self, source: _Source, data: dict[str, Any]) -> None:
        self._source = source
        self._data = data
        self._runs = [RunUnderLaw(source, k, one) for k, one in enumerate(data["runs"])]

    def __getitem__(self, index: Any) -> Any:
        return self._runs[index]

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def machine(self) -> Machine:
        """The machine that ran."""
        return self._source.machine

    @property
    def cautions(self) -> list[Caution]:
        """Everything a user must know to trust the answer."""
        return VerbAnswer(self._data).cautions

    @property
    def comparison(self) -> list[Answer]:
        """Impact by impact under all laws; empty for one run."""
        return [Answer(entry) for entry in self._data["comparison"]]

    @property
    def impacts(self) -> list[Answer]:
        """The impacts, by onset."""
        return self._runs[0].impacts

    @property
    def events(self) -> list[Answer]:
        """Events of contacts and of the file, in the order of time."""
        return self._runs[0].events

    @property
    def contacts(self) -> dict[str, ContactHistory]:
        """Every contact point while it touches, by name."""
        return self._runs[0].contacts

    @property
    def trajectory(self) -> Trajectory:
        """The motion over time."""
        return self._runs[0].trajectory

    @property
    def result(self) -> Answer:
        """Everything but the columns: counts, ledger, stays, events, last state."""
        return self._runs[0].result

    @property
    def stopped(self) -> str | None:
        """Why the first run that did not come to its end stopped."""
        return next((run.stopped for run in self._runs if run.stopped), None)

    @property
    def inputs(self) -> str:
        """A hash of everything that went in, the duration apart."""
        return self._runs[0].inputs

    @property
    def units(self) -> dict[str, str]:
        """SI units of all columns, by name."""
        return {name: unit for name, (unit, _) in self.trajectory.columns().items()}

    def to_dict(self) -> dict[str, Any]:
        """The whole answer as ``carom run --format json`` prints it."""
        answer: dict[str, Any] = json.loads(self._source.native().answer())
        return answer

    def to_pandas(self) -> Any:
        """The motion as a table with one row per moment; units and the hash of the input stand in ``attrs``."""
        import pandas

        columns = self.trajectory.columns()
        table = pandas.DataFrame({name: values for name, (_, values) in columns.items()})
        table.insert(1, "event", self.trajectory.event)
        table.attrs.update(units=self.units, inputs=self.inputs, carom=_carom.version())
        return table

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the motion as Parquet; every field has its unit, the file the hash of the input, in its metadata."""
        import pyarrow
        import pyarrow.parquet

        fields, arrays = [], []
        for name, (unit, values) in self.trajectory.columns().items():
            fields.append(pyarrow.field(name, pyarrow.float64(), metadata={"unit": unit}))
            arrays.append(pyarrow.array(values))
        fields.insert(1, pyarrow.field("event", pyarrow.bool_()))
        arrays.insert(1, pyarrow.array(self.trajectory.event))
        head = {"carom": _carom.version(), "inputs": self.inputs, "title": self.machine.title}
        schema = pyarrow.schema(fields, metadata=head)
        pyarrow.parquet.write_table(pyarrow.table(arrays, schema=schema), os.fspath(path))

    def plot(self, axes: Any = None) -> Any:
        """Energies and contact forces over time; gives the figure of matplotlib."""
        from ._plot import plot_run

        return plot_run(self, axes)

    def animate(self, path: str | os.PathLike[str], seconds: float = 6.0, fps: int = 20) -> None:
        """Writes the moving machine as GIF (or any format of matplotlib's writers), slowed to last ``seconds``."""
        from ._plot import animate

        animate(json.loads(self._source.native().picture()), path, seconds, fps)

    def save_report(self, path: str | os.PathLike[str]) -> None:
        """Writes the report page, one file that needs no other: the moving machine, plots, every impact."""
        from ._report import save

        save(self._source.native().page, path)

    def _repr_html_(self) -> str | None:
        from ._report import frame

        return frame(self._source.native().page)

    def __eq__(self, other: object) -> bool:
        # A run that Ctrl-C ended answers the same questions, and is shorter: its data differ.
        return isinstance(other, Run) and self._source.key() == other._source.key() and self._data == other._data

    def __hash__(self) -> int:
        return hash(self._source.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Run, (self._source, self._data)

    def __repr__(self) -> str:
        if len(self._runs) == 1:
            text = repr(self._runs[0])
        else:
            text = "\n".join(f"{run.law}: {run!r}" for run in self._runs)
        return "\n".join([text, *(repr(caution) for caution in self.cautions)])


def _line(t: float, until: float, steps: int, impacts: int) -> None:
    end = "\n" if t >= until else ""
    sys.stderr.write(f"\r\x1b[Kt = {t:.6g} s of {until:.6g} s, {steps} steps, {impacts} impacts{end}")
    sys.stderr.flush()


def started(
    machine: Machine,
    until: float | None,
    law: str | Sequence[str] | None,
    method: str | None,
    tolerance: float | None,
    impact: str | None,
    samples: str | None,
    poses: bool,
    reactions: bool,
    progress: Any,
    max_steps: int | None,
    max_time: float | None,
) -> Run:
    """Runs a machine; see :meth:`Machine.run`."""
    from ._machine import _names as names
    from ._machine import _number as number

    if samples not in (None, "all"):
        raise ValueError(f"samples: {samples!r}, expected 'all' or nothing")
    if not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress: {progress!r}, expected True, False or a function of t, until, steps and impacts")
    for what, word in (("method", method), ("impact", impact)):
        if word is not None and not isinstance(word, str):
            raise TypeError(f"{what}: {word!r}, expected a name")
    if max_steps is not None:
        try:
            max_steps = operator.index(max_steps)
        except TypeError:
            raise TypeError(f"max_steps: {max_steps!r}, expected a whole number") from None
        if max_steps < 1:
            raise ValueError(f"max_steps: {max_steps!r}, expected at least 1")
    laws = names("law", law)
    if laws and method is None:
        method = "continuous"
    elif laws and method == "piecewise":
        raise ValueError(f"law: {law!r} is a force law, which goes with method='continuous', not with 'piecewise'")
    asked: _carom._Wanted = {
        "until": number("until", until, " [s]"),
        "laws": laws,
        "method": method,
        "tolerance": number("tolerance", tolerance),
        "impact": impact,
        "all_samples": samples == "all",
        "poses": bool(poses),
        "reactions": bool(reactions),
        "max_steps": max_steps,
        "max_time": number("max_time", max_time, " [s]"),
    }
    watch = _line if progress is True else progress if callable(progress) else None
    native = machine._native.run(asked, watch)
    if watch is _line:
        sys.stderr.write("\r\x1b[K")
    run = Run(_Source(machine, asked, native), json.loads(native.summary()))
    raised = native.raised()
    if isinstance(raised, KeyboardInterrupt):
        raise RunInterrupted(f"interrupted at t = {run.result.state.t:.6g} s", run) from None
    if raised is not None:
        raise raised
    if run.stopped is not None:
        error = SimulationError(run.stopped)
        error.run = run
        raise error
    warn(run.cautions, 4)
    return run
