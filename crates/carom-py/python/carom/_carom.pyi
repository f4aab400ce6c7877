"""The native part of the package; what users import is in the modules beside it."""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Fit",
    "Machine",
    "Run",
    "StateAssessment",
    "StudyLog",
    "StudyPoints",
    "UncertaintySample",
    "caution_names",
    "command",
    "compared",
    "copy",
    "import_robot",
    "joint_efforts",
    "laws",
    "mapped",
    "near",
    "optimised",
    "skin",
    "tip",
    "tip_along",
    "tip_inertia",
    "tip_page",
    "units",
    "version",
]

_Floats = NDArray[np.float64]
_Pairs = Sequence[tuple[str, str]]
#: Headings as (name, unit), and values (n, columns).
_Table = tuple[list[tuple[str, str]], _Floats]

class _Asked(TypedDict):
    locked: list[str]
    cone: float | None
    gradients: bool
    rivals: bool
    routes: bool
    projectors: bool

class _Struck(TypedDict):
    laws: list[str]
    restitution: float | None
    friction: str | None
    removal: str | None

class _Wanted(TypedDict):
    until: float | None
    laws: list[str]
    method: str | None
    tolerance: float | None
    impact: str | None
    all_samples: bool
    poses: bool
    reactions: bool
    max_steps: int | None
    max_time: float | None

class _TipAsked(TypedDict):
    tip: str
    payload: str
    payload_at: str | None
    locked: list[str]
    mass: str | None

class _NearAsked(TypedDict):
    limits: tuple[str, str] | None
    area: str | None
    padding: str | None
    free: bool

class _FitAsked(TypedDict):
    contact: str | None
    laws: list[str]
    fix: list[tuple[str, float]]
    over_speed: bool
    robust: bool
    level: float
    speed: str | None
    onset: str | None
    interval: str | None
    averaged: bool
    threads: int

class _Imported(TypedDict):
    floating: bool
    drop: list[str]
    weld: list[str]
    keyframe: str | None
    packages: list[tuple[str, str]]

def copy(source: _Floats, to: _Floats, threads: int) -> None: ...
def version() -> str: ...
def units() -> list[tuple[str, str]]: ...
def caution_names(bits: int) -> list[str]: ...
def command(arguments: Sequence[str]) -> int: ...
def laws(arguments: Sequence[str]) -> str: ...
def compared(
    first: str, second: str, sets: _Pairs, contact: str | None, action: str
) -> str: ...
def mapped(
    file: str,
    sets: _Pairs,
    x: tuple[str, str, str],
    y: tuple[str, str, str],
    contact: str | None,
    measures: Sequence[str],
    count: int,
    threads: int,
) -> str: ...
def optimised(
    file: str, sets: _Pairs, evaluations: int, seed: int, threads: int, folder: str | None
) -> str: ...
def import_robot(path: str, wanted: _Imported) -> Machine: ...
def joint_efforts(machine: Machine, locked: Sequence[str]) -> tuple[list[bool], bool, list[float | None]]: ...
def near(machine: Machine, asked: _TipAsked, wanted: _NearAsked) -> str: ...
def skin(
    machine: Machine, asked: _TipAsked, q: Sequence[float], wanted: _NearAsked, points: int
) -> tuple[str, dict[str, Any]]: ...
def tip(
    machine: Machine,
    asked: _TipAsked,
    q: Sequence[float],
    directions: Sequence[Sequence[float]],
    speed: float | None,
) -> str: ...
def tip_page(
    machine: Machine,
    asked: _TipAsked,
    q: Sequence[float],
    directions: Sequence[Sequence[float]],
    speed: float | None,
) -> str: ...
def tip_inertia(machine: Machine, asked: _TipAsked, q: _Floats, threads: int) -> dict[str, _Floats]: ...
def tip_along(
    machine: Machine,
    asked: _TipAsked,
    q: _Floats,
    v: _Floats,
    state: NDArray[np.int64],
    n: _Floats,
    threads: int,
) -> dict[str, Any]: ...
@final
class Machine:
    @staticmethod
    def open(path: str, sets: _Pairs, packages: _Pairs = ...) -> Machine: ...
    @staticmethod
    def from_files(files: _Pairs, sets: _Pairs) -> Machine: ...
    def files(self) -> list[tuple[str, str]]: ...
    def sets(self) -> list[tuple[str, str]]: ...
    def fingerprint(self) -> str: ...
    def title(self) -> str: ...
    def is_planar(self) -> bool: ...
    def contact_units(self, contact: str | None) -> list[str]: ...
    def names(self) -> list[list[str]]: ...
    def coordinates(self) -> list[list[str]]: ...
    def sizes(self) -> tuple[int, int]: ...
    def state(self) -> tuple[float, list[float], list[float]]: ...
    def with_state(self, q: Sequence[float], v: Sequence[float]) -> Machine: ...
    def check(self) -> str: ...
    def assess(self, contacts: Sequence[str], wanted: _Asked) -> str: ...
    def assess_page(self, contacts: Sequence[str], wanted: _Asked) -> str: ...
    def impact(self, wanted: _Struck) -> str: ...
    def impact_page(self, wanted: _Struck) -> str: ...
    def run(self, wanted: _Wanted, watch: Callable[[float, float, int, int], object] | None) -> Run: ...
    def picture(self) -> str: ...
    def core(self, contact: str | None, q: ArrayLike, v: ArrayLike) -> StateAssessment | None: ...
    def assess_many(self, contact: str | None, q: _Floats, v: _Floats, threads: int) -> dict[str, Any]: ...
    def rows(self, contact: str | None, q: _Floats, v: _Floats, threads: int) -> dict[str, _Floats]: ...
    def gradient(
        self, contact: str | None, q: _Floats, v: _Floats, of: str, by: str, threads: int
    ) -> _Floats: ...
    def mass_matrix(self, q: _Floats, v: _Floats) -> _Floats: ...
    def bias(self, q: _Floats, v: _Floats) -> _Floats: ...
    def forward_dynamics(self, q: _Floats, v: _Floats, effort: _Floats) -> _Floats: ...

@final
class StateAssessment:
    """The core of an assessment at one state given as arrays."""

    @property
    def gap(self) -> float:
        """The least gap g [m, or rad of an angular stop]."""
    @property
    def effective_mass(self) -> float:
        """m_eff of the governing point [kg, or kg m² of an angular stop]; inf where it cannot move."""
    @property
    def contact_velocity(self) -> float:
        """u of the governing point [m/s, or rad/s of an angular stop]; negative when closing."""
    @property
    def kinetic_energy(self) -> float:
        """T of the whole machine [J]."""
    @property
    def impact_energy(self) -> float:
        """T_c over the points that an impact strikes [J]; inf where a drive closes the contact and nothing gives way."""
    @property
    def share(self) -> float:
        """T_c / T; NaN where a drive moves, since T depends on the frame then."""
    @property
    def point(self) -> int:
        """The governing point, from 0."""
    @property
    def closure_gap(self) -> float:
        """The largest residual of a closure, divided by its natural size."""
    @property
    def cautions(self) -> list[str]:
        """Codes of what a user must know to trust the numbers."""
    @property
    def caution_bits(self) -> int:
        """The same as bits."""
    @property
    def W(self) -> _Floats:
        """W = A Y Aᵀ of the contact's rows, (k, k) [1/kg, or 1/(kg m²) of an angular stop]."""
    @property
    def rows(self) -> _Floats:
        """All rows A of the impact Jacobian, (k, nv)."""
    @property
    def row(self) -> _Floats:
        """The row of the governing point along its normal, (nv,)."""
    @property
    def units(self) -> dict[str, str]:
        """SI units of the numbers."""
    def gradient(
        self,
        of: str = "effective_mass",
        by: str = "position",
    ) -> _Floats:
        """Exact derivatives of `effective_mass` or `impact_energy` by `position`, `mass`, `center`, `inertia` or `rotor`."""
    def to_dict(self) -> dict[str, Any]:
        """The numbers by their names."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Run:
    def __len__(self) -> int: ...
    def raised(self) -> BaseException | None: ...
    def summary(self) -> str: ...
    def answer(self) -> str: ...
    def columns(self, run: int) -> dict[str, Any]: ...
    def contacts(self, run: int) -> list[dict[str, Any]]: ...
    def page(self) -> str: ...
    def picture(self) -> str: ...

@final
class Fit:
    @staticmethod
    def of(machine: Machine, name: str, data: str, asked: _FitAsked) -> Fit: ...
    def answer(self) -> str: ...
    def page(self) -> str: ...

@final
class UncertaintySample:
    @staticmethod
    def open(path: str, sets: _Pairs, threads: int) -> UncertaintySample: ...
    @staticmethod
    def from_files(files: _Pairs, sets: _Pairs, threads: int) -> UncertaintySample: ...
    def answer(self) -> str: ...
    def columns(self) -> tuple[list[tuple[str, Any]], list[tuple[str, _Floats]]]: ...
    def page(self) -> str: ...

@final
class StudyPoints:
    @staticmethod
    def open(path: str, sets: _Pairs) -> StudyPoints: ...
    @staticmethod
    def from_files(files: _Pairs, sets: _Pairs) -> StudyPoints: ...
    def points(self) -> int: ...
    def files(self) -> list[tuple[str, str]]: ...
    def sets(self) -> list[tuple[str, str]]: ...
    def fingerprint(self) -> str: ...
    def headings(self) -> tuple[list[str], list[str]]: ...
    def plan(self) -> tuple[str, str, list[list[str]]]: ...
    def measured(self) -> list[list[str]]: ...
    def evaluate(self, first: int, last: int, threads: int) -> tuple[bytes, int, BaseException | None]: ...
    def columns(self, records: bytes, first: int) -> dict[str, Any]: ...
    def stored(self, folder: str) -> bytes: ...
    def log(self, folder: str, resume: bool, overwrite: bool) -> StudyLog: ...

@final
class StudyLog:
    def next(self) -> int: ...
    def advance(self) -> tuple[int, int, int, int]: ...
    def append(self, records: bytes) -> None: ...
    def close(self) -> None: ...
