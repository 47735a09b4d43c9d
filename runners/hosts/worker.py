"""`waltax worker`: a worker of dask for campaigns over hosts; and those of `--hosts local:N`."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from ...base import home, proc
from ...base.errors import WaltaxError
from ...base.folders import places
from ...base.terminal import Terminal, say
from . import agreement, where
from .tasks import DATA_DIR

_LOOPBACK = "127.0.0.1"
_MODULE = (sys.executable, "-m")
# Set for schedulers and workers: a worker's own threads must not disturb what it measures.
_QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
_UP_S = 60.0


@click.command()
@click.argument("scheduler")
@click.option("--name", help="Of this host in rows and reports. Default: the machine's name.")
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=home.place("data"),
    show_default=home.shown("data"),
    help="Where data sets and clones are.",
)
@click.argument("dask", nargs=-1, type=click.UNPROCESSED, metavar="[-- DASK WORKER'S FLAGS]")
def command(scheduler: str, name: str | None, data_dir: Path, dask: tuple[str, ...]) -> None:
    """Let this machine measure sessions of campaigns: a worker of dask at SCHEDULER.

    The devices that devices.toml makes real here are its labels. What follows `--` goes to
    `dask worker` as it is, such as --interface or the certificates of TLS.
    """
    where.require_dask("worker")
    address = where.address(scheduler, "worker")
    names, refused = agreement.offered(data_dir)
    resources = " ".join(f"{label}=1" for label in (agreement.HOST, *names))
    called = name or socket.gethostname()
    say(Terminal(), *refused, f"host {called} offers {' and '.join(names) or 'no real device'}")
    argv = [
        *(*_MODULE, "distributed.cli.dask_worker", address),
        *("--nworkers", "1", "--nthreads", "1", "--memory-limit", "0"),
        *("--name", called, "--resources", resources),
        *("--no-dashboard", "--dashboard-address", f"{_LOOPBACK}:0"),
        *(("--host", _LOOPBACK) if re.search(r"//(127\.|localhost)", address) else ()),
        *dask,
    ]
    os.environ.update({**_QUIET, DATA_DIR: str(data_dir.absolute())})
    sys.stdout.flush()
    os.execv(sys.executable, argv)


@contextlib.contextmanager
def cluster(count: int, data_root: Path) -> Iterator[str]:
    """Yield the address of a scheduler with `count` workers, local-1 and so on; all end with us.

    All of it is on the loopback address. Workers may come up later. Errors: WaltaxError when the
    scheduler does not come up.
    """
    with (
        places.borrowed(data_root / "work", "hosts-", "work", flag="--data-dir") as folder,
        (folder / "log").open("ab") as log,
        contextlib.ExitStack() as stack,
    ):
        start = partial(proc.launched_group, env=_QUIET, stdout=log, stderr=log)
        address_file = folder / "scheduler.json"
        bound = ("--host", _LOOPBACK, "--dashboard-address", f"{_LOOPBACK}:0", "--no-dashboard")
        scheduler = (*_MODULE, "distributed.cli.dask_scheduler", *bound, "--port", "0")
        child = stack.enter_context(start([*scheduler, "--scheduler-file", address_file]))
        address = _address(address_file, child, folder / "log")
        for number in range(1, count + 1):
            own = ("--", "--no-nanny", "--local-directory", folder)
            named = ("--name", f"local-{number}", "--data-dir", data_root.absolute())
            stack.enter_context(start([*_MODULE, "waltax", "worker", address, *named, *own]))
        yield address


def _address(address_file: Path, child: proc.Child, log: Path) -> str:
    until_s = time.monotonic() + _UP_S
    while time.monotonic() < until_s and child.poll() is None:
        with contextlib.suppress(OSError, ValueError, KeyError):
            return str(json.loads(address_file.read_text())["address"])
        time.sleep(0.05)
    said = proc.last_words(log.read_text(errors="replace"))
    raise WaltaxError(f"--hosts: dask's scheduler does not come up here: {said or 'no message'}")
