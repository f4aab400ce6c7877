"""Limits of contact between a robot and a person, applied to arrays of robot masses."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._answer import Answer, Caution, VerbAnswer
from ._errors import StateError
from ._states import Floats
from ._toml import to_toml

#: Codes of cautions that are about one pose; arrays of poses have their own.
_OF_ONE_POSE = ("static-push",)


def limits_source(limits: Any) -> tuple[str, str] | None:
    """Name and text of a limits file."""
    if limits is None:
        return None
    if isinstance(limits, Mapping):
        return "limits", to_toml(limits)
    if not isinstance(limits, (str, os.PathLike)):
        raise TypeError(f"limits: a {type(limits).__name__}, expected the path of a limits file or a dictionary")
    return os.fspath(limits), Path(limits).read_text(encoding="utf-8")


def standing_of(answer: str, clamped: bool) -> dict[str, Any]:
    """What an answer of ``near`` says about the regions, with which of their limits hold."""
    data: dict[str, Any] = json.loads(answer)
    which = "quasi_static" if clamped else "transient"
    regions = data["regions"]

    def number(key: str) -> Floats:
        return np.array([np.nan if r[key] is None else r[key] for r in regions])

    standing = {
        "clamped": clamped,
        "regions": [r["region"] for r in regions],
        "limit": number(f"{which}_limit"),
        "governed_by": [r[f"{which}_governed_by"] for r in regions],
        "stiffness": number("stiffness"),
        "body_mass": number("body_mass"),
        "cautions": [c for c in VerbAnswer(data).cautions if c.code not in _OF_ONE_POSE],
        "source": f"{data['source']}, {data['edition']}",
        "standing": data["standing"],
    }
    answered = ~np.isnan(standing["limit"])
    if not clamped:
        answered &= ~np.isnan(standing["body_mass"])
    if not answered.any():
        raise StateError(
            "limits: no region has a quasi-static limit"
            if clamped
            else "limits: no region has both a body mass and a transient limit, so a free person is not answered"
        )
    return standing


class _Regions:
    """The regions of a limits file and what they allow."""

    def __init__(self, standing: dict[str, Any], robot_mass: Floats, push: Floats | None) -> None:
        #: Whether the person is clamped and cannot give way.
        self.clamped: bool = standing["clamped"]
        #: Names of the regions of the body.
        self.regions: list[str] = standing["regions"]
        #: min(F, p A) by region, (regions,) [N]; NaN where the limits file has none.
        self.limit: Floats = standing["limit"]
        #: ``force`` or ``pressure`` by region: what the limit is of.
        self.governed_by: list[str | None] = standing["governed_by"]
        #: k with the padding in series, (regions,) [N/m].
        self.stiffness: Floats = standing["stiffness"]
        #: m_H, (regions,) [kg]; NaN where the limits file has none.
        self.body_mass: Floats = standing["body_mass"]
        #: The document of the limits and its edition.
        self.source: str = standing["source"]
        #: What the answer is and what it is not.
        self.standing: str = standing["standing"]
        #: m_R, (...) [kg]; inf where nothing gives way.
        self.robot_mass: Floats = robot_mass
        #: The force with which the joints can push at rest, (...) [N]; ``None`` if it is unknown, or the person is free.
        self.static_push: Floats | None = push
        self._cautions: list[Caution] = standing["cautions"]
        if self.clamped:
            self._cautions = [*self._judged(), *self._cautions]
        yields = np.zeros_like(self.stiffness) if self.clamped else 1 / self.body_mass
        #: μ by region, (..., regions) [kg]: 1/μ = 1/m_H + 1/m_R.
        with np.errstate(divide="ignore"):
            self.reduced_mass: Floats = 1 / (yields + 1 / robot_mass[..., None])
        #: v_max by region, (..., regions) [m/s]: min(F, p A) / √(μ k); NaN where the limits file has no limit or no body mass.
        self.speed: Floats = self.limit / np.sqrt(self.reduced_mass * self.stiffness)

    @property
    def cautions(self) -> list[Caution]:
        """Everything a user must know to trust the answer, what matters most first."""
        return list(self._cautions)

    @property
    def allowed(self) -> Floats:
        """The speed that all regions with an answer allow, (...) [m/s]."""
        least: Floats = np.take_along_axis(self.speed, self.governing[..., None], axis=-1)[..., 0]
        return least

    @property
    def governing(self) -> NDArray[np.intp]:
        """Which region allows the least, (...), as a position in :attr:`regions`."""
        found: NDArray[np.intp] = np.where(np.isnan(self.speed), np.inf, self.speed).argmin(axis=-1)
        return found

    @property
    def push_exceeds(self) -> NDArray[np.bool_] | None:
        """Whether the static push exceeds the quasi-static limit, (..., regions): no speed makes a clamping safe there."""
        if self.static_push is None:
            return None
        found: NDArray[np.bool_] = np.asarray(self.static_push)[..., None] > self.limit
        return found

    def _judged(self) -> list[Caution]:
        exceeds = self.push_exceeds
        if exceeds is None:
            message = (
                "the static push of the joints is unknown (no effort limits, or closed loops): whether a clamped person is pushed harder "
                "than the quasi-static limit is not answered"
            )
        elif exceeds.any():
            most = float(np.max(np.asarray(self.static_push)))
            poses = exceeds.reshape(-1, len(self.regions))
            message = (
                f"the joints can push with up to {most:.3g} N, above the quasi-static limit of {int(poses.any(axis=0).sum())} of "
                f"{len(self.regions)} regions: no speed makes a clamping safe there without a limit of the push"
            )
        else:
            return []
        return [Caution({"code": "static-push", "severity": "warning", "message": message})]


class SpeedLimits(_Regions):
    """How fast the tip may move near a person, by pose, direction and region of the body: an estimate for design."""

    def __repr__(self) -> str:
        who = "a clamped person" if self.clamped else "a free person"
        lines = [f"for {who} ({self.source})"]
        flat = self.speed.reshape(-1, len(self.regions))
        for k, region in enumerate(self.regions):
            good = flat[:, k][~np.isnan(flat[:, k])]
            if len(good) == 1:
                lines.append(f"  {region}: {good[0]:.3g} m/s")
            elif len(good):
                lines.append(f"  {region}: {good.min():.3g} … {good.max():.3g} m/s")
        return "\n".join([*lines, self.standing])


class PathLimits(_Regions):
    """A motion near a person, judged at every sample: an estimate for design."""

    def __init__(
        self, standing: dict[str, Any], robot_mass: Floats, push: Floats | None, speed: Floats, t: Floats | None
    ) -> None:
        super().__init__(standing, robot_mass, push)
        #: Time of each sample, (N,) [s]; ``None`` if it was not given.
        self.t: Floats | None = t
        #: Speed of the tip, (N,) [m/s].
        self.tip_speed: Floats = speed
        with np.errstate(invalid="ignore"):
            #: T_c = ½ m_R v², (N,) [J].
            self.impact_energy: Floats = np.where(speed == 0, 0.0, 0.5 * robot_mass * speed**2)
            force = speed[:, None] * np.sqrt(self.reduced_mass * self.stiffness)
        #: Predicted force F = v √(μ k) by region, (N, regions) [N]; NaN where the limits file has no limit or no body mass.
        self.force: Floats = np.where(speed[:, None] == 0, 0.0, force)
        self.force[:, np.isnan(self.limit)] = np.nan

    def __len__(self) -> int:
        return len(self.tip_speed)

    @property
    def utilisation(self) -> Floats:
        """Predicted force divided by its limit, of the region that uses most of it, (N,)."""
        most: Floats = np.nanmax(self.force / self.limit, axis=1)
        return most

    @property
    def too_fast(self) -> NDArray[np.bool_]:
        """Which samples are faster than allowed, (N,)."""
        found: NDArray[np.bool_] = self.tip_speed > self.allowed
        return found

    def stretches(self) -> list[tuple[int, int, float]]:
        """Consecutive samples that are too fast: the first, the last (from 0), and the least speed that is allowed there [m/s]."""
        fast = np.concatenate([[False], self.too_fast, [False]])
        ends = np.flatnonzero(np.diff(fast.astype(np.int8)))
        return [(int(a), int(b) - 1, float(self.allowed[a:b].min())) for a, b in zip(ends[::2], ends[1::2])]

    def __repr__(self) -> str:
        worst = int(np.argmax(self.utilisation))
        region = self.regions[int(np.nanargmax(self.force[worst] / self.limit))]
        peak = f"the largest predicted force is {100 * self.utilisation[worst]:.3g} % of its limit, at sample {worst} ({region})"
        slow = ", ".join(f"samples {a}-{b} to {allowed:.3g} m/s" for a, b, allowed in self.stretches()[:3])
        return f"{len(self)} samples: {f'slow {slow}; ' if slow else ''}{peak}\n{self.standing}"


class Skin:
    """m_eff and permitted speed on the visible points of a robot's surface in one pose, one entry per point in every array."""

    def __init__(self, answer: str, columns: dict[str, Any], bodies: list[str]) -> None:
        self._data: dict[str, Any] = json.loads(answer)
        #: Names of the bodies, and ``ground`` behind them.
        self.bodies: list[str] = [*bodies, "ground"]
        #: The body of each point, as a position in :attr:`bodies`, (P,).
        self.body: NDArray[np.uint64] = columns["body"]
        #: Where each point is in the world, (P, 3) [m].
        self.position: Floats = columns["position"]
        #: The outward unit normal in world axes, (P, 3).
        self.normal: Floats = columns["normal"]
        #: m_eff along the normal, (P,) [kg]; inf where nothing moves along it, as on the ground.
        self.effective_mass: Floats = columns["effective_mass"]
        #: The speed along the normal that all regions allow with a clamped person, (P,) [m/s]; NaN if no region has a quasi-static limit.
        self.permitted_speed: Floats = columns["permitted_speed"]

    @property
    def cautions(self) -> list[Caution]:
        """Everything a user must know to trust the answer."""
        return VerbAnswer(self._data).cautions

    @property
    def worst(self) -> list[Answer]:
        """The worst points, the worst first."""
        return [Answer(point) for point in self._data["worst"]]

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        return str(self._data["sentence"])

    def to_dict(self) -> dict[str, Any]:
        """Everything but the columns, as ``carom tip --skin --format json`` prints it."""
        copy: dict[str, Any] = json.loads(json.dumps(self._data))
        return copy

    def __len__(self) -> int:
        return len(self.effective_mass)

    def __repr__(self) -> str:
        return f"{len(self)} visible points: {self.sentence}"
