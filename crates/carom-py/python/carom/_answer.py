"""Answers: what a verb found, as objects for people and as data for programs."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterator
from typing import Any

from . import _carom
from ._errors import CaromWarning

#: SI units of all quantities in answers, by name, or by struct and name where one name means several things.
UNITS: dict[str, str] = dict(_carom.units())


def unit(name: str) -> str | None:
    """The SI unit of a quantity; empty for a plain number, ``None`` if it has none."""
    return UNITS.get(name)


class Answer:
    """A part of an answer: its fields are attributes, :meth:`to_dict` gives them as plain data."""

    __slots__ = ("_data",)
    _data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        object.__setattr__(self, "_data", data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return wrap(self._data[name])
        except KeyError:
            known = ", ".join(self._data)
            raise AttributeError(f"no field `{name}`; there is {known}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an answer does not change: `{name}` cannot be set")

    def __getitem__(self, name: str) -> Any:
        return wrap(self._data[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._data})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and self._data == other._data

    def __hash__(self) -> int:
        return hash(json.dumps(self._data, sort_keys=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def __repr__(self) -> str:
        rows = [f"  {name}: {_shown(value)}" for name, value in self._data.items()]
        return f"{type(self).__name__}\n" + "\n".join(rows)

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data: numbers, texts, lists, dictionaries."""
        copy: dict[str, Any] = json.loads(json.dumps(self._data))
        return copy

    @property
    def units(self) -> dict[str, str]:
        """SI units of those fields that have one."""
        return {name: UNITS[name] for name in self._data if UNITS.get(name)}


def wrap(value: Any) -> Any:
    """Tables become answers, lists lists of them."""
    if isinstance(value, dict):
        return Answer(value)
    if isinstance(value, list):
        return [wrap(entry) for entry in value]
    return value


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = json.dumps(value)
    return text if len(text) <= 70 else text[:67] + "..."


class Caution:
    """Something a user must know to trust the answer."""

    __slots__ = ("code", "severity", "place", "laws", "message")

    def __init__(self, data: dict[str, Any]) -> None:
        #: What it is about, such as ``closure-open``.
        self.code: str = data["code"]
        #: ``note``, ``warning`` or ``error``.
        self.severity: str = data["severity"]
        #: The table of the model file it is about; empty for the whole machine.
        self.place: str = data.get("place", "")
        #: The laws it holds for, where an answer compares several.
        self.laws: list[str] = data.get("laws", [])
        self.message: str = data["message"]

    def __repr__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        return f"{self.severity}: {place}{self.message}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Caution) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


class VerbAnswer(Answer):
    """The answer of a verb, with its cautions."""

    __slots__ = ()

    @property
    def cautions(self) -> list[Caution]:
        """Everything a user must know to trust the answer."""
        return [Caution(entry) for entry in self._data.get("cautions", [])]

    def to_json(self) -> str:
        """The answer as ``carom VERB --format json`` prints it."""
        return json.dumps(self._data, indent=2)


def warn(cautions: list[Caution], depth: int = 3) -> None:
    """Warns of every caution that is more than a note."""
    for caution in cautions:
        if caution.severity != "note":
            warnings.warn(repr(caution), CaromWarning, stacklevel=depth)


def infinite(value: float | None, unbounded: bool = True) -> float:
    """JSON has no infinity: a missing number of an unbounded quantity is one."""
    if value is None:
        return math.inf if unbounded else math.nan
    return value


class AssessAnswer(VerbAnswer):
    """How heavy the contacts of a machine feel, and how much energy an impact there can use.

    The numbers below are those of the contact asked for; where several were asked for, each has its own
    in :attr:`contacts`.
    """

    __slots__ = ("_page", "_draw")
    _page: Any
    _draw: Any

    def __init__(self, data: dict[str, Any], page: Any = None, draw: Any = None) -> None:
        super().__init__(data)
        object.__setattr__(self, "_page", page)
        object.__setattr__(self, "_draw", draw)

    def _contact(self) -> dict[str, Any]:
        contacts: list[dict[str, Any]] = self._data["contacts"]
        if len(contacts) != 1:
            names = ", ".join(c["name"] for c in contacts)
            raise AttributeError(f"several contacts were assessed ({names}): see `contacts`")
        return contacts[0]

    def _row(self) -> dict[str, Any]:
        rows: list[dict[str, Any]] = self._contact()["rows"]
        normals = [r for r in rows if r["kind"] == "normal" and r["takes_part"]]
        normals = normals or [r for r in rows if r["kind"] == "normal"]
        return max(normals, key=lambda r: infinite(r["constrained_energy"]))

    @property
    def effective_mass(self) -> float:
        """m_eff of the governing point [kg]; inf where it cannot move."""
        return infinite(self._row()["effective_mass"])

    @property
    def contact_velocity(self) -> float:
        """u of the governing point [m/s]; negative when closing."""
        return float(self._row()["u"])

    @property
    def gap(self) -> float:
        """The least gap [m]."""
        return float(min(r["gap"] for r in self._contact()["rows"]))

    @property
    def kinetic_energy(self) -> float:
        """T of the whole machine [J]."""
        return float(self._contact()["energies"]["kinetic_energy"])

    @property
    def impact_energy(self) -> float:
        """T_c over the points that an impact strikes (closing ones, and touching ones that these drive together) [J]; inf where a drive closes the contact and nothing gives way."""
        return infinite(self._contact()["energies"]["impact_energy"])

    @property
    def share(self) -> float:
        """T_c / T; NaN where a drive moves, since T depends on the frame then."""
        return infinite(self._contact()["energies"]["impact_share"], unbounded=False)

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        return str(self._contact()["sentence"])

    @property
    def units(self) -> dict[str, str]:
        """SI units of the numbers."""
        names = ("effective_mass", "contact_velocity", "gap", "kinetic_energy", "impact_energy", "share")
        own = {"contact_velocity": "m/s", "gap": "m", "share": ""}
        contacts = self._data["contacts"]
        found = {name: own.get(name, UNITS.get(name, "")) for name in names}
        if len(contacts) == 1:
            units = contacts[0]["units"]
            found.update(effective_mass=units["mass"], contact_velocity=units["velocity"], gap=units["gap"])
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def __repr__(self) -> str:
        lines = [f"{c['name']}: {c['sentence']}" for c in self._data["contacts"]]
        lines += [repr(caution) for caution in self.cautions]
        return "\n".join(lines)

    def plot(self, ax: Any = None) -> Any:
        """Draws the machine with its contacts: where they strike, along which normal, how heavy; gives the axes of matplotlib."""
        if self._draw is None:
            raise ValueError("an answer that was stored has no machine to draw: ask the machine again")
        return self._draw(ax)

    def save_report(self, path: Any) -> None:
        """Writes the report page, one file that needs no other."""
        from ._report import save

        save(self._page, path)

    def _repr_html_(self) -> str | None:
        from ._report import frame

        return frame(self._page)


class ImpactAnswer(VerbAnswer):
    """Velocities and impulses after an impact, by one or several laws."""

    __slots__ = ("_page",)
    _page: Any

    def __init__(self, data: dict[str, Any], page: Any = None) -> None:
        super().__init__(data)
        object.__setattr__(self, "_page", page)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def _law(self) -> dict[str, Any]:
        laws: list[dict[str, Any]] = self._data["laws"]
        if len(laws) != 1:
            names = ", ".join(entry["law"] for entry in laws)
            raise AttributeError(f"several laws were compared ({names}): see `laws`")
        return laws[0]

    def __repr__(self) -> str:
        lines = []
        for law in self._data["laws"]:
            refused = law.get("refused")
            if refused:
                lines.append(f"{law['law']}: {refused}")
            else:
                lost = law.get("energy_lost")
                told = "" if lost is None else f", energy lost {lost:.6g} J"
                lines.append(f"{law['law']}: v after {_shown(law.get('v_after'))}{told}")
        lines += [repr(caution) for caution in self.cautions]
        return "\n".join(lines)

    def save_report(self, path: Any) -> None:
        """Writes the report page, one file that needs no other."""
        from ._report import save

        save(self._page, path)

    def _repr_html_(self) -> str | None:
        from ._report import frame

        return frame(self._page)
