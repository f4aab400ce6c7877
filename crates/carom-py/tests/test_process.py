"""What a process feels: Ctrl-C, other threads of Python, memory, the command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import PENDULUM, states

import carom

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")
LINUX = Path("/proc/self/statm").exists()

# Ctrl-C.

#: A run of hours: a pendulum that swings for ever. It says when it has begun, and after SIGINT what it has.
#: A shell that starts the tests in the background has SIGINT ignored, which children inherit: it sets the handler.
LONG = """
import signal, sys, time
import carom
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, sys.argv[1])
from conftest import PENDULUM
machine = carom.Machine.from_dict(PENDULUM)
begun = False
def tell(t, until, steps, impacts):
    global begun
    if not begun:
        begun = True
        print("begun", flush=True)
arguments = {"progress": tell} if sys.argv[2] == "watched" else {}
if not arguments:
    print("begun", flush=True)
try:
    machine.run(until=1e4, tolerance=1e-13, **arguments)
except carom.RunInterrupted as error:
    caught = time.monotonic()
    path = error.run.trajectory
    assert isinstance(error, KeyboardInterrupt)
    # Moments are even in time over the whole of the 1e4 s: few of them lie in what was done.
    assert 0 < path.t[-1] < 1e4 and len(path) > 2 and path.q.shape == (len(path), 2)
    assert 0 <= error.run.result.state.t - path.t[-1] <= 1e4 / 500
    print("interrupted", caught, str(error), flush=True)
"""


@pytest.mark.parametrize("way", ["watched", "silent"])
def test_ctrl_c_ends_a_run_within_half_a_second_and_keeps_what_was_done(way: str) -> None:
    command = [sys.executable, "-c", LONG, str(Path(__file__).parent), way]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().strip() == "begun", process.stderr.read()
        time.sleep(0.5)
        assert process.poll() is None, "the run must still go on"
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        line = process.stdout.readline().split(maxsplit=2)
        process.stdout.read()
        errors = process.stderr.read()
        assert process.wait(30) == 0, errors
    assert line and line[0] == "interrupted", errors
    # CLOCK_MONOTONIC is that of all processes of a machine.
    assert float(line[1]) - sent < 0.5
    assert "interrupted at t = " in line[2]


def test_an_error_of_the_watcher_ends_the_run(pendulum: carom.Machine) -> None:
    calls = []

    def watch(t: float, until: float, steps: int, impacts: int) -> None:
        calls.append((t, until, steps, impacts))
        if len(calls) == 2:
            raise RuntimeError("enough")

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        pendulum.run(until=1e5, tolerance=1e-12, progress=watch)
    assert time.monotonic() - start < 5
    assert len(calls) == 2 and calls[0][1] == 1e5
    assert 0 < calls[0][0] < calls[1][0] and 0 < calls[0][2] < calls[1][2]


# The interpreter's lock.


def counted_while(work: Callable[[], Any]) -> tuple[int, float]:
    """How far a thread of Python counts, a millisecond's sleep each, while the work is done; and how long that takes [s]."""
    done, count = threading.Event(), 0

    def tick() -> None:
        nonlocal count
        while not done.is_set():
            time.sleep(1e-3)
            count += 1

    thread = threading.Thread(target=tick)
    thread.start()
    time.sleep(0.02)
    before, start = count, time.monotonic()
    work()
    seconds, counted = time.monotonic() - start, count - before
    done.set()
    thread.join()
    return counted, seconds


def many_states(machine: carom.Machine) -> tuple[np.ndarray, np.ndarray]:
    q, v = states(machine, 1000)
    return np.tile(q, (1000, 1)), np.tile(v, (1000, 1))


LASTING: dict[str, Callable[[carom.Machine, np.ndarray, np.ndarray], Any]] = {
    "a run": lambda m, q, v: m.run(until=60.0, tolerance=1e-13),
    "assess of a million states": lambda m, q, v: m.assess("tip", q=q, v=v, threads=1),
    "gradients": lambda m, q, v: m.assess("tip", q=q[:50_000], v=v[:50_000], threads=1).gradient(),
    "rows": lambda m, q, v: m.assess("tip", q=q[:100_000], v=v[:100_000], threads=1).W,
    "mass matrices": lambda m, q, v: m.mass_matrix(q[:200_000]),
    "forward dynamics": lambda m, q, v: m.forward_dynamics(q[:200_000], v[:200_000]),
}


@pytest.mark.parametrize("what", LASTING)
def test_other_threads_go_on_while_carom_computes(pendulum: carom.Machine, what: str) -> None:
    q, v = many_states(pendulum)
    counted, seconds = counted_while(lambda: LASTING[what](pendulum, q, v))
    assert seconds > 0.02, "too short to tell"
    # A free thread counts some 900 a second, on a loaded machine far fewer; one that is locked out counts at most what
    # fits into the conversions before and after, a few per cent of the time.
    assert counted > 100 * seconds, f"{counted} in {seconds:.2f} s"


def test_the_count_stands_still_while_something_holds_the_interpreter() -> None:
    """Otherwise the test above could not fail. Matching this pattern takes 2ⁿ steps in one call that keeps the lock."""
    text, counted, seconds = "a" * 20, 0, 0.0
    while seconds < 0.1:
        text += "a"
        counted, seconds = counted_while(lambda: re.match(r"(a+)+$", text + "b"))
    assert counted < 50 * seconds, f"{counted} in {seconds:.2f} s"


# Memory.


def resident() -> int:
    """Resident memory of this process [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def refused(ask: Callable[[], Any]) -> None:
    try:
        ask()
    except (carom.CaromError, ValueError, TypeError):
        return
    raise AssertionError("the call must be refused")


ONE = (np.array([-1.1, -0.4]), np.array([-1.0, -2.0]))
BATCH = (np.tile(ONE[0], (50, 1)), np.tile(ONE[1], (50, 1)))

#: What is called, and how often: 10⁵ in all for each of the three that the issue names.
CALLS: dict[str, tuple[int, Callable[[carom.Machine], Any]]] = {
    "assess of one state": (100_000, lambda m: m.assess("tip", q=ONE[0], v=ONE[1]).effective_mass),
    "assess of a batch": (100_000, lambda m: m.assess("tip", q=BATCH[0][:2], v=BATCH[1][:2], threads=1).gap),
    "errors": (100_000, lambda m: refused(lambda: m.assess("tipp", q=ONE[0], v=ONE[1]))),
    "errors of shape": (20_000, lambda m: refused(lambda: m.assess("tip", q=[1.0], v=ONE[1]))),
    "rows and gradients": (1_000, lambda m: (m.assess("tip", q=BATCH[0], v=BATCH[1]).gradient(), m.jacobian("tip"))),
    "matrices": (10_000, lambda m: (m.mass_matrix(BATCH[0]), m.forward_dynamics(*BATCH))),
    "machines": (1_000, lambda m: m.with_(parameters={"length": 0.4})),
    "runs": (200, lambda m: m.run(until=0.05).trajectory.q),
    "faults": (2_000, lambda m: refused(lambda: carom.Machine.from_text("carom = 1\nspace = 3\n"))),
}


@pytest.mark.skipif(not LINUX, reason="memory is read from /proc")
@pytest.mark.parametrize("what", CALLS)
def test_calls_leave_no_memory_behind(pendulum: carom.Machine, what: str) -> None:
    """After a tenth of the calls, the rest may add 2 MB.

    The least leak of a call, one Python float of 24 bytes, would add 2.2 MB over 90 000 calls; allocators alone move by
    0.5 MB. Calls that are fewer would leak more: arrays of 50 states have 0.8 kB and more, a machine or a run 10 kB.
    """
    times, ask = CALLS[what]
    for _ in range(times // 10):
        ask(pendulum)
    before = resident()
    for _ in range(times - times // 10):
        ask(pendulum)
    assert resident() - before < 2_000_000, f"{(resident() - before) / 1e6:.1f} MB"


# The command.


def test_the_command_is_that_of_the_library_and_ends_with_its_code(models: Path) -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "carom", *arguments], capture_output=True, text=True, timeout=60)

    version = call("--version")
    assert version.returncode == 0 and version.stdout.strip() == f"carom {carom.__version__}"
    found = call("assess", str(models / "000/slider-crank.toml"), "--format", "json")
    assert found.returncode == 0 and '"contacts"' in found.stdout
    missing = call("assess", "no-such-file.toml")
    assert missing.returncode != 0 and "no-such-file.toml" in missing.stderr
    assert call("asses").returncode != 0


def test_the_machine_of_the_tests_strikes() -> None:
    """Runs above are long because the pendulum swings on; this one shows that its contact is there."""
    low = carom.Machine.from_dict(PENDULUM).with_(sets={"ground.contact.floor.at.1": -0.95})
    assert low.run(until=1.0).impacts
