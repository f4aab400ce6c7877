"""Questions about the designs of a model: how sure their numbers are, the best one, maps, two beside each other."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _carom
from ._answer import Answer, VerbAnswer, infinite, warn
from ._errors import StudyError
from ._machine import Edits, Machine, _names, _sets
from ._states import Floats, threads_or_all

#: A model file.
Path = str | os.PathLike[str]


def _told(text: str) -> VerbAnswer:
    answer = VerbAnswer(json.loads(text))
    warn(answer.cautions, depth=4)
    return answer


def _heading(text: str) -> tuple[str, str]:
    name, _, unit = text.partition(" [")
    return name, unit.removesuffix("]")


class UncertaintyAnswer(VerbAnswer):
    """Every measure of a sample with its intervals, and which uncertain number matters.

    The fields are those of ``carom uncertainty --format json``; the sample itself is in :attr:`inputs` and :attr:`values`.
    """

    __slots__ = ("_native",)
    _native: _carom.UncertaintySample | None

    def __init__(self, data: dict[str, Any], native: _carom.UncertaintySample | None = None) -> None:
        super().__init__(data)
        object.__setattr__(self, "_native", native)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def measure(self, name: str) -> Answer:
        """The measure of that name: its ``spread`` (``mean``, ``deviation``, ``p5``, ``median`` and ``p95``, each a ``value`` with the
        ``low`` and ``high`` end of its 95 % interval) and its ``influences``, the greatest first."""
        for entry in self._data["measures"]:
            if entry["measure"]["name"] == name:
                return Answer(entry)
        known = ", ".join(entry["measure"]["name"] for entry in self._data["measures"])
        raise KeyError(f"no measure `{name}`; there is {known}")

    def influences(self, name: str) -> dict[str, float]:
        """The share of the variance of a measure that each uncertain number causes alone, the greatest first; NaN where there is none."""
        entries = self.measure(name).to_dict()["influences"]
        return {entry["input"]: infinite(entry["share"]["value"], unbounded=False) for entry in entries}

    def _columns(self) -> tuple[list[tuple[str, Any]], list[tuple[str, Floats]]]:
        if self._native is None:
            raise ValueError("an answer that was stored has no sample: ask again")
        return self._native.columns()

    @property
    def inputs(self) -> dict[str, Any]:
        """The uncertain numbers of all points by name, in their own units; laws that were compared are texts."""
        return {_heading(heading)[0]: values for heading, values in self._columns()[0]}

    @property
    def values(self) -> dict[str, Floats]:
        """The measures of all points by name; NaN where there is none."""
        return {_heading(heading)[0]: values for heading, values in self._columns()[1]}

    def to_pandas(self) -> Any:
        """A table with one row per point; units stand in ``attrs``."""
        import pandas

        inputs, measures = self._columns()
        table = pandas.DataFrame({_heading(heading)[0]: values for heading, values in (*inputs, *measures)})
        table.attrs["units"] = dict(_heading(heading) for heading, _ in (*inputs, *measures))
        return table

    def __repr__(self) -> str:
        return "\n".join([self._data["headline"], *map(repr, self.cautions)])

    def save_report(self, path: Any) -> None:
        """Writes the report page, one file that needs no other."""
        from ._report import save

        save(self._native and self._native.page, path)

    def _repr_html_(self) -> str | None:
        from ._report import frame

        return frame(self._native and self._native.page)


def uncertainty(
    source: Path | Machine,
    *,
    parameters: Edits | None = None,
    sets: Edits | None = None,
    threads: int | None = None,
) -> UncertaintyAnswer:
    """How sure the numbers of a design are: every measure of its ``[uncertainty]`` with 95 % intervals, and which uncertain number matters.

    ``source`` is a model file or a :class:`Machine`. The number of threads changes no digit.
    """
    edits, count = _sets(parameters, sets), threads_or_all(threads)
    if isinstance(source, Machine):
        if source._moved:
            raise StudyError("the machine is at a state of its own: a sample starts from the state of its file")
        native = _carom.UncertaintySample.from_files(
            source._native.files(), [*source._native.sets(), *edits], count
        )
    else:
        native = _carom.UncertaintySample.open(os.fsdecode(source), edits, count)
    answer = UncertaintyAnswer(json.loads(native.answer()), native)
    warn(answer.cautions)
    return answer


def optimise(
    file: Path,
    *,
    evaluations: int = 2000,
    seed: int = 0,
    folder: Path | None = None,
    parameters: Edits | None = None,
    sets: Edits | None = None,
    threads: int | None = None,
) -> VerbAnswer:
    """The best design that the ``[study]`` of a file allows: ``path[-1]``; ``edges`` are those that it lies at.

    With a ``folder`` the search is logged there, and goes on with the log that it finds.
    """
    place = None if folder is None else os.fsdecode(folder)
    edits, count = _sets(parameters, sets), threads_or_all(threads)
    return _told(_carom.optimised(os.fsdecode(file), edits, evaluations, seed, count, place))


def compare(
    first: Path,
    second: Path,
    *,
    action: str = "assess",
    contact: str | None = None,
    parameters: Edits | None = None,
    sets: Edits | None = None,
) -> VerbAnswer:
    """Two files beside each other, measure by measure; ``action`` is ``assess``, ``run`` or ``impact``."""
    files = (os.fsdecode(first), os.fsdecode(second))
    return _told(_carom.compared(*files, _sets(parameters, sets), contact, action))


class Map:
    """Measures over two variables."""

    def __init__(self, answer: VerbAnswer) -> None:
        #: The whole answer, as ``carom map --format json`` prints it.
        self.answer = answer
        data = answer.to_dict()
        count = int(data["count"])
        #: The variable to the right, in SI units.
        self.x: Floats = np.linspace(data["x"]["from"], data["x"]["to"], count)
        #: The variable upwards, in SI units.
        self.y: Floats = np.linspace(data["y"]["from"], data["y"]["to"], count)
        #: The measures by name, one row for each y; NaN where there is none, and where it is unbounded.
        self.measures: dict[str, Floats] = {
            entry["measure"]["name"]: np.array(entry["values"], dtype=float).reshape(count, count)
            for entry in data["measures"]
        }

    def __getitem__(self, name: str) -> Floats:
        return self.measures[name]

    def __repr__(self) -> str:
        return f"<carom.Map of {', '.join(self.measures)} over {self.answer.x.variable} and {self.answer.y.variable}>"


def measure_map(
    file: Path,
    x: tuple[str, str, str],
    y: tuple[str, str, str],
    measures: str | Sequence[str] | None = None,
    *,
    contact: str | None = None,
    count: int = 61,
    parameters: Edits | None = None,
    sets: Edits | None = None,
    threads: int | None = None,
) -> Map:
    """Measures over two variables, each a path and two ends: ``("joints.elbow.position", "0 deg", "90 deg")``."""
    edits, workers = _sets(parameters, sets), threads_or_all(threads)
    names = _names("measures", measures)
    return Map(_told(_carom.mapped(os.fsdecode(file), edits, x, y, contact, names, count, workers)))
