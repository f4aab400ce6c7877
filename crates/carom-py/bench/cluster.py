"""Measures studies on a Dask cluster of two processes: how much faster, and what a killed worker costs.

Usage: python cluster.py [POINTS] [TRIES]; 10⁶ points take minutes.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import carom
from distributed import Client, LocalCluster

FILE = Path(__file__).resolve().parents[3] / "models" / "studies" / "000-fig-10.toml"


def study(points: int) -> carom.Study:
    return carom.Study(FILE, sets={"study.variables.theta.count": points})


def timed(points: int, processes: int) -> tuple[float, bytes]:
    with (
        LocalCluster(n_workers=processes, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        study(1000).run(client, chunk=250)
        begun = time.perf_counter()
        table = study(points).run(client)
        return time.perf_counter() - begun, table.records


def speed(points: int) -> None:
    one, first = timed(points, 1)
    two, second = timed(points, 2)
    print(f"{points} points: 1 process {one:.1f} s, 2 processes {two:.1f} s, ratio {one / two:.2f}")
    print("the same bytes" if first == second else "DIFFERENT BYTES")


def killed(tries: int, points: int = 6000) -> None:
    alone = study(points).run(threads=1).records
    same = 0
    for attempt in range(tries):
        with (
            LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            done: list[int] = []
            pids = list(client.run(os.getpid).values())

            def kill(pid: int = pids[attempt % len(pids)], after: int = points * (attempt + 1) // (tries + 2)) -> None:
                while not done or done[-1] < after:
                    time.sleep(0.002)
                os.kill(pid, signal.SIGKILL)

            killer = threading.Thread(target=kill)
            killer.start()
            table = study(points).run(client, chunk=100, progress=lambda n, _: done.append(n))
            killer.join()
            same += table.records == alone
    print(f"a worker killed with SIGKILL: the same bytes in {same} of {tries} tries")


if __name__ == "__main__":
    killed(int(sys.argv[2]) if len(sys.argv) > 2 else 20)
    speed(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
