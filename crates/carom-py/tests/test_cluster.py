"""Studies on executors and on a real Dask cluster of processes: the same bytes as on one thread, whatever dies on the way."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import carom
import pytest

distributed = pytest.importorskip("distributed")

MODELS = Path(__file__).resolve().parents[3] / "models"
FILE = MODELS / "studies" / "000-fig-10.toml"
POINTS = 6000
CHUNK = 100


def study(points: int = POINTS) -> carom.Study:
    return carom.Study(FILE, sets={"study.variables.theta.count": points})


@pytest.fixture(scope="module")
def alone() -> carom.StudyTable:
    return study().run(threads=1)


@pytest.fixture
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_threads_and_processes_give_the_same_bytes(alone: carom.StudyTable) -> None:
    assert study().run(threads=2).records == alone.records
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert study().run(threads, chunk=CHUNK).records == alone.records
    with concurrent.futures.ProcessPoolExecutor(2) as processes:
        assert study().run(processes, chunk=500).records == alone.records


def kill_in_the_middle(client: Any, done: list[int]) -> None:
    """Kills one worker as soon as some points are done."""
    pids = list(client.run(os.getpid).values())
    while not done or done[-1] < POINTS // 4:
        time.sleep(0.005)
    os.kill(pids[0], signal.SIGKILL)


@pytest.mark.parametrize("attempt", range(2))
def test_a_killed_worker_changes_no_byte(client: Any, alone: carom.StudyTable, attempt: int) -> None:
    done: list[int] = []
    killer = threading.Thread(target=kill_in_the_middle, args=(client, done))
    killer.start()
    table = study().run(client, chunk=CHUNK, progress=lambda n, _: done.append(n))
    killer.join()
    assert table.records == alone.records


def test_a_worker_of_another_version_is_refused_by_name(client: Any) -> None:
    def pretend() -> None:
        import carom

        carom.__version__ = "0.0.1"

    one = next(iter(client.scheduler_info()["workers"]))
    client.run(pretend, workers=[one])
    with pytest.raises(carom.VersionError) as refused:
        study().run(client, chunk=CHUNK)
    assert one in str(refused.value) and "0.0.1" in str(refused.value) and carom.__version__ in str(refused.value)


def test_the_log_is_that_of_the_command_and_a_killed_client_resumes(tmp_path: Path, alone: carom.StudyTable) -> None:
    command = tmp_path / "command"
    edit = f"study.variables.theta.count={POINTS}"
    called = [sys.executable, "-m", "carom", "sweep", str(FILE), "--set", edit, "-o", str(command)]
    subprocess.run(called, check=True, capture_output=True)
    folder = tmp_path / "killed"
    code = (
        f"import carom; s = carom.Study({str(FILE)!r}, sets={{'study.variables.theta.count': {POINTS}}}); "
        f"s.run(threads=1, chunk=50, checkpoint={str(folder)!r}, progress=lambda n, _: print(n, flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= POINTS // 3:
                child.kill()
                break
    assert not (folder / "table.csv").exists()
    begun: list[int] = []
    table = study().run(threads=2, checkpoint=folder, progress=lambda n, _: begun.append(n))
    assert begun[0] >= POINTS // 3
    assert table.records == alone.records
    assert (folder / "study.log").read_bytes() == (command / "study.log").read_bytes()
    assert (folder / "table.csv").read_bytes() == (command / "table.csv").read_bytes()
    told = subprocess.run([sys.executable, "-m", "carom", "study", str(folder)], capture_output=True, text=True)
    assert told.returncode == 0 and "effective_mass" in told.stdout


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def test_a_restarted_scheduler_is_waited_for(tmp_path: Path, alone: carom.StudyTable) -> None:
    port = free_port()

    def started(*arguments: str) -> subprocess.Popen[bytes]:
        called = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        return subprocess.Popen(called, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)

    def scheduler() -> subprocess.Popen[bytes]:
        return started("dask_scheduler", "--port", str(port), "--no-dashboard")

    def worker() -> subprocess.Popen[bytes]:
        address = f"tcp://127.0.0.1:{port}"
        return started("dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")

    running = [scheduler(), worker(), worker()]
    try:
        with distributed.Client(f"tcp://127.0.0.1:{port}", timeout="30s") as client:
            client.wait_for_workers(2, timeout=60)
            done: list[int] = []

            def restart() -> None:
                while not done or done[-1] < POINTS // 4:
                    time.sleep(0.005)
                for process in running:
                    process.kill()
                    process.wait()
                running[:] = [scheduler(), worker(), worker()]

            breaker = threading.Thread(target=restart)
            breaker.start()
            table = study().run(client, chunk=CHUNK, progress=lambda n, _: done.append(n))
            breaker.join()
        assert table.records == alone.records
    finally:
        for process in running:
            process.kill()
            process.wait()


# The children below set the handler of SIGINT: a shell that starts the tests in the background has it ignored, which children inherit.


def test_ctrl_c_ends_a_study_at_once_and_keeps_what_was_done(tmp_path: Path) -> None:
    folder = tmp_path / "interrupted"
    code = f"""
import signal, time
import carom
signal.signal(signal.SIGINT, signal.default_int_handler)
s = carom.Study({str(FILE)!r}, sets={{'study.variables.theta.count': 3000000}})
try:
    s.run(threads=1, checkpoint={str(folder)!r}, progress=lambda n, _: print(n, flush=True))
except carom.StudyInterrupted as stopped:
    print("stopped", time.monotonic(), flush=True)
    print("kept", len(stopped.table), flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.7)
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        rest = child.stdout.read()
    kept = int(rest.split("kept")[1])
    assert kept > 0 and (folder / "study.log").exists()
    # CLOCK_MONOTONIC is that of all processes of a machine.
    assert float(rest.split("stopped")[1].split()[0]) - begun < 0.5


def test_ctrl_c_ends_a_study_of_long_runs_within_half_a_second(tmp_path: Path) -> None:
    """A point here takes minutes: two pendulums that swing for 10⁵ s. The first one is done at once, as it ends after 1 ms."""
    here = Path(__file__).parent
    code = f"""
import pickle, signal, sys, time
import carom
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {str(here)!r})
from conftest import PENDULUM
m = carom.Machine.from_dict({{**PENDULUM, "simulation": {{"duration": 1.0, "tolerance": 1e-12}}}})
s = carom.Study(m, {{"end": "simulation.duration"}}, ["impacts"], points=[[1e-3], [1e5], [1e5], [1e5]], action="run", contact="tip")
print("begun", flush=True)
try:
    s.run(threads=2, chunk=4, checkpoint={str(tmp_path / "kept")!r})
except carom.StudyInterrupted as stopped:
    print("stopped", time.monotonic(), stopped, flush=True)
    again = pickle.loads(pickle.dumps(stopped))
    print(len(stopped.table), stopped.table == again.table, str(again) == str(stopped), flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        time.sleep(1.5)
        assert child.poll() is None, child.stdout.read()
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        word, when, *message = child.stdout.readline().split()
        kept = child.stdout.readline().split()
    assert word == "stopped" and float(when) - begun < 0.5
    assert " ".join(message) == "interrupted after 1 of 4 points" and kept == ["1", "True", "True"]
