"""A scheduler and workers on this machine, for `--hosts local:N`: all on the loopback address."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from .. import proc
from ..errors import WaltaxError
from ..owned import places

LOOPBACK = "127.0.0.1"
QUIET = {
    # A worker's own threads must not disturb what it measures.
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
"""The environment of schedulers and workers."""
_UP_S = 60.0


@contextlib.contextmanager
def cluster(count: int, data_root: Path) -> Iterator[str]:
    """The address of a scheduler with so many workers, local-1 and so on; all end with us.

    They may still be on their way. Errors: WaltaxError when the scheduler does not come up.
    """
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(
            places.borrowed(data_root / "work", "hosts-", "work", flag="--data-dir")
        )
        address, _ = stack.enter_context(scheduler(folder))
        for number in range(1, count + 1):
            own = ("--no-nanny", "--local-directory", str(folder))
            named = ("--name", f"local-{number}", "--data-dir", data_root.absolute())
            stack.enter_context(_started(folder, "waltax", "worker", address, *named, "--", *own))
        yield address


@contextlib.contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, int]]:
    """The address and the pid of a scheduler, which writes into `folder`.

    Errors: WaltaxError when it does not come up.
    """
    told = folder / "scheduler.json"
    bound = ("--host", LOOPBACK, "--dashboard-address", f"{LOOPBACK}:0", "--no-dashboard")
    words = ("distributed.cli.dask_scheduler", *bound, "--port", "0", "--scheduler-file", told)
    with _started(folder, *words) as child:
        yield _address(told, child, folder / "log"), child.pid


@contextlib.contextmanager
def _started(folder: Path, *words: str | Path) -> Iterator[proc.Child]:
    """A module with its words, as a program that ends with us; it logs into `folder`."""
    argv = [sys.executable, "-m", *words]
    with (
        (folder / "log").open("ab") as log,
        proc.launched_group(argv, env=QUIET, stdout=log, stderr=log) as child,
    ):
        yield child


def _address(told: Path, child: proc.Child, log: Path) -> str:
    until_s = time.monotonic() + _UP_S
    while time.monotonic() < until_s and child.poll() is None:
        with contextlib.suppress(OSError, ValueError, KeyError):
            return str(json.loads(told.read_text())["address"])
        time.sleep(0.05)
    said = proc.last_words(log.read_text(errors="replace"))
    raise WaltaxError(f"--hosts: dask's scheduler does not come up here: {said or 'no message'}")
