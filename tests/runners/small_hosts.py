"""A scheduler of dask with workers on this machine, and what a campaign over them must not lose."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from waltax.row import Row

_UP_S = 60.0


@dataclass(frozen=True)
class Dask:
    """Processes of a scheduler and of its workers, by name."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: dict[str, subprocess.Popen[bytes]]

    def kill(self, name: str) -> None:
        self.workers[name].kill()


@contextlib.contextmanager
def dask(folder: Path, data: Path, *names: str) -> Iterator[Dask]:
    """Run a scheduler, and a worker with each of these names that has its data sets in `data`."""
    folder.mkdir()
    file, module = folder / "scheduler.json", [sys.executable, "-m"]
    bound = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--no-dashboard"]
    with (folder / "log").open("wb") as log, contextlib.ExitStack() as stack:

        def start(*words: object) -> subprocess.Popen[bytes]:
            child = subprocess.Popen(
                [*module, *map(str, words)], stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
            stack.callback(child.wait)
            stack.callback(child.kill)
            return child

        scheduler = start(
            "distributed.cli.dask_scheduler", *bound, "--port", 0, "--scheduler-file", file
        )
        address = _address(file, folder / "log")
        own = ("--data-dir", data, "--", "--no-nanny", "--local-directory", folder)
        yield Dask(
            address,
            scheduler,
            {name: start("waltax", "worker", address, "--name", name, *own) for name in names},
        )


def _address(file: Path, log: Path) -> str:
    until_s = time.monotonic() + _UP_S
    while time.monotonic() < until_s:
        with contextlib.suppress(OSError, ValueError, KeyError):
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def lost(found: Sequence[Row], seed: int) -> int:
    """How many rows are missing before the last of their session.

    The order of a round's cells is drawn from the campaign's seed (`runners.session`), so that it
    is known what was measured before each row.
    """
    missing = 0
    cells = sorted({one["cell"] for one in found})
    for session in sorted({one["session"] for one in found}):
        mine = [(one["round"], one["cell"]) for one in found if one["session"] == session]
        wanted = [
            (number, cell)
            for number in range(1 + mine[-1][0])
            for cell in _order(cells, seed, session, number)
        ]
        before = wanted[: 1 + wanted.index(mine[-1])]
        missing += len(set(before) - set(mine))
    return missing


def _order(cells: Sequence[str], seed: int, session: int, number: int) -> list[str]:
    order = list(cells)
    random.Random(f"{seed}/{session}/{number}").shuffle(order)
    return order


def doubled(found: Sequence[Row]) -> int:
    """How many rows are of a slice that another row is of, or of a session on two hosts."""
    places = Counter((one["session"], one["round"], one["cell"]) for one in found)
    hosts = {(one["session"], one["host"]) for one in found}
    return sum(places.values()) - len(places) + len(hosts) - len({one for one, _ in hosts})
