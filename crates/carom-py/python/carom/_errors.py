"""What carom raises and warns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from ._run import Run
    from ._study import Study, StudyTable


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong, with its place."""

    file: str
    line: int | None
    column: int | None
    #: The key of the model file, such as ``bodies.rod.mass``.
    path: str
    message: str


class CaromError(Exception):
    """The base of everything that carom raises."""

    #: Everything that is wrong, each with its place.
    faults: list[Fault]

    def __init__(self, message: str, faults: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.faults = [f if isinstance(f, Fault) else Fault(*f) for f in faults]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), tuple(self.faults))


class ModelError(CaromError):
    """The model file, text or dictionary gives no machine that stands."""


class UnknownNameError(CaromError, LookupError):
    """There is no body, joint, contact, law or variable of that name."""


class StateError(CaromError, ValueError):
    """Positions, velocities or efforts of the wrong shape or kind, or that do not keep the closures."""


class LawError(CaromError, ValueError):
    """A contact law is unknown, or refuses its parameters."""


class SimulationError(CaromError):
    """An assessment, an impact or a run has no answer."""

    #: What was computed of a run that stopped early; ``None`` if it did not begin.
    run: Run | None = None


class StudyError(CaromError):
    """A study cannot be read, run, or continued."""


class VersionError(StudyError):
    """A worker has another version of carom than the client."""


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a run; :attr:`run` holds what was computed until then."""

    #: What was computed; ``None`` after it was pickled, as a run is not.
    run: Run | None

    def __init__(self, message: str, run: Run | None = None) -> None:
        super().__init__(message)
        self.run = run

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),)


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a study; :attr:`table` holds the points that were done until then."""

    #: Records of the study's log that were kept.
    _kept: tuple[Study, bytes]

    def __init__(self, message: str, study: Study, records: bytes) -> None:
        super().__init__(message)
        self._kept = (study, records)

    @property
    def table(self) -> StudyTable:
        """The points that were done; read when it is asked for, so that Ctrl-C ends a large study at once."""
        from ._study import StudyTable

        study, records = self._kept
        return StudyTable(study._native, records)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), *self._kept)


class CaromWarning(UserWarning):
    """A caution: something a user must know to trust the answer."""
