"""Studies: the same question at many design points, on one machine or on many."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _carom

from ._chunks import Payload, evaluate_chunk, lost, submitter
from ._errors import StudyError, StudyInterrupted
from ._machine import Edits, Machine, _sets
from ._states import Floats, threads_or_all
from ._toml import to_toml

#: A chunk is at least so much work [s], by an estimate: half a second remains where the points tried first were slower than the rest.
CHUNK_SECONDS = 0.6
#: The number of chunks is a multiple of the largest of these that it reaches: so many workers, or a divisor of them, end together.
TOGETHER = (12, 6, 4, 2, 1)
#: Points that are evaluated first to learn how long one takes.
FIRST_POINTS = 64
#: More are evaluated until they take so long [s].
FIRST_SECONDS = 0.03
#: Chunks that are handed out ahead of the one that is written next.
AHEAD = 64
#: How long a lost scheduler is waited for [s].
PATIENCE = 60.0


class StudyTable:
    """The design points of a study and what was measured at each."""

    def __init__(self, native: _carom.StudyPoints, records: bytes) -> None:
        columns = native.columns(records, 0)
        variables, measures = native.headings()
        #: A hash of the model and of the study.
        self.fingerprint: str = native.fingerprint()
        #: The records of the study's log: the same bytes, however they were computed.
        self.records: bytes = records
        #: The variables by name, in their own units.
        self.variables: dict[str, Any] = dict(columns["variables"])
        #: The measures by name; NaN where there is none, inf where it is unbounded.
        self.measures: dict[str, Floats] = {name.split(" [")[0]: values for name, values in columns["measures"]}
        #: Points without all of their measures, and why.
        self.errors: dict[int, str] = dict(columns["failed"])
        #: Points whose contact never touches, and how far apart it stayed; what an impact would bring is zero there.
        self.untouched: dict[int, str] = dict(columns["untouched"])
        #: Units of all columns, by name.
        self.units: dict[str, str] = dict(_named(heading) for heading in (*variables, *measures))

    def __getitem__(self, name: str) -> Any:
        if name in self.measures:
            return self.measures[name]
        try:
            return self.variables[name]
        except KeyError:
            known = ", ".join((*self.variables, *self.measures))
            raise KeyError(f"no column `{name}`; there is {known}") from None

    def __len__(self) -> int:
        return len(next(iter(self.variables.values()), ()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StudyTable) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (self.fingerprint, self.records)

    def to_pandas(self) -> Any:
        """A table with one row per point; units stand in ``attrs``, errors and least gaps in the last columns."""
        import pandas

        table = pandas.DataFrame({**self.variables, **self.measures})
        table["error"] = [self.errors.get(k) for k in range(len(self))]
        table["untouched"] = [self.untouched.get(k) for k in range(len(self))]
        table.attrs["units"] = self.units
        return table

    def __repr__(self) -> str:
        lines = [f"{len(self)} points of {', '.join(self.variables)}"]
        for name, values in self.measures.items():
            good = values[~np.isnan(values)]
            if len(good):
                lines.append(f"  {name}: {good.min():.6g} … {good.max():.6g} {self.units[name]}".rstrip())
        if self.errors:
            lines.append(f"  {len(self.errors)} points have an error")
        if self.untouched:
            lines.append(f"  at {len(self.untouched)} points the contact never touches")
        return "\n".join(lines)


def _named(heading: str) -> tuple[str, str]:
    name, _, unit = heading.partition(" [")
    return name, unit.rstrip("]")


class Study:
    """The same question at many design points.

    ``source`` is a model file or a :class:`Machine`. Without ``variables`` and ``points`` the study is that of the file's
    ``[study]``. ``variables`` gives others: a name with the path that it sets (``{"load": "bodies.box.mass"}``; a name alone is a
    parameter), or with the words of the file (``{"theta": {"range": ["0 deg", "90 deg"], "count": 91}}``). ``points`` are samples
    of one's own: an array (N, variables) in the order of the variables, or their columns by name, in the unit of the variable
    (that of the file, or ``{"theta": {"unit": "deg"}}``; otherwise SI). ``measures`` is a list of quantities, or of names to
    expressions.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Machine,
        variables: Mapping[str, Any] | Sequence[str] | None = None,
        measures: Sequence[str] | Mapping[str, str] | None = None,
        *,
        points: ArrayLike | Mapping[str, Any] | None = None,
        action: str | None = None,
        contact: str | None = None,
        parameters: Edits | None = None,
        sets: Edits | None = None,
    ) -> None:
        edits = _sets(parameters, sets)
        given = (variables, measures, points, action, contact)
        if isinstance(source, Machine):
            if source._moved:
                raise StudyError("the machine is at a state of its own: a study starts from the state of its file")
            files, edits = source._native.files(), [*source._native.sets(), *edits]
            if all(x is None for x in given):
                self._native = _carom.StudyPoints.from_files(files, edits)
                return
        elif all(x is None for x in given):
            self._native = _carom.StudyPoints.open(os.fspath(source), edits)
            return
        else:
            files = Machine.open(source)._native.files()
        plan = _plan(files, edits, variables, measures, points, action, contact)
        files = [*files, ("study", to_toml({"carom": 1, "study": plan}))]
        self._native = _carom.StudyPoints.from_files(files, edits)

    @property
    def fingerprint(self) -> str:
        """A hash of the model and of the study."""
        return self._native.fingerprint()

    @property
    def variables(self) -> list[str]:
        """Headings of the variables, with their units."""
        return self._native.headings()[0]

    @property
    def measures(self) -> list[str]:
        """Headings of the measures, with their units."""
        return self._native.headings()[1]

    def __len__(self) -> int:
        return self._native.points()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._native.files(), self._native.sets())

    def __repr__(self) -> str:
        return f"{len(self)} points of {', '.join(self.variables)}: {', '.join(self.measures)}"

    def run(
        self,
        executor: Any = None,
        *,
        threads: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = True,
        overwrite: bool = False,
        chunk: int | None = None,
        progress: Any = False,
    ) -> StudyTable:
        """Evaluates every design point; the result is the same, byte for byte, wherever it was computed.

        ``executor``: ``None`` for threads of this process, a ``concurrent.futures.Executor``, or a Dask ``Client``; chunks of at
        least half a second of work are sent to it (``chunk``: how many points each has). ``checkpoint`` is a folder for the log
        that ``carom sweep`` writes: a study that was interrupted goes on there (unless ``resume`` is false), and ``carom study``
        reads it. ``progress``: ``True`` for a line on stderr, or a function of points done and points.

        Ctrl-C raises :class:`StudyInterrupted` with the table so far.
        """
        work = _Work(self._native, checkpoint, resume, overwrite, _told(progress))
        try:
            if executor is None:
                work.here(threads_or_all(threads), chunk)
            else:
                work.elsewhere(executor, chunk)
        except KeyboardInterrupt:
            work.close()
            message = f"interrupted after {work.next} of {len(self)} points"
            raise StudyInterrupted(message, self, work.records()) from None
        finally:
            work.close()
        return StudyTable(self._native, work.records())


def _restored(files: list[tuple[str, str]], sets: list[tuple[str, str]]) -> Study:
    """A study from what was stored of it."""
    study = Study.__new__(Study)
    study._native = _carom.StudyPoints.from_files(files, sets)
    return study


def _told(progress: Any) -> Callable[[int, int], None]:
    if progress is True:
        return _line
    return progress if callable(progress) else lambda done, points: None


def _line(done: int, points: int) -> None:
    end = "\n" if done == points else ""
    sys.stderr.write(f"\r\x1b[K{done} of {points} points{end}")
    sys.stderr.flush()


class _Work:
    """The points of a study on their way: computed in any order, kept in order."""

    def __init__(
        self,
        native: _carom.StudyPoints,
        folder: str | os.PathLike[str] | None,
        resume: bool,
        overwrite: bool,
        told: Callable[[int, int], None],
    ) -> None:
        self.native = native
        self.folder = folder
        self.points = native.points()
        self.told = told
        self.log = None if folder is None else native.log(os.fspath(folder), resume, overwrite)
        self.next = 0 if self.log is None else self.log.next()
        self.kept: list[bytes] = []

    def keep(self, records: bytes, last: int) -> None:
        """Keeps the records of the points up to before ``last``."""
        if self.log is None:
            self.kept.append(records)
            self.next = last
        else:
            self.log.append(records)
            self.next = self.log.next()
        self.told(self.next, self.points)

    def records(self) -> bytes:
        """All records so far."""
        if self.folder is None:
            return b"".join(self.kept)
        return self.native.stored(os.fspath(self.folder))

    def close(self) -> None:
        if self.log is not None:
            self.log.close()

    def evaluated(self, last: int, threads: int) -> None:
        """Evaluates points here; what was done before Ctrl-C is kept."""
        records, count, raised = self.native.evaluate(self.next, last, threads)
        self.keep(records, self.next + count)
        if raised is not None:
            raise raised

    def chunk_size(self, chunk: int | None, threads: int) -> int:
        """How many points a chunk has: some are evaluated to learn how long one takes."""
        if chunk is not None:
            if isinstance(chunk, bool) or not isinstance(chunk, (int, np.integer)) or chunk < 1:
                raise ValueError(f"chunk: {chunk!r}, expected a whole number of at least 1")
            return int(chunk)
        count, passed = FIRST_POINTS, 0.0
        while passed < FIRST_SECONDS and self.next < self.points:
            begun, first = time.perf_counter(), self.next
            self.evaluated(min(first + count, self.points), threads)
            passed = time.perf_counter() - begun
            rate = (self.next - first) / max(passed, 1e-6)
            count *= 4
        left = self.points - self.next
        chunks = int(left / (rate * CHUNK_SECONDS)) if left else 0
        chunks -= chunks % next(k for k in TOGETHER if k <= max(chunks, 1))
        return -(-left // max(chunks, 1)) or 1

    def here(self, threads: int, chunk: int | None) -> None:
        size = self.chunk_size(chunk, threads)
        while self.next < self.points:
            self.evaluated(min(self.next + size, self.points), threads)

    def elsewhere(self, executor: Any, chunk: int | None) -> None:
        size = self.chunk_size(chunk, 1)
        payload = Payload(_carom.version(), self.native.files(), self.native.sets(), self.native.fingerprint())
        begin = self.next
        starts = deque(range(begin, self.points, size))
        submit = submitter(executor, payload)
        waiting: deque[tuple[int, int, Any]] = deque()
        broken_since: float | None = None
        try:
            while starts or waiting:
                while starts and len(waiting) < AHEAD:
                    first = starts.popleft()
                    last = min(first + size, self.points)
                    waiting.append((first, last, submit(evaluate_chunk, first, last)))
                first, last, future = waiting[0]
                try:
                    records = future.result()
                except Exception as error:
                    if not lost(error):
                        raise
                    # The scheduler went away with its futures: chunks are pure, so they are handed out again.
                    now = time.monotonic()
                    broken_since = broken_since or now
                    if now - broken_since > PATIENCE:
                        kept = f"; {self.next} points are kept in {self.folder}" if self.folder else ""
                        raise StudyError(f"the scheduler was lost and did not come back{kept}: {error}") from error
                    time.sleep(0.5)
                    starts = deque([w[0] for w in waiting] + list(starts))
                    waiting.clear()
                    continue
                broken_since = None
                waiting.popleft()
                self.keep(records, last)
        finally:
            for _, _, future in waiting:
                future.cancel()


def _plan(
    files: list[tuple[str, str]],
    edits: list[tuple[str, str]],
    variables: Mapping[str, Any] | Sequence[str] | None,
    measures: Sequence[str] | Mapping[str, str] | None,
    points: ArrayLike | Mapping[str, Any] | None,
    action: str | None,
    contact: str | None,
) -> dict[str, Any]:
    """The `[study]` of a model file that says the same; what is not given is as in the file's own."""
    plan: dict[str, Any] = {}
    if variables is None or measures is None:
        try:
            own = _carom.StudyPoints.from_files(files, edits)
        except StudyError:
            if variables is None:
                raise
        else:
            own_action, own_contact, own_variables = own.plan()
            plan.update(action=own_action, contact=own_contact, measures=dict(own.measured()))
            if variables is None:
                variables = {name: {"path": path, "unit": unit} for name, path, unit in own_variables}
    if action is not None:
        plan["action"] = action
    if contact is not None:
        plan["contact"] = contact
    if measures is not None:
        plan["measures"] = dict(measures) if isinstance(measures, Mapping) else list(measures)
    assert variables is not None
    plan["variables"] = _variables(variables, points)
    return plan


def _variables(
    variables: Mapping[str, Any] | Sequence[str], points: ArrayLike | Mapping[str, Any] | None
) -> dict[str, dict[str, Any]]:
    if isinstance(variables, str):
        raise StudyError(f"variables: the text {variables!r}, expected names, or names with their paths")
    specs: dict[str, dict[str, Any]] = {}
    entries = variables.items() if isinstance(variables, Mapping) else [(name, {}) for name in variables]
    for name, spec in entries:
        if isinstance(spec, str):
            specs[name] = {"path": spec}
        elif isinstance(spec, Mapping):
            specs[name] = dict(spec)
        else:
            specs[name] = {"values": list(spec)}
    if points is None:
        for name, spec in specs.items():
            if spec.pop("unit", "") and "values" in spec:
                raise StudyError(f"variables.{name}: `unit` goes with `points`; write the unit behind the values")
        return specs
    columns = _columns(list(specs), points)
    first: str | None = None
    for name, spec in specs.items():
        unit = spec.pop("unit", "")
        for word in ("range", "count", "values", "scale", "along", "expression"):
            spec.pop(word, None)
        column = columns[name]
        if column.dtype.kind in "fiu":
            numbers = [float(x) for x in column]
            if not np.isfinite(numbers).all():
                at = int(np.flatnonzero(~np.isfinite(numbers))[0])
                raise StudyError(f"points: `{name}` is {numbers[at]} at point {at}, expected a finite number")
            spec["values"] = [f"{x!r} {unit}" for x in numbers] if unit else numbers
        elif column.dtype.kind in "U":
            spec["values"] = [str(x) for x in column]
        else:
            raise StudyError(f"points: `{name}` has {column.dtype}, expected numbers or texts")
        if first is None:
            first = name
        else:
            spec["along"] = first
    return specs


def _columns(names: list[str], points: ArrayLike | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(points, Mapping) or hasattr(points, "columns"):
        table: Any = points
        missing = [name for name in names if name not in table]
        if missing:
            raise StudyError(f"points: no column `{missing[0]}`")
        columns = {name: np.asarray(table[name]) for name in names}
    else:
        array = np.asarray(points)
        if array.ndim != 2 or array.shape[1] != len(names):
            raise StudyError(f"points: an array of shape {array.shape}, expected (N, {len(names)}): {', '.join(names)}")
        columns = {name: array[:, k] for k, name in enumerate(names)}
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1 or lengths == {0}:
        raise StudyError(f"points: columns of {sorted(lengths)} entries, expected equally many and at least one")
    return columns



