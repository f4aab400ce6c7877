"""Fits: the parameters of contact laws from measurements."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _carom
from ._answer import Answer, VerbAnswer, warn
from ._errors import Fault, SimulationError, StateError
from ._states import threads_or_all

if TYPE_CHECKING:
    from ._machine import Machine

#: What messages call measurements that come in columns.
COLUMNS = "data"


class FitAnswer(VerbAnswer):
    """Contact laws fitted to measurements, the best first.

    The fields are those of ``carom fit --format json``: ``verdict`` is the answer in sentences, ``block`` a ``[contacts]`` table to paste
    (``None`` where a parameter that it needs is not identified), ``laws`` the laws with their parameters and ``aicc``.
    """

    __slots__ = ("_native",)
    _native: _carom.Fit | None

    def __init__(self, data: dict[str, Any], native: _carom.Fit | None = None) -> None:
        super().__init__(data)
        object.__setattr__(self, "_native", native)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def _law(self, name: str | None) -> dict[str, Any]:
        laws: list[dict[str, Any]] = self._data["laws"]
        for entry in laws:
            if name is None or name == entry["law"] or name in entry["same_curve"]:
                return entry
        refused = dict(self._data["not_fitted"])
        if name in refused:
            raise KeyError(f"the law `{name}` was not fitted: {refused[name]}")
        raise KeyError(f"no law `{name}`; there is {', '.join(entry['law'] for entry in laws)}")

    def law(self, name: str | None = None) -> Answer:
        """A law by its name, or by that of a law of which the data see the same curve; the best one without a name."""
        return Answer(self._law(name))

    def estimates(self, law: str | None = None) -> dict[str, float]:
        """The parameters of a law in SI units, of the best one without a name; NaN where the data do not identify one."""
        entries = self._law(law)["parameters"]
        return {p["name"]: math.nan if p["estimate"] is None else p["estimate"] for p in entries}

    def intervals(self, law: str | None = None) -> dict[str, tuple[float, float]]:
        """The profile likelihood intervals of the parameters that were fitted; an end that is open is infinite, of a parameter that is not
        identified both are."""
        return {
            p["name"]: (
                -math.inf if p["low"] is None else p["low"],
                math.inf if p["high"] is None else p["high"],
            )
            for p in self._law(law)["parameters"]
            if not p["given"]
        }

    def to_pandas(self) -> Any:
        """The laws, the best first: AICc, its difference from the best, χ², and every parameter with its interval."""
        import pandas

        rows = []
        for entry in self._data["laws"]:
            row = {"law": entry["law"]}
            row.update({k: entry[k] for k in ("aicc", "aicc_difference", "chi_square", "degrees_of_freedom")})
            for p in entry["parameters"]:
                row.update({p["name"]: p["estimate"], f"{p['name']}_low": p["low"], f"{p['name']}_high": p["high"]})
            rows.append(row)
        return pandas.DataFrame(rows)

    def residuals(self) -> dict[str, Any]:
        """Every measurement beside what the best law gives, in columns and SI units: ``line`` (of columns: their row plus 2), ``quantity``,
        ``at`` (approach speed or time), ``observed``, ``predicted`` and ``deviation``."""
        points = self._data["points"]
        names = ("at", "observed", "predicted", "deviation")
        out: dict[str, Any] = {"line": np.array([p["line"] for p in points], dtype=int)}
        out["quantity"] = [p["quantity"] for p in points]
        out.update({name: np.array([p[name] for p in points], dtype=float) for name in names})
        return out

    def __repr__(self) -> str:
        return "\n".join([self._data["verdict"], *map(repr, self.cautions)])

    def save_report(self, path: Any) -> None:
        """Writes the report page, one file that needs no other."""
        from ._report import save

        save(self._native and self._native.page, path)

    def _repr_html_(self) -> str | None:
        from ._report import frame

        return frame(self._native and self._native.page)


def fitted(
    machine: Machine,
    data: str | os.PathLike[str] | Mapping[str, Any] | Any,
    *,
    contact: str | None,
    laws: str | Sequence[str] | None,
    fix: Mapping[str, float] | None,
    over_speed: bool,
    robust: bool,
    level: float,
    speed: float | str | None,
    onset: float | str | None,
    interval: float | str | None,
    averaged: bool,
    threads: int | None,
) -> FitAnswer:
    """The fit that :meth:`Machine.fit` describes."""
    from ._machine import _names, _number

    name, text = _measurements(data)
    edits = _edits(text) if machine._moved else []
    if edits:
        raise StateError(
            f"{name}: column `{edits[0]}` sets a value of the file, and the machine is at a state of its own, which the file's would replace"
        )
    held = []
    for key, value in (fix or {}).items():
        number = _number(f"fix: {key}", value)
        if number is None:
            raise TypeError(f"fix: {key}: None, expected a number")
        held.append((str(key), number))
    confidence = _number("level", level)
    asked: _carom._FitAsked = {
        "contact": contact,
        "laws": _names("laws", laws),
        "fix": held,
        "over_speed": over_speed,
        "robust": robust,
        "level": math.nan if confidence is None else confidence,
        "speed": _quantity("speed", speed, "m/s"),
        "onset": _quantity("onset", onset, "s"),
        "interval": _quantity("interval", interval, "s"),
        "averaged": averaged,
        "threads": threads_or_all(threads),
    }
    native = _carom.Fit.of(machine._native, name, text, asked)
    answer = FitAnswer(json.loads(native.answer()), native)
    warn(answer.cautions, depth=4)
    return answer


def _edits(text: str) -> list[str]:
    """The headings that are paths of the model file."""
    lines = (line.strip() for line in text.lstrip("\ufeff").splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    names = [word.split("[")[0].strip(' "') for word in first.split(",")]
    return [name for name in names if "." in name and not name.startswith(("force.", "sigma("))]


def _quantity(what: str, value: float | str | None, unit: str) -> str | None:
    """A text with a unit; a number is in SI units."""
    from ._machine import _number

    if value is None or isinstance(value, str):
        return value
    return f"{_number(what, value)!r} {unit}"


def _measurements(data: Any) -> tuple[str, str]:
    """Name and text of the measurements."""
    if isinstance(data, (str, os.PathLike)):
        path = os.fsdecode(data)
        with open(path, encoding="utf-8", newline="") as file:
            return path, file.read()
    if not (isinstance(data, Mapping) or hasattr(data, "columns")):
        kind = type(data).__name__
        raise TypeError(f"data: a {kind}, expected the path of a CSV file, a dictionary of columns or a DataFrame")
    heads = list(data if isinstance(data, Mapping) else data.columns)
    columns = [_column(head, data[head]) for head in heads]
    if not columns:
        raise _wrong("there are no columns")
    lengths = {head: len(column) for head, column in zip(heads, columns, strict=True)}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"`{head}` {n}" for head, n in lengths.items())
        raise _wrong(f"the columns differ in length: {told}")
    lines = [",".join(_plain("a heading", head) for head in heads)]
    lines += [",".join(cells) for cells in zip(*columns, strict=True)]
    return COLUMNS, "\n".join(lines) + "\n"


def _column(head: Any, values: Any) -> list[str]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise _wrong(f"column `{head}`: {values!r}, expected a list or an array")
    return [_cell(f"column `{head}`, row {k}", value) for k, value in enumerate(values)]


def _cell(place: str, value: Any) -> str:
    """A cell as CSV has it; what was not measured (None, NaN) is empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _plain(place, value)
    if isinstance(value, (bool, np.bool_)):
        raise _wrong(f"{place}: {value!r}, expected a number")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise _wrong(f"{place}: {value!r}, expected a number") from None
    return "" if math.isnan(number) else repr(number)


def _plain(place: str, text: Any) -> str:
    if not isinstance(text, str):
        raise _wrong(f"{place} is {text!r}, expected a text")
    if any(letter in text for letter in ',"\n\r') or text.lstrip().startswith("#"):
        raise _wrong(f"{place}: {text!r} has a comma, a quote, a line break or a # in front")
    return text


def _wrong(message: str) -> SimulationError:
    return SimulationError(f"{COLUMNS}: {message}", [Fault(COLUMNS, None, None, "", message)])
