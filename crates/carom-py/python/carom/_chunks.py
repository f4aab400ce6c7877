"""Chunks of a study, computed by threads, processes or a Dask cluster.

A chunk is a pure function of the study and the numbers of its points: it is named by both, may be computed anywhere, and again.
"""

from __future__ import annotations

import concurrent.futures
import os
import socket
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import _carom
from ._errors import VersionError


@dataclass(frozen=True)
class Payload:
    """What a worker needs to know of a study."""

    version: str
    files: list[tuple[str, str]]
    sets: list[tuple[str, str]]
    fingerprint: str


#: Studies that this process has read; a worker gets many chunks of one.
_STUDIES: OrderedDict[str, _carom.StudyPoints] = OrderedDict()
_MOST_STUDIES = 4


def _study(payload: Payload) -> _carom.StudyPoints:
    found = _STUDIES.get(payload.fingerprint)
    if found is None:
        found = _carom.StudyPoints.from_files(payload.files, payload.sets)
        _STUDIES[payload.fingerprint] = found
        while len(_STUDIES) > _MOST_STUDIES:
            _STUDIES.popitem(last=False)
    return found


def version_here() -> str:
    """The version of carom in this process."""
    import carom

    return carom.__version__


def check_version(wanted: str, where: str | None = None) -> None:
    """Refuses a process whose carom is of another version: its numbers need not be the same."""
    own = version_here()
    if own != wanted:
        who = where or f"{socket.gethostname()}, process {os.getpid()}"
        raise VersionError(f"worker {who} has carom {own}, the client has carom {wanted}: install the same version")


def evaluate_chunk(payload: Payload, first: int, last: int) -> bytes:
    """The records of some points, on whichever worker."""
    check_version(payload.version)
    records, _, raised = _study(payload).evaluate(first, last, 1)
    if raised is not None:
        raise raised
    return records


def is_dask(executor: Any) -> bool:
    """Whether this is a client of Dask's distributed scheduler."""
    return type(executor).__module__.partition(".")[0] == "distributed"


def submitter(executor: Any, payload: Payload) -> Callable[..., Any]:
    """How a chunk is handed to an executor; every worker's version is checked first where that can be asked."""
    if is_dask(executor):
        for where, found in executor.run(version_here).items():
            if found != payload.version:
                raise VersionError(
                    f"worker {where} has carom {found}, the client has carom {payload.version}: "
                    "install the same version"
                )

        def submit(task: Callable[..., bytes], first: int, last: int) -> Any:
            name = f"carom-{payload.version}-{payload.fingerprint}-{first}-{last}"
            return executor.submit(task, payload, first, last, key=name, pure=True)

        return submit
    if not hasattr(executor, "submit"):
        raise TypeError(
            f"executor: a {type(executor).__name__}, expected a concurrent.futures.Executor or a Dask Client"
        )
    return lambda task, first, last: executor.submit(task, payload, first, last)


def lost(error: Exception) -> bool:
    """Whether the scheduler went away with a chunk, so that it is handed out again."""
    names = {"CommClosedError", "FutureCancelledError", "FuturesCancelledError", "CancelledError"}
    return type(error).__name__ in names or isinstance(error, concurrent.futures.CancelledError)
