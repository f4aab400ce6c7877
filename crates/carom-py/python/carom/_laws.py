"""Contact laws: what each delivers, and the impact of two bodies under one."""

from __future__ import annotations

import json
from typing import Any

from . import _carom
from ._answer import Answer
from ._errors import LawError


class Law(Answer):
    """A contact law, and the impact under it."""

    __slots__ = ()

    @property
    def delivered(self) -> Any:
        """The restitution that the law delivers; without one asked for, a list over restitutions from 0 to 1."""
        if "outcome" in self._data:
            return self._data["outcome"]["restitution"]
        return [Answer(entry) for entry in self._data["delivered"] or []]


def laws() -> list[Law]:
    """All contact laws of the catalogue, each with its formula, source, parameters, and what it delivers."""
    return [Law(entry) for entry in json.loads(_carom.laws(["--format", "json"]))["laws"]]


def law(
    name: str,
    *,
    restitution: float | None = None,
    mass: float | str | None = None,
    speed: float | str | None = None,
    stiffness: float | str | None = None,
    exponent: float | None = None,
    damping: float | str | None = None,
    max_damping: float | str | None = None,
    damping_depth: float | str | None = None,
    force: str | None = None,
    parting: str | None = None,
    curve: int | None = None,
) -> Law:
    """A contact law by its name; with a restitution or an impact, what it delivers there.

    ``mass`` [kg], ``speed`` [m/s] and ``stiffness`` [N/mⁿ] describe an impact (texts may have units). The restitution of
    most laws depends on none of them: with ``restitution`` alone the impact is that of 1 kg at 1 m/s on 1 N/mⁿ.
    ``curve``: how many moments of the impact to give.
    """
    given = {
        "restitution": restitution,
        "mass": mass,
        "speed": speed,
        "stiffness": stiffness,
        "exponent": exponent,
        "damping": damping,
        "max-damping": max_damping,
        "damping-depth": damping_depth,
        "force": force,
        "parting": parting,
        "curve": curve,
    }
    if restitution is not None and mass is None and speed is None and stiffness is None:
        given.update(mass=1.0, speed=1.0, stiffness=1.0)
    if not isinstance(name, str) or name.startswith("-"):
        raise LawError(f"there is no contact law {name!r}; `carom.laws()` lists them")
    arguments = [name, "--format", "json"]
    for option, value in given.items():
        if value is not None:
            text = repr(float(value)) if isinstance(value, float) else str(value)
            arguments.append(f"--{option}={text}")
    return Law(json.loads(_carom.laws(arguments)))
