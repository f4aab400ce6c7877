"""States as arrays, and the core of an assessment at many of them."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _carom
from ._answer import UNITS
from ._errors import CaromWarning, StateError

if TYPE_CHECKING:
    from ._machine import Machine

Floats = NDArray[np.float64]

#: More threads than this are not started; the numbers do not depend on how many there are.
MOST_THREADS = 256


def floats(what: str, values: ArrayLike) -> Floats:
    """An array of 64-bit floats in the order of C; what is not numbers is refused."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise StateError(f"{what}: lists of different lengths, expected an array of real numbers") from None
    if array.dtype.kind not in "fiu":
        if array.size == 0:
            return np.zeros(array.shape)
        raise StateError(f"{what}: an array of {array.dtype}, expected real numbers")
    # `require` keeps the shape of a plain number, and copies what is not aligned.
    return np.require(array, np.float64, ["C", "A"])


def copied(array: Floats, threads: int) -> Floats:
    """A copy of an array of states, made by so many threads; NumPy asks the system for large pages."""
    out = np.empty_like(array)
    _carom.copy(array, out, threads)
    return out


def finite(what: str, array: Floats) -> Floats:
    """The array, if all of its numbers are finite."""
    if not np.isfinite(array).all():
        at = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        raise StateError(f"{what}{list(at)} is {array[at]}, expected a finite number")
    return array


def width(what: str, array: Floats, expected: int) -> None:
    """Refuses an array whose last axis is not one state."""
    if array.ndim not in (1, 2) or array.shape[-1] != expected:
        raise StateError(
            f"{what}: an array of shape {array.shape}, expected ({expected},) for one state or (N, {expected}) for many"
        )


def paired(*arrays: tuple[str, Floats, int]) -> tuple[list[Floats], bool]:
    """Arrays of equally many states, (N, width) each, and whether one state was given; one state goes with many."""
    for what, array, expected in arrays:
        width(what, array, expected)
    single = all(array.ndim == 1 for _, array, _ in arrays)
    counts = {array.shape[0] for _, array, _ in arrays if array.ndim == 2}
    if len(counts) > 1:
        shapes = ", ".join(f"{what} {array.shape}" for what, array, _ in arrays)
        raise StateError(f"different numbers of states: {shapes}")
    n = counts.pop() if counts else 1
    out = [
        np.ascontiguousarray(np.broadcast_to(array, (n, expected))) if array.ndim == 1 else array
        for _, array, expected in arrays
    ]
    return out, single


def threads_or_all(threads: int | None) -> int:
    """The threads asked for, or one per core that this process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise ValueError(f"threads: {threads!r}, expected a whole number of at least 1")
    return min(int(threads), MOST_THREADS)


class StatesAssessment:
    """The core of an assessment at N states, one entry per state in every array.

    A state that cannot be evaluated has NaN in its numbers and the caution ``not-evaluated``.
    """

    #: The least gap [m, or rad of an angular stop].
    gap: Floats
    #: m_eff of the governing point [kg, or kg m² of an angular stop]; inf where it cannot move.
    effective_mass: Floats
    #: u of the governing point [m/s, or rad/s of an angular stop]; negative when closing.
    contact_velocity: Floats
    #: T of the whole machine [J].
    kinetic_energy: Floats
    #: T_c over the points that an impact strikes [J]; inf where a drive closes the contact and nothing gives way.
    impact_energy: Floats
    #: T_c / T; NaN where a drive moves, since T depends on the frame then.
    share: Floats
    #: The governing point, from 0.
    point: NDArray[np.uint32]
    #: The largest residual of a closure, divided by its natural size.
    closure_gap: Floats
    #: Cautions as bits; :attr:`cautions` has their names.
    caution_bits: NDArray[np.uint64]

    def __init__(self, machine: Machine, contact: str | None, q: Floats, v: Floats, threads: int) -> None:
        self._machine = machine
        self._contact = contact
        self._q = q
        self._v = v
        self._threads = threads
        self._rows: dict[str, Floats] | None = None
        columns = machine._native.assess_many(contact, q, v, threads)
        for name, values in columns.items():
            setattr(self, name, values)

    def __len__(self) -> int:
        return len(self.effective_mass)

    def __eq__(self, other: object) -> bool:
        # Machine, contact and states decide all numbers, on any number of threads.
        return isinstance(other, StatesAssessment) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (self._machine, self._contact, self._q.tobytes(), self._v.tobytes())

    @property
    def cautions(self) -> dict[str, NDArray[np.bool_]]:
        """Codes of all cautions, each with a mask of the states it holds for."""
        return masks(self.caution_bits)

    @property
    def units(self) -> dict[str, str]:
        """SI units of the arrays: those of the contact, which an angular stop has others of."""
        gap, velocity, mass, mobility = self._machine._native.contact_units(self._contact)
        return {
            "gap": gap,
            "effective_mass": mass,
            "contact_velocity": velocity,
            "kinetic_energy": UNITS["kinetic_energy"],
            "impact_energy": UNITS["impact_energy"],
            "share": "",
            "point": "",
            "closure_gap": "",
            "W": mobility,
        }

    def _of_rows(self, name: str) -> Floats:
        if self._rows is None:
            native = self._machine._native
            self._rows = native.rows(self._contact, self._q, self._v, self._threads)
        return self._rows[name]

    @property
    def W(self) -> Floats:
        """W = A Y Aᵀ of the contact's rows, (N, k, k) [1/kg, or 1/(kg m²)]; NaN where a state has fewer rows than k."""
        return self._of_rows("W")

    @property
    def rows(self) -> Floats:
        """All rows A of the impact Jacobian, (N, k, nv): normals, and tangents where the contact sticks."""
        return self._of_rows("rows")

    @property
    def row(self) -> Floats:
        """The row of the governing point along its normal, (N, nv): row @ v is the contact velocity."""
        return self._of_rows("row")

    def gradient(self, of: str = "effective_mass", by: str = "position") -> Floats:
        """Exact derivatives of ``effective_mass`` or ``impact_energy`` of the governing point.

        ``by``: ``position`` (N, nv), ``mass`` (N, bodies), ``center`` (N, bodies, 3), ``inertia`` (N, bodies, 6:
        Ixx, Iyy, Izz, Ixy, Ixz, Iyz) or ``rotor`` (N, nv); NaN where a coordinate cannot move.
        """
        native = self._machine._native
        found: Floats = native.gradient(self._contact, self._q, self._v, of, by, self._threads)
        return found

    def to_dict(self) -> dict[str, Any]:
        """All arrays by their names."""
        names = (*StatesAssessment.__annotations__,)
        return {name: getattr(self, name) for name in names}

    def to_pandas(self) -> Any:
        """A table of all states, with their units in ``attrs``."""
        import pandas

        table = pandas.DataFrame(self.to_dict())
        table.attrs["units"] = self.units
        return table

    def __repr__(self) -> str:
        n = len(self)
        if n == 0:
            return "0 states"
        lines = [f"{n} states"]
        for name in ("effective_mass", "contact_velocity", "impact_energy", "share"):
            values = getattr(self, name)
            good = values[~np.isnan(values)]
            if len(good):
                unit = self.units[name]
                lines.append(f"  {name}: {good.min():.6g} … {good.max():.6g} {unit}".rstrip())
        lines += [f"  {code}: {mask.sum()} states" for code, mask in self.cautions.items()]
        return "\n".join(lines)


def masks(bits: NDArray[np.uint64]) -> dict[str, NDArray[np.bool_]]:
    """Codes of all cautions in a column of bits, each with a mask of the states it holds for."""
    every = int(np.bitwise_or.reduce(bits, axis=None)) if bits.size else 0
    set_bits = [1 << k for k in range(64) if every >> k & 1]
    return {_carom.caution_names(bit)[0]: (bits & np.uint64(bit)) != 0 for bit in set_bits}


def warn_of_masks(bits: NDArray[np.uint64], depth: int = 3) -> None:
    """Warns once of the cautions in a column of bits."""
    if bits.any():
        told = ", ".join(f"{code} ({mask.sum()} of {mask.size} states)" for code, mask in masks(bits).items())
        warnings.warn(told, CaromWarning, stacklevel=depth)


def warn_of_bits(found: Any, depth: int = 3) -> None:
    """Warns once of the cautions of states given as arrays."""
    if isinstance(found, StatesAssessment):
        warn_of_masks(found.caution_bits, depth + 1)
    else:
        warnings.warn(", ".join(found.cautions), CaromWarning, stacklevel=depth)
