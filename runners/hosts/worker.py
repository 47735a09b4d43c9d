"""`waltax worker`: a worker of dask for campaigns over hosts."""

from __future__ import annotations

import os
import re
import socket
import sys
from pathlib import Path

import click

from ...base import home
from . import address as scheduler_address
from . import require_dask
from .tasks import DATA_DIR

_LOOPBACK = "127.0.0.1"
# A worker's own threads must not disturb what it measures.
_QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}


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

    What follows `--` goes to `dask worker` as it is, such as --interface or the certificates of
    TLS.
    """
    require_dask("worker")
    address = scheduler_address(scheduler, "worker")
    argv = [
        *(sys.executable, "-m", "distributed.cli.dask_worker", address),
        *("--nworkers", "1", "--nthreads", "1", "--memory-limit", "0"),
        *("--name", name or socket.gethostname()),
        *("--no-dashboard", "--dashboard-address", f"{_LOOPBACK}:0"),
        *(("--host", _LOOPBACK) if re.search(r"//(127\.|localhost)", address) else ()),
        *dask,
    ]
    os.environ.update({**_QUIET, DATA_DIR: str(data_dir.absolute())})
    os.execv(sys.executable, argv)
