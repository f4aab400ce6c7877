"""The front door: a machine that is opened, assessed, struck and run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from . import _carom
from ._answer import AssessAnswer, ImpactAnswer, VerbAnswer, warn
from ._errors import LawError, StateError
from ._states import Floats, StatesAssessment, copied, finite, floats, paired, threads_or_all, warn_of_bits
from ._toml import to_toml, value_text

if TYPE_CHECKING:
    from ._carom import StateAssessment
    from ._design import UncertaintyAnswer
    from ._fit import FitAnswer
    from ._run import Run

#: Edits: a number, or a text with its unit such as ``"30 deg"``.
Edits = Mapping[str, "str | float | int | bool | Sequence[Any] | np.generic | np.ndarray[Any, Any]"]


def _sets(parameters: Edits | None, sets: Edits | None) -> list[tuple[str, str]]:
    for what, given in (("parameters", parameters), ("sets", sets)):
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(f"{what}: a {type(given).__name__}, expected a dictionary of names and values")
    out = [(f"parameters.{name}", _edit(name, value)) for name, value in (parameters or {}).items()]
    out += [(path, _edit(path, value)) for path, value in (sets or {}).items()]
    return out


def _edit(path: str, value: Any) -> str:
    return value if isinstance(value, str) else value_text(path, value)


def _names(what: str, given: str | Iterable[str] | None) -> list[str]:
    """One name, several, or none."""
    if given is None or isinstance(given, str):
        return [] if given is None else [given]
    names = list(given) if isinstance(given, Iterable) else [given]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what}: {given!r}, expected a name or a list of names")
    return names


def _number(what: str, value: Any, unit: str = "") -> float | None:
    """A real number, or nothing."""
    if value is None:
        return None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{what}: {value!r}, expected a number{unit}")
    return float(value)


def _restitution(value: Any) -> float | None:
    number = _number("restitution", value)
    if number is not None and not 0 <= number <= 1:
        raise LawError(f"restitution: {value!r}, expected a number from 0 to 1")
    return number


class Machine:
    """A machine: model and state. It does not change; :meth:`with_` gives another one.

    >>> m = Machine.open("models/000/slider-crank.toml", parameters={"theta": "30 deg"})
    >>> m.assess("faces").effective_mass
    0.801475121638498
    """

    __slots__ = ("_native", "_moved")
    _native: _carom.Machine
    #: Whether the state is not that of the files.
    _moved: bool

    def __init__(self, native: _carom.Machine, moved: bool = False) -> None:
        if not isinstance(native, _carom.Machine):
            raise TypeError("a machine is made by Machine.open, Machine.from_text or Machine.from_dict")
        self._native = native
        self._moved = moved

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], parameters: Edits | None = None, sets: Edits | None = None
    ) -> Machine:
        """Opens a model file: reads, checks and assembles it.

        ``parameters`` are values of the file's ``[parameters]``; ``sets`` edits any key by its path, as ``--set`` does.
        """
        return cls(_carom.Machine.open(os.fsdecode(path), _sets(parameters, sets)))

    @classmethod
    def from_text(
        cls, text: str, parameters: Edits | None = None, sets: Edits | None = None, name: str = "text"
    ) -> Machine:
        """Reads the model from a text in the format of model files; ``name`` stands for the file in messages."""
        return cls(_carom.Machine.from_files([(name, text)], _sets(parameters, sets)))

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], parameters: Edits | None = None, sets: Edits | None = None
    ) -> Machine:
        """Builds the model from a dictionary with the same words as a model file; ``carom`` may be left out."""
        text = to_toml({"carom": 1, **data})
        return cls.from_text(text, parameters, sets, name="dictionary")

    def with_(
        self,
        parameters: Edits | None = None,
        sets: Edits | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> Machine:
        """Another machine: with other values of its file, or at another state, which must keep the closures.

        With other values the state is that of the edited file.
        """
        edits = _sets(parameters, sets)
        native, moved = self._native, self._moved
        if edits:
            native, moved = _carom.Machine.from_files(native.files(), [*native.sets(), *edits]), False
        if q is not None or v is not None:
            _, own_q, own_v = native.state()
            new_q = np.array(own_q) if q is None else floats("q", q)
            new_v = np.array(own_v) if v is None else floats("v", v)
            for what, found, expected in (("q", new_q, len(own_q)), ("v", new_v, len(own_v))):
                if found.shape != (expected,):
                    raise StateError(f"{what}: an array of shape {found.shape}, expected ({expected},)")
                finite(what, found)
            native, moved = native.with_state(new_q.tolist(), new_v.tolist()), True
        return Machine(native, moved)

    # What it is.

    @property
    def title(self) -> str:
        """The title of the model."""
        return self._native.title()

    @property
    def planar(self) -> bool:
        """Whether it moves in a plane."""
        return self._native.is_planar()

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return self._native.names()[0]

    @property
    def joints(self) -> list[str]:
        """Names of the joints, in the order of their coordinates."""
        return self._native.names()[1]

    @property
    def contacts(self) -> list[str]:
        """Names of the contacts."""
        return self._native.names()[2]

    @property
    def events(self) -> list[str]:
        """Names of the file's own events."""
        return self._native.names()[3]

    @property
    def coordinates(self) -> list[str]:
        """Names of all positions with their units: one entry of q each."""
        return self._native.coordinates()[0]

    @property
    def velocities(self) -> list[str]:
        """Names of all velocities with their units: one entry of v each."""
        return self._native.coordinates()[1]

    @property
    def nq(self) -> int:
        """How many positions there are."""
        return self._native.sizes()[0]

    @property
    def nv(self) -> int:
        """How many velocities there are."""
        return self._native.sizes()[1]

    @property
    def t(self) -> float:
        """The time of the state [s]."""
        return self._native.state()[0]

    @property
    def q(self) -> Floats:
        """Positions of the state, (nq,) [m or rad]."""
        return np.array(self._native.state()[1], dtype=np.float64)

    @property
    def v(self) -> Floats:
        """Velocities of the state, (nv,) [m/s or rad/s]."""
        return np.array(self._native.state()[2], dtype=np.float64)

    @property
    def text(self) -> str:
        """The text of the model file; of one that completes another, its own part."""
        return self._native.files()[-1][1]

    @property
    def input_hash(self) -> str:
        """A hash of the model after all edits; the same machine has the same one, however its file is called."""
        return self._native.fingerprint()

    def _key(self) -> tuple[Any, ...]:
        return (self._native.fingerprint(), repr(self._native.state()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Machine) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __copy__(self) -> Machine:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Machine:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        state = self._native.state()[1:] if self._moved else None
        return _restored, (self._native.files(), self._native.sets(), state)

    def __repr__(self) -> str:
        kind = "planar" if self.planar else "spatial"
        contacts = ", ".join(self.contacts) or "none"
        return (
            f"{self.title or self._native.files()[-1][0]}: {kind}, {len(self.bodies)} bodies, "
            f"nq = {self.nq}, nv = {self.nv}; contacts: {contacts}"
        )

    # What it answers.

    def check(self) -> VerbAnswer:
        """What was understood of the file: bodies, pose, freedoms, energies, accelerations, reactions."""
        return VerbAnswer(json.loads(self._native.check()))

    @overload
    def assess(
        self,
        contact: str | Sequence[str] | None = ...,
        q: None = ...,
        v: None = ...,
        *,
        threads: int | None = ...,
        locked: Iterable[str] = ...,
        cone: float | None = ...,
        gradients: bool = ...,
        rivals: bool = ...,
        routes: bool = ...,
        projectors: bool = ...,
    ) -> AssessAnswer: ...

    @overload
    def assess(
        self, contact: str | None, q: ArrayLike, v: ArrayLike, *, threads: int | None = ...
    ) -> StatesAssessment | StateAssessment: ...

    def assess(
        self,
        contact: str | Sequence[str] | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        *,
        threads: int | None = None,
        locked: Iterable[str] = (),
        cone: float | None = None,
        gradients: bool = False,
        rivals: bool = False,
        routes: bool = False,
        projectors: bool = False,
    ) -> AssessAnswer | StatesAssessment | StateAssessment:
        """How heavy a contact feels, and how much energy an impact there can use.

        Without ``q`` and ``v``: the whole answer at the machine's own state; ``contact`` is a name, several, or all.
        With ``q`` (nq,) and ``v`` (nv,): the core at that state. With (N, nq) and (N, nv): the core at N states in
        arrays. States are taken as they are; one whose closures are open is marked, not assembled.

        ``locked``: joints to compare with locked. ``cone``: half angle [rad] about the normal over which extremes are
        sought. ``gradients``, ``rivals``, ``routes``, ``projectors``: what to compute beside.
        """
        if q is not None and v is not None:
            # The way of one state given as arrays is short: it is asked in loops.
            if threads is not None:
                threads_or_all(threads)
            if contact is None or isinstance(contact, str):
                core = self._native.core(contact, q, v)
                if core is not None:
                    if core.caution_bits:
                        warn_of_bits(core)
                    return core
            return self._assess_states(contact, q, v, threads)
        if q is not None or v is not None:
            missing, given = ("q", "v") if q is None else ("v", "q")
            raise StateError(
                f"{missing} is missing: {given} was given alone (m_eff does not depend on v: give zeros)"
            )
        names = _names("contact", contact)
        angle = _number("cone", cone, " [rad]")
        if angle is not None and not 0 <= angle <= np.pi / 2:
            raise ValueError(f"cone: {cone!r}, expected a half angle from 0 to π/2 [rad]")
        asked: _carom._Asked = {
            "locked": _names("locked", locked),
            "cone": angle,
            "gradients": gradients,
            "rivals": rivals,
            "routes": routes,
            "projectors": projectors,
        }
        data = json.loads(self._native.assess(names, asked))
        answer = AssessAnswer(data, lambda: self._native.assess_page(names, asked), lambda ax: self._drawn(data, ax))
        warn(answer.cautions)
        return answer

    def _assess_states(
        self, contact: Any, q: ArrayLike, v: ArrayLike, threads: int | None
    ) -> StatesAssessment | StateAssessment:
        if contact is not None and not isinstance(contact, str):
            raise TypeError(f"contact: {contact!r}, expected one name with states given as arrays")
        arrays = ("q", floats("q", q), self.nq), ("v", floats("v", v), self.nv)
        (all_q, all_v), single = paired(*arrays)
        found: StatesAssessment | StateAssessment | None
        if single:
            found = self._native.core(contact, all_q[0], all_v[0])
            assert found is not None
            if found.caution_bits:
                warn_of_bits(found, 4)
            return found
        # Rows and gradients are computed when they are asked for, at the states as they are now.
        threads = threads_or_all(threads)
        all_q, all_v = (
            copied(new, threads) if np.may_share_memory(new, old) else new for new, old in ((all_q, q), (all_v, v))
        )
        found = StatesAssessment(self, contact, all_q, all_v, threads)
        warn_of_bits(found, 4)
        return found

    def impact(
        self,
        law: str | Sequence[str] | None = None,
        restitution: float | None = None,
        friction: float | str | None = None,
        removal: str | None = None,
    ) -> ImpactAnswer:
        """Velocities and impulses after an impact at the closed contacts, by one or several impact laws.

        ``restitution`` and ``friction`` (a coefficient, ``"stick"`` or ``"none"``) of every contact stand in place of the
        file's; ``removal`` (``one-pass``, ``repeated``) is how the law ``generalised`` chooses its rows.
        """
        asked: _carom._Struck = {
            "laws": _names("law", law),
            "restitution": _restitution(restitution),
            "friction": None if friction is None else _edit("friction", friction),
            "removal": removal,
        }
        data = json.loads(self._native.impact(asked))
        answer = ImpactAnswer(data, lambda: self._native.impact_page(asked))
        warn(answer.cautions)
        return answer

    def run(
        self,
        until: float | None = None,
        law: str | Sequence[str] | None = None,
        method: str | None = None,
        tolerance: float | None = None,
        impact: str | None = None,
        samples: str | None = None,
        poses: bool = False,
        reactions: bool = False,
        progress: Any = False,
        max_steps: int | None = None,
        max_time: float | None = None,
    ) -> Run:
        """The motion over time with all its impacts.

        ``until`` [s]; ``law``: the contact law of every contact, several are compared; ``method``: ``continuous`` (force
        laws) or ``piecewise`` (impulses); ``impact``: the impact law of a piecewise run; ``samples="all"`` keeps every
        sample of the engine; ``poses`` and ``reactions`` add columns. ``progress``: ``True`` for a line on stderr, or a
        function of t, until, steps and impacts. What is not given is as the file states it. A run stops after ``max_steps``
        (ten million unless given) or ``max_time`` seconds of computing, and says why it came no further.

        Ctrl-C raises :class:`RunInterrupted` with the run so far; a run that stops early raises
        :class:`SimulationError` with it.
        """
        from ._run import started

        budget = (max_steps, max_time)
        return started(self, until, law, method, tolerance, impact, samples, poses, reactions, progress, *budget)

    def fit(
        self,
        data: str | os.PathLike[str] | Mapping[str, Any] | Any,
        contact: str | None = None,
        laws: str | Sequence[str] | None = None,
        *,
        fix: Mapping[str, float] | None = None,
        over_speed: bool = False,
        robust: bool = False,
        level: float = 0.95,
        speed: float | str | None = None,
        onset: float | str | None = None,
        interval: float | str | None = None,
        averaged: bool = False,
        threads: int | None = None,
    ) -> FitAnswer:
        """Which contact law describes measured impacts, or forces over time, with which parameters, and how sure they are.

        ``data`` is the path of a CSV file, or its columns: a dictionary or a DataFrame with the file's headings
        (``{"approach_speed [m/s]": …, "peak_force [N]": …}``; ``None`` and NaN were not measured). ``contact``: the only one unless
        given. ``laws``: a name or several; all of the catalogue unless given. ``fix``: parameters that are given, in SI units
        (``{"exponent": 1.5}``). ``over_speed``: the restitution falls with the approach speed. ``robust``: outliers count linearly
        (Huber). ``level``: confidence of the intervals. ``speed`` [m/s]: the approach speed, where neither data nor model state it;
        ``onset`` [s]: when the impact of a signal begins; ``interval`` [s]: the time between samples without a column of time;
        ``averaged``: a sample is the mean force since the one before. The number of threads changes no digit.
        """
        from ._fit import fitted

        return fitted(
            self,
            data,
            contact=contact,
            laws=laws,
            fix=fix,
            over_speed=over_speed,
            robust=robust,
            level=level,
            speed=speed,
            onset=onset,
            interval=interval,
            averaged=averaged,
            threads=threads,
        )

    def uncertainty(
        self, *, parameters: Edits | None = None, sets: Edits | None = None, threads: int | None = None
    ) -> UncertaintyAnswer:
        """How sure the numbers of the design are, by the ``[uncertainty]`` of its file: :func:`carom.uncertainty`."""
        from ._design import uncertainty

        return uncertainty(self, parameters=parameters, sets=sets, threads=threads)

    # What a user of a dynamics library expects to find.

    def _own(self, q: ArrayLike | None, v: ArrayLike | None) -> tuple[Floats, Floats, bool]:
        given = self.q if q is None else finite("q", floats("q", q))
        rates = (self.v if q is None else np.zeros(self.nv)) if v is None else finite("v", floats("v", v))
        (all_q, all_v), single = paired(("q", given, self.nq), ("v", rates, self.nv))
        return all_q, all_v, single

    def mass_matrix(self, q: ArrayLike | None = None) -> Floats:
        """The mass matrix M of all joint velocities, (nv, nv), or (N, nv, nv) for q (N, nq)."""
        all_q, all_v, single = self._own(q, None)
        found = self._native.mass_matrix(all_q, all_v)
        return found[0] if single else found

    def bias(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> Floats:
        """The bias h of M v̇ + h = Dᵀ λ + effort: velocity terms, gravity and loads [N or N m], (nv,) or (N, nv)."""
        if (q is None) != (v is None):
            raise StateError("bias takes q and v together, or neither")
        all_q, all_v, single = self._own(q, v)
        found = self._native.bias(all_q, all_v)
        return found[0] if single else found

    def forward_dynamics(
        self, q: ArrayLike | None = None, v: ArrayLike | None = None, effort: ArrayLike | None = None
    ) -> Floats:
        """Accelerations v̇ under the machine's loads and joint efforts [N or N m], (nv,) or (N, nv)."""
        if (q is None) != (v is None):
            raise StateError("forward_dynamics takes q and v together, or neither")
        all_q, all_v, single = self._own(q, v)
        given = np.zeros(self.nv) if effort is None else finite("effort", floats("effort", effort))
        single = single and given.ndim == 1
        arrays = ("q", all_q, self.nq), ("v", all_v, self.nv), ("effort", given, self.nv)
        if single or all_q.shape[0] == 1:
            arrays = ("q", all_q[0], self.nq), ("v", all_v[0], self.nv), ("effort", given, self.nv)
        (all_q, all_v, efforts), _ = paired(*arrays)
        found = self._native.forward_dynamics(all_q, all_v, efforts)
        return found[0] if single else found

    def jacobian(self, contact: str | None = None, q: ArrayLike | None = None) -> Floats:
        """The impact Jacobian A of a contact, (k, nv) or (N, k, nv): A v = u, positive when the gap opens.

        One row per point along its normal, and tangents where the contact sticks.
        """
        all_q, all_v, single = self._own(q, None)
        found: Floats = self._native.rows(contact, all_q, all_v, 1)["rows"]
        return found[0] if single else found

    # How it looks.

    def draw(self, ax: Any = None) -> Any:
        """Draws the machine at its state; gives the axes of matplotlib."""
        from ._plot import draw

        return draw(json.loads(self._native.picture()), ax)

    def _drawn(self, answer: dict[str, Any], ax: Any) -> Any:
        from ._plot import plot_assessment

        return plot_assessment(json.loads(self._native.picture()), answer, ax)


def _restored(
    files: list[tuple[str, str]],
    sets: list[tuple[str, str]],
    state: tuple[list[float], list[float]] | None,
) -> Machine:
    """A machine from what was stored of it."""
    native = _carom.Machine.from_files(files, sets)
    return Machine(native) if state is None else Machine(native.with_state(*state), True)


def _assessed(
    files: list[tuple[str, str]], sets: list[tuple[str, str]], contact: str, q: list[float], v: list[float]
) -> StateAssessment:
    """The core at one state from what was stored of it."""
    found = _carom.Machine.from_files(files, sets).core(contact, np.array(q), np.array(v))
    assert found is not None
    return found
