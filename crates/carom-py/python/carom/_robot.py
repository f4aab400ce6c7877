"""A robot and its tip: how heavy it is in every direction, and how fast it may move near a person."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _carom
from ._answer import Caution, VerbAnswer, warn
from ._errors import CaromError, StateError, UnknownNameError
from ._limits import PathLimits, Skin, SpeedLimits, limits_source, standing_of
from ._machine import Edits, Machine, _edit, _names, _number
from ._states import Floats, finite, floats, threads_or_all, warn_of_masks

#: The robot masses that an answer may use, by their names in the model file and in answers.
MASSES = ("standard", "free", "locked")


class Robot:
    """A robot with a tip, a payload and motors. It does not change; :meth:`with_` gives another one.

    ``source`` is a robot's file (URDF or MJCF), a model file, or a :class:`Machine`. ``tip`` is a link, a body or a marker
    (``body.marker``, or ``marker`` where that is unique); without it the marker ``tip``. ``payload`` is a point mass [kg] (or a
    text such as ``"1.5 kg"``) at the tip, or at ``payload_at`` [m] in the frame of the tip's body. ``rotors`` are reflected rotor
    inertias [kg m² or kg]: by joint, or one for each joint in the order of :attr:`Machine.joints`; those that are not named are as
    in the file. ``locked`` are joints that do not give way in an impact.

    Of a robot's file: ``base`` (``"fixed"`` or ``"floating"``), ``drop`` (links that are left out with all they carry), ``weld``
    (joints that are taken as fixed) and ``keyframe`` (the pose of an MJCF in which the robot stands). ``packages`` are the folders of
    ``package://NAME/…`` and others in which mesh files may lie, by name.

    Positions q are (nq,) or any batch (..., nq), directions n (3,) or (..., 3) in world axes, of any length. Leading axes follow the
    rules of NumPy's broadcasting: q (N, nq) and n (N, 3) are N pairs, q (N, 1, nq) and n (K, 3) all N × K combinations.

    >>> r = Robot("models/robots/arm.urdf", tip="tool_tip")
    >>> float(r.m_eff(np.zeros(6), [1, 0, 0]))  # doctest: +SKIP
    """

    __slots__ = ("_machine", "_asked", "_cautions")
    _machine: Machine
    _asked: _carom._TipAsked
    _cautions: list[Caution]

    def __init__(
        self,
        source: str | os.PathLike[str] | Machine,
        tip: str | None = None,
        payload: float | str = 0.0,
        rotors: Mapping[str, float | str] | Sequence[float] | None = None,
        *,
        payload_at: ArrayLike | str | None = None,
        locked: str | Iterable[str] = (),
        base: str = "fixed",
        drop: str | Iterable[str] = (),
        weld: str | Iterable[str] = (),
        keyframe: str | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        sets: Edits | None = None,
    ) -> None:
        folders = [(_text("packages", name), os.fsdecode(folder)) for name, folder in (packages or {}).items()]
        machine = _opened(source, base, _names("drop", drop), _names("weld", weld), keyframe, folders)
        if sets:
            machine = machine.with_(sets=sets)
        machine = _with_rotors(machine, rotors)
        self._machine = machine
        joints = [_own_name(name, machine.joints) for name in _names("locked", locked)]
        self._asked = {
            "tip": "tip" if tip is None else _text("tip", tip),
            "payload": _quantity("payload", payload, " [kg]"),
            "payload_at": None if payload_at is None else _place(payload_at),
            "locked": joints,
            "mass": None,
        }
        data = self._first()
        self._asked["tip"] = data["tip"]
        self._cautions = VerbAnswer(data).cautions

    def _first(self) -> dict[str, Any]:
        """The answer in the file's own pose; a tip that a robot's file calls otherwise than the model is looked for, too."""
        try:
            data: dict[str, Any] = json.loads(_carom.tip(self._machine._native, self._asked, [], [], None))
            return data
        except CaromError:
            mapped = _mapped(self._asked["tip"])
            if mapped == self._asked["tip"]:
                raise
            asked: _carom._TipAsked = {**self._asked, "tip": mapped}
            try:
                data = json.loads(_carom.tip(self._machine._native, asked, [], [], None))
                return data
            except CaromError:
                pass
            raise

    def with_(
        self,
        *,
        tip: str | None = None,
        payload: float | str | None = None,
        payload_at: ArrayLike | str | None = None,
        rotors: Mapping[str, float | str] | Sequence[float] | None = None,
        locked: str | Iterable[str] | None = None,
        parameters: Edits | None = None,
        sets: Edits | None = None,
    ) -> Robot:
        """Another robot: with another tip, payload, rotors, locked joints, or with other values of its file."""
        machine = self._machine.with_(parameters=parameters, sets=sets)
        return Robot(
            machine,
            self._asked["tip"] if tip is None else tip,
            self._asked["payload"] if payload is None else payload,
            rotors,
            payload_at=self._asked["payload_at"] if payload_at is None else payload_at,
            locked=self._asked["locked"] if locked is None else locked,
        )

    # What it is.

    @property
    def machine(self) -> Machine:
        """The machine, without the payload."""
        return self._machine

    @property
    def tip(self) -> str:
        """The tip: ``body`` or ``body.marker``."""
        return self._asked["tip"]

    @property
    def locked(self) -> list[str]:
        """Joints that do not give way."""
        return list(self._asked["locked"])

    @property
    def joints(self) -> list[str]:
        """Names of the joints, in the order of their coordinates."""
        return self._machine.joints

    @property
    def nq(self) -> int:
        """How many positions there are."""
        return self._machine.nq

    @property
    def nv(self) -> int:
        """How many velocities there are."""
        return self._machine.nv

    @property
    def q(self) -> Floats:
        """Positions of the file's pose, (nq,) [m or rad]."""
        return self._machine.q

    @property
    def cautions(self) -> list[Caution]:
        """Everything a user must know to trust the numbers, such as motors that are not counted."""
        return list(self._cautions)

    def _key(self) -> tuple[Any, ...]:
        return (self._machine, json.dumps(self._asked))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Robot) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __copy__(self) -> Robot:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Robot:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._machine, self._asked)

    def __repr__(self) -> str:
        load = self._asked["payload"]
        unit = " kg" if re.fullmatch(r"[-+.\deE]+", load) else ""
        payload = "" if load == "0.0" else f", payload {load}{unit}"
        locked = f", locked: {', '.join(self.locked)}" if self.locked else ""
        return f"{self._machine!r}; tip: {self.tip}{payload}{locked}"

    # What it answers at many poses.

    def position(self, q: ArrayLike | None = None) -> Floats:
        """Where the tip is in the world, (..., 3) [m]."""
        return self._of_tip("position", q, None)

    def jacobian(self, q: ArrayLike | None = None, *, threads: int | None = None) -> Floats:
        """J of the tip's velocity along the world's axes, (..., 3, nv): J v = ẋ."""
        return self._of_tip("jacobian", q, threads)

    def lambda_inv(self, q: ArrayLike | None = None, *, threads: int | None = None) -> Floats:
        """The inverse Λ⁻¹ = J M⁻¹ Jᵀ of the operational-space inertia at the tip, (..., 3, 3) [1/kg].

        With closed loops, Y of the constrained machine stands in place of M⁻¹. Locked joints do not give way.
        """
        self._warn()
        return self._of_tip("mobility", q, threads)

    def m_eff(
        self,
        q: ArrayLike | None = None,
        n: ArrayLike | None = None,
        *,
        mass: str | None = None,
        threads: int | None = None,
    ) -> Any:
        """How heavy the tip is along n: m_eff = 1 / (nᵀ Λ⁻¹ n) [kg]; inf where nothing moves along n.

        A number for one pose and one direction, otherwise an array of the broadcast leading axes. ``mass``: ``"free"`` (all joints
        free), ``"locked"`` (the locked joints do not give way; this is the default where there are some) or ``"standard"`` (the constant
        of ISO/TS 15066: half the moving mass and the payload, in every pose and direction).
        """
        self._warn()
        return self._along(q, None, n, mass, threads)["effective_mass"]

    def T_c(
        self,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        n: ArrayLike | None = None,
        *,
        speed: ArrayLike | None = None,
        mass: str | None = None,
        threads: int | None = None,
    ) -> Any:
        """The energy of an impact at the tip along n: T_c = ½ m_eff u² [J] with u = nᵀ J v.

        ``v`` are joint velocities (..., nv) [m/s or rad/s]; instead of them ``speed`` may be given, that of the tip along n [m/s].
        The sign of u does not matter. inf where a joint that does not give way moves the tip.
        """
        self._warn()
        if (v is None) == (speed is None):
            raise StateError("T_c takes either the joint velocities v or the speed of the tip along n")
        if speed is not None:
            u = finite("speed", floats("speed", speed))
            m = np.asarray(self._along(q, None, n, mass, threads)["effective_mass"])
            moved, m = np.broadcast_arrays(*_same_batch(("speed", u), ("m_eff", m)))
            with np.errstate(invalid="ignore"):
                return np.where(moved == 0, 0.0, 0.5 * m * moved**2)[()]
        found = self._along(q, v, n, mass, threads)
        if mass == "standard":
            return (0.5 * found["effective_mass"] * found["contact_velocity"] ** 2)[()]
        return found["impact_energy"]

    def speed_limits(
        self,
        q: ArrayLike | None = None,
        n: ArrayLike | None = None,
        limits: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        clamped: bool = True,
        *,
        mass: str | None = None,
        area: float | str | None = None,
        padding: float | str | None = None,
        effort: ArrayLike | None = None,
        threads: int | None = None,
    ) -> SpeedLimits:
        """How fast the tip may move along n near a person: v_max = min(F, p A) / √(μ k) by region of the body (ISO/TS 15066).

        ``limits`` is a limits file, or a dictionary with the same words; without it the German recommendation of 2011, which has no body
        masses. ``clamped``: the person cannot give way (μ = m_R, quasi-static limits); otherwise 1/μ = 1/m_H + 1/m_R and transient
        limits. ``area`` of the pressure limits [m²], ``padding`` in series [N/m]; ``effort`` limits (nv,) [N m or N] for the static push,
        those of the file if they are not given.
        """
        standing = self._standing(limits, clamped, mass, area, padding)
        found = self._along(q, None, n, mass, threads)
        push = self._static_push(q, n, effort, threads) if clamped else None
        answer = SpeedLimits(standing, np.asarray(found["effective_mass"]), push)
        warn(answer.cautions)
        return answer

    def path(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        *,
        speed: ArrayLike | None = None,
        t: ArrayLike | None = None,
        limits: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        clamped: bool = True,
        mass: str | None = None,
        area: float | str | None = None,
        padding: float | str | None = None,
        effort: ArrayLike | None = None,
        threads: int | None = None,
    ) -> PathLimits:
        """Judges a motion near a person sample by sample, as ``carom near --path`` does.

        ``q`` (N, nq) with joint velocities ``v`` (N, nv), or with the ``speed`` of the tip [m/s] along its way; ``t`` (N,) [s]. The direction is
        that of the tip's motion; at rest that of the sample before. The other arguments are those of :meth:`speed_limits`.
        """
        return self._path(4, q, v, speed, t, limits, clamped, mass, area, padding, effort, threads)

    def _path(
        self,
        depth: int,
        q: ArrayLike,
        v: ArrayLike | None,
        speed: ArrayLike | None,
        t: ArrayLike | None,
        limits: Any,
        clamped: bool,
        mass: str | None = None,
        area: float | str | None = None,
        padding: float | str | None = None,
        effort: ArrayLike | None = None,
        threads: int | None = None,
    ) -> PathLimits:
        standing = self._standing(limits, clamped, mass, area, padding)
        all_q = finite("q", floats("q", q))
        if all_q.ndim != 2 or all_q.shape[1] != self.nq or len(all_q) == 0:
            raise StateError(f"q: an array of shape {all_q.shape}, expected (N, {self.nq}) with at least one sample")
        if (v is None) == (speed is None):
            raise StateError("path takes either the joint velocities v or the speed of the tip")
        if v is not None:
            rates = finite("v", floats("v", v))
            if rates.shape != (len(all_q), self.nv):
                raise StateError(f"v: an array of shape {rates.shape}, expected ({len(all_q)}, {self.nv})")
            motion = np.einsum("kij,kj->ki", self.jacobian(all_q, threads=threads), rates)
            speeds: Floats = np.linalg.norm(motion, axis=1)
        else:
            given = finite("speed", floats("speed", speed if speed is not None else 0.0))
            if given.shape not in ((), (len(all_q),)) or np.any(given < 0):
                raise StateError(f"speed: an array of shape {given.shape}, expected ({len(all_q)},) numbers of at least 0")
            speeds = np.ascontiguousarray(np.broadcast_to(given, len(all_q)))
            at = self.position(all_q)
            # The way between the neighbours of a sample; at the ends that to the only one.
            motion = at[np.minimum(np.arange(len(at)) + 1, len(at) - 1)] - at[np.maximum(np.arange(len(at)) - 1, 0)]
        time = None if t is None else finite("t", floats("t", t))
        if time is not None and time.shape != (len(all_q),):
            raise StateError(f"t: an array of shape {time.shape}, expected ({len(all_q)},)")
        along = directions(motion)
        found = self._along(all_q, None, along, mass, threads)
        push = self._static_push(all_q, along, effort, threads) if clamped else None
        answer = PathLimits(standing, np.asarray(found["effective_mass"]), push, speeds, time)
        warn(answer.cautions, depth)
        return answer

    def skin(
        self,
        q: ArrayLike | None = None,
        points: int = 20_000,
        limits: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        *,
        mass: str | None = None,
        area: float | str | None = None,
        padding: float | str | None = None,
    ) -> Skin | list[Skin]:
        """m_eff and permitted speed on every visible point of every link along its normal, as ``carom tip --skin`` answers.

        One pose (nq,) gives one skin, poses (N, nq) a list of them: which points are visible depends on the pose. ``points``: into about how
        many the surface is divided.
        """
        if isinstance(points, bool) or not isinstance(points, (int, np.integer)):
            raise TypeError(f"points: {points!r}, expected a whole number")
        poses = self._poses(q)
        if poses.ndim > 2:
            raise StateError(f"q: an array of shape {poses.shape}, expected ({self.nq},) or (N, {self.nq})")
        wanted = self._wanted(limits, True, area, padding)
        native, asked, bodies = self._machine._native, self._of(mass), self._machine.bodies
        count = max(0, int(points))
        found = [
            Skin(*_carom.skin(native, asked, pose.tolist(), wanted, count), bodies)
            for pose in poses.reshape(-1, self.nq)
        ]
        for caution in {repr(caution): caution for skin in found for caution in skin.cautions}.values():
            warn([caution])
        return found[0] if poses.ndim == 1 else found

    # What it answers at one pose.

    def assess(
        self,
        q: ArrayLike | None = None,
        n: ArrayLike | None = None,
        *,
        speed: float | None = None,
        mass: str | None = None,
    ) -> VerbAnswer:
        """Everything about the tip in one pose, as ``carom tip`` answers it.

        Λ⁻¹ and its principal directions, m_eff along the axes and along n, three robot masses side by side, and which bodies, rotors or
        payload it is made of; T_c at ``speed`` [m/s].
        """
        found = VerbAnswer(json.loads(_carom.tip(self._machine._native, self._of(mass), *self._one(q, n, speed))))
        warn(found.cautions)
        return found

    def save_report(
        self, path: str | os.PathLike[str], q: ArrayLike | None = None, n: ArrayLike | None = None
    ) -> None:
        """Writes the page of ``carom tip`` in one pose, one file that needs no other."""
        from ._report import save

        save(lambda: _carom.tip_page(self._machine._native, self._asked, *self._one(q, n, None)), path)

    # Figures.

    def draw(self, q: ArrayLike | None = None, ax: Any = None) -> Any:
        """Draws the robot in a pose; gives the axes of matplotlib."""
        return (self._machine if q is None else self._machine.with_(q=q, v=np.zeros(self.nv))).draw(ax)

    def plot_tip(self, q: ArrayLike | None = None, figure: Any = None) -> Any:
        """m_eff over all directions in one pose: half of the sphere (equal-area), three polar cuts, the arm beside it.

        Gives the figure of matplotlib.
        """
        from ._plot_robot import plot_tip

        self._warn()
        own = self.q if q is None else self._poses(q)
        if own.ndim != 1:
            raise StateError(f"q: an array of shape {own.shape}, expected one pose ({self.nq},)")
        return plot_tip(self, own, figure)

    def plot_path(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        *,
        speed: ArrayLike | None = None,
        t: ArrayLike | None = None,
        limits: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        clamped: bool = True,
        axes: Any = None,
        **more: Any,
    ) -> Any:
        """A motion near a person over time: robot mass, speed beside the speed that is allowed, and how much of the limit is used.

        Takes what :meth:`path` takes; gives the figure of matplotlib.
        """
        from ._plot_robot import plot_path

        return plot_path(self._path(4, q, v, speed, t, limits, clamped, **more), axes)

    # How arrays travel.

    def _warn(self, depth: int = 4) -> None:
        warn(self._cautions, depth)

    def _of(self, mass: str | None) -> _carom._TipAsked:
        if mass is not None and mass not in MASSES:
            raise ValueError(f"mass: {mass!r}, expected one of {', '.join(MASSES)}")
        if mass == "locked" and not self._asked["locked"]:
            raise ValueError("mass: 'locked', but no joint of the robot is locked")
        return {**self._asked, "mass": mass}

    def _poses(self, q: ArrayLike | None) -> Floats:
        given = self.q if q is None else finite("q", floats("q", q))
        if given.ndim < 1 or given.shape[-1] != self.nq:
            raise StateError(f"q: an array of shape {given.shape}, expected ({self.nq},) or (..., {self.nq})")
        return given

    def _directions(self, n: ArrayLike | None) -> Floats:
        if n is None:
            raise StateError("n is missing: the direction in world axes, such as [1, 0, 0]")
        given = finite("n", floats("n", n))
        planar = self._machine.planar
        wanted = "(2,) or (3,)" if planar else "(3,)"
        if given.ndim < 1 or not (given.shape[-1] == 3 or planar and given.shape[-1] == 2):
            raise StateError(f"n: an array of shape {given.shape}, expected {wanted} or a batch of them")
        if given.shape[-1] == 2:
            given = np.concatenate([given, np.zeros((*given.shape[:-1], 1))], axis=-1)
        length = np.linalg.norm(given, axis=-1)
        if np.any(length == 0):
            at = [int(k) for k in np.argwhere(length == 0)[0]]
            raise StateError(f"n{at or ''} is the zero vector, expected a direction")
        if planar and np.any(given[..., 2] != 0):
            raise StateError("n: a planar model has no direction along z")
        return given

    def _of_tip(self, name: str, q: ArrayLike | None, threads: int | None) -> Floats:
        poses = self._poses(q)
        flat = np.ascontiguousarray(poses.reshape(-1, self.nq))
        found = _carom.tip_inertia(self._machine._native, self._asked, flat, threads_or_all(threads))[name]
        return found.reshape(*poses.shape[:-1], *found.shape[1:])

    def _along(
        self, q: ArrayLike | None, v: ArrayLike | None, n: ArrayLike | None, mass: str | None, threads: int | None
    ) -> dict[str, Any]:
        """m_eff, u and T_c of all pairs of states and directions, in the shape of the broadcast."""
        asked = self._of(mass)
        poses, normals = self._poses(q), self._directions(n)
        rates = np.zeros(self.nv) if v is None else finite("v", floats("v", v))
        if rates.ndim < 1 or rates.shape[-1] != self.nv:
            raise StateError(f"v: an array of shape {rates.shape}, expected ({self.nv},) or (..., {self.nv})")
        batch = ("q", poses[..., 0]), ("v", rates[..., 0]), ("n", normals[..., 0])
        shape = np.broadcast_shapes(*(array.shape for array in _same_batch(*batch)))
        of_states = np.broadcast_shapes(poses.shape[:-1], rates.shape[:-1])
        all_q = np.ascontiguousarray(np.broadcast_to(poses, (*of_states, self.nq)).reshape(-1, self.nq))
        all_v = np.ascontiguousarray(np.broadcast_to(rates, (*of_states, self.nv)).reshape(-1, self.nv))
        count = np.arange(len(all_q), dtype=np.int64).reshape(of_states)
        state: NDArray[np.int64] = np.ascontiguousarray(np.broadcast_to(count, shape)).reshape(-1)
        all_n = np.ascontiguousarray(np.broadcast_to(normals, (*shape, 3)).reshape(-1, 3))
        native = self._machine._native
        found = _carom.tip_along(native, asked, all_q, all_v, state, all_n, threads_or_all(threads))
        warn_of_masks(found["caution_bits"], 5)
        out = {name: values.reshape(shape)[()] for name, values in found.items()}
        if mass == "standard":
            standard = json.loads(_carom.tip(native, asked, [], [], None))["standard_mass"]
            out["effective_mass"] = np.full(shape, standard)[()]
        return out

    def _one(
        self, q: ArrayLike | None, n: ArrayLike | None, speed: float | None
    ) -> tuple[list[float], list[list[float]], float | None]:
        pose: list[float] = []
        if q is not None:
            given = self._poses(q)
            if given.ndim != 1:
                raise StateError(f"q: an array of shape {given.shape}, expected one pose ({self.nq},)")
            pose = given.tolist()
        normals: list[list[float]] = [] if n is None else self._directions(n).reshape(-1, 3).tolist()
        return pose, normals, _number("speed", speed, " [m/s]")

    def _wanted(
        self, limits: Any, clamped: bool, area: float | str | None, padding: float | str | None
    ) -> _carom._NearAsked:
        return {
            "limits": limits_source(limits),
            "area": None if area is None else _quantity("area", area, " [m²]"),
            "padding": None if padding is None else _quantity("padding", padding, " [N/m]"),
            "free": not clamped,
        }

    def _standing(
        self, limits: Any, clamped: bool, mass: str | None, area: float | str | None, padding: float | str | None
    ) -> dict[str, Any]:
        wanted = self._wanted(limits, clamped, area, padding)
        return standing_of(_carom.near(self._machine._native, self._of(mass), wanted), bool(clamped))

    def _static_push(
        self, q: ArrayLike | None, n: ArrayLike | None, effort: ArrayLike | None, threads: int | None
    ) -> Floats | None:
        """The force with which the joints can push along n at rest: the least of effort / |J_n| [N]; none if it is unknown."""
        free, loops, own = _carom.joint_efforts(self._machine._native, self._asked["locked"])
        if effort is not None:
            efforts = finite("effort", floats("effort", effort))
            if efforts.shape != (self.nv,) or np.any(efforts <= 0):
                raise StateError(f"effort: {efforts.tolist()}, expected {self.nv} positive numbers")
        elif any(x is None for x, moves in zip(own, free) if moves):
            return None
        else:
            efforts = np.array([np.inf if x is None else x for x in own])
        if loops:
            return None
        normals = self._directions(n)
        units = normals / np.linalg.norm(normals, axis=-1, keepdims=True)
        J = self.jacobian(q, threads=threads)
        arms = np.abs(np.einsum("...i,...ij->...j", units, J)) * np.array(free)
        # Columns below this part of the largest push nothing: round-off.
        lever = arms > 1e-12 * arms.max(axis=-1, keepdims=True, initial=0.0)
        with np.errstate(divide="ignore"):
            push: Floats = np.where(lever, efforts / arms, np.inf).min(axis=-1)
        return push


def directions(motion: Floats) -> Floats:
    """Directions of a motion (N, 3); a sample at rest has that of the one before it, the first ones that of the first that moves."""
    moves = np.flatnonzero(np.any(motion != 0, axis=1))
    if len(moves) == 0:
        return np.tile([1.0, 0.0, 0.0], (len(motion), 1))
    last = np.searchsorted(moves, np.arange(len(motion)), side="right") - 1
    return motion[moves[np.maximum(last, 0)]]


def _same_batch(*arrays: tuple[str, Floats]) -> list[Floats]:
    try:
        np.broadcast_shapes(*(array.shape for _, array in arrays))
    except ValueError:
        shapes = ", ".join(f"{what} {array.shape}" for what, array in arrays)
        raise StateError(f"different batches, which NumPy cannot broadcast: {shapes}") from None
    return [array for _, array in arrays]


def _mapped(name: str) -> str:
    """A name of a robot's file as the model file has it."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def _own_name(name: str, known: Sequence[str]) -> str:
    """The name in the model of what a robot's file calls so."""
    return name if name in known else _mapped(name)


def _text(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what}: {value!r}, expected a name")
    return value


def _quantity(what: str, value: Any, unit: str) -> str:
    """A number, or a text with its unit, as a text."""
    if isinstance(value, str):
        return value
    number = _number(what, value, unit)
    if number is None:
        raise TypeError(f"{what}: {value!r}, expected a number{unit}")
    return repr(number)


def _place(value: ArrayLike | str) -> str:
    if isinstance(value, str):
        return value
    numbers = finite("payload_at", floats("payload_at", value))
    if numbers.shape not in ((2,), (3,)):
        raise StateError(f"payload_at: an array of shape {numbers.shape}, expected three numbers [m]")
    return ", ".join(repr(float(x)) for x in numbers)


def _opened(
    source: Any, base: str, drop: list[str], weld: list[str], keyframe: str | None, packages: list[tuple[str, str]]
) -> Machine:
    if base not in ("fixed", "floating"):
        raise ValueError(f"base: {base!r}, expected 'fixed' or 'floating'")
    changed = base != "fixed" or drop or weld or keyframe is not None
    if isinstance(source, Machine):
        if changed or packages:
            raise TypeError("base, drop, weld, keyframe and packages go with a robot's file, not with a machine that was made from it")
        return source
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"source: a {type(source).__name__}, expected the path of a file or a Machine")
    if not changed:
        return Machine(_carom.Machine.open(os.fsdecode(source), [], packages)) if packages else Machine.open(source)
    imported: _carom._Imported = {
        "floating": base == "floating",
        "drop": drop,
        "weld": weld,
        "keyframe": keyframe,
        "packages": packages,
    }
    return Machine(_carom.import_robot(os.fsdecode(source), imported))


def _with_rotors(machine: Machine, rotors: Any) -> Machine:
    if rotors is None:
        return machine
    if isinstance(rotors, str):
        raise TypeError(f"rotors: {rotors!r}, expected rotor inertias by joint, or one for each joint")
    joints = machine.joints
    if not isinstance(rotors, Mapping):
        values = list(rotors)
        if len(values) != len(joints):
            raise StateError(f"rotors: {len(values)} numbers, expected {len(joints)}, one for each of {', '.join(joints)}")
        rotors = dict(zip(joints, values))
    edits = {}
    for joint, value in rotors.items():
        own = _own_name(_text("rotors", joint), joints)
        if own not in joints:
            raise UnknownNameError(f"rotors: there is no joint `{joint}`; there is {', '.join(joints)}")
        edits[f"joints.{own}.rotor"] = value if isinstance(value, str) else _edit(f"rotors.{joint}", value)
    moved = machine._moved
    state = (machine.q, machine.v)
    changed = machine.with_(sets=edits)
    return changed.with_(q=state[0], v=state[1]) if moved else changed


def _restored(machine: Machine, asked: _carom._TipAsked) -> Robot:
    """A robot from what was stored of it."""
    return Robot(
        machine, asked["tip"], asked["payload"], payload_at=asked["payload_at"], locked=asked["locked"]
    )
