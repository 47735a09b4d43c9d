"""`waltax worker`: a worker of dask for campaigns over hosts."""

from __future__ import annotations

import os
import re
import socket
import sys
from pathlib import Path

import click

from ..terminal import Terminal, say
from . import extra, labels, where
from .local import LOOPBACK, QUIET
from .tasks import DATA_DIR

_ROOT = Path(__file__).parent.parent


@click.command()
@click.argument("scheduler")
@click.option("--name", help="Of this host in rows and reports. Default: the machine's name.")
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=_ROOT / "data",
    show_default="data/ of the repository",
    help="Where data sets and clones are.",
)
@click.argument("dask", nargs=-1, type=click.UNPROCESSED, metavar="[-- DASK WORKER'S FLAGS]")
def command(scheduler: str, name: str | None, data_dir: Path, dask: tuple[str, ...]) -> None:
    """Let this machine measure sessions of campaigns: a worker of dask at SCHEDULER.

    The devices that devices.toml makes real here are its labels. What stands behind `--` goes to
    `dask worker` as it is, such as --interface or the certificates of TLS.
    """
    extra.require("worker")
    address = where.address(scheduler, "worker")
    names, refused = labels.offered(data_dir)
    resources = " ".join(f"{label}=1" for label in (labels.HOST, *names))
    called = name or socket.gethostname()
    say(Terminal(), *refused, f"host {called} offers {' and '.join(names) or 'no real device'}")
    argv = [
        *(sys.executable, "-m", "distributed.cli.dask_worker", address),
        *("--nworkers", "1", "--nthreads", "1", "--memory-limit", "0"),
        *("--name", called, "--resources", resources),
        *("--no-dashboard", "--dashboard-address", f"{LOOPBACK}:0"),
        *(("--host", LOOPBACK) if re.search(r"//(127\.|localhost)", address) else ()),
        *dask,
    ]
    os.environ.update({**QUIET, DATA_DIR: str(data_dir.absolute())})
    sys.stdout.flush()
    os.execv(sys.executable, argv)
