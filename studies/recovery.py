"""`waltax receipts recovery`: how long an engine takes to serve again, by the log to replay.

Rows are written as they come, so that Ctrl-C loses none.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.folders import places
from ..base.folders.machine import only_campaign
from ..base.printable import say
from ..engines import ENGINES, WHOLE
from ..runners.recipe import command_line
from . import options
from .receipts import WORKLOADS

if TYPE_CHECKING:
    from rich.console import Console

    from ..crash.recovery.openings import Openings

# A server writes its log at a fraction of the embedded engine's pace.
_DEFAULT, _OF_SERVERS = (16, 64, 256), (16, 48, 128)


@click.command()
@options.several(options.matrix("ci", WHOLE, WORKLOADS, WORKLOADS[0]))
@click.option(
    "--logs",
    callback=command_line.numbers((1 << 32) - 1, "--logs '16 64 256', of MiB"),
    help="Lengths of the log at the kill, in MiB, separated by blanks. Default: "
    f"{' '.join(map(str, _DEFAULT))}; for a server {' '.join(map(str, _OF_SERVERS))}.",
)
@options.number("--kills", 2, (1, 100), "How often to reach each length and end the run.")
@options.number("--openings", 3, (1, 100), "How often to open what each kill left.")
@options.PLAN
@options.SEED
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    profile: str,
    engine: str,
    workloads: tuple[str, ...],
    logs: tuple[int, ...],
    seed: int | None,
    only_plan: bool,
    share_machine: bool,
    results: Path,
    data_dir: Path,
    **counts: Any,
) -> None:
    """How long an engine takes to serve again after a kill, by the bytes of log to replay.

    The engine is killed when its log has each of these lengths. What it left is opened several
    times, with none of its files in the page cache.
    """
    from .. import profiles
    from ..analysis import writers
    from ..analysis.reports import recovery
    from ..base.terminal import Terminal
    from ..crash.recovery.openings import Openings
    from ..runners import campaign

    lengths = logs or (_OF_SERVERS if ENGINES[engine].on_server else _DEFAULT)
    drawn = random.randrange(2**31) if seed is None else seed
    shared = (profiles.load(profile, engine), workloads[0], drawn, data_dir.absolute())
    request, console = Openings(*shared, lengths, **counts), Terminal()
    say(console, *_head(request))
    if only_plan:
        return
    folder = results.absolute() / f"{campaign.now()}-recovery"
    _keep(request, folder / "recovery.jsonl", console, share_machine=share_machine)
    writers.publish(recovery(folder), console)


def _head(request: Openings) -> list[str]:
    """Say what is measured. Errors: UsageError for a log that the engine, the disk or the memory
    cannot hold.
    """
    from ..crash.recovery import settings
    from ..runners import plan

    profile, workload, longest = request.profile, request.workload, max(request.logs)
    settings.require(profile.engine, longest)
    share = settings.needs(profile, workload, longest)
    plan.require_share(request.data_root, share)
    return [
        f"{workload} on {profile.engine}: {len(request.logs)} lengths of log, {request.kills} "
        f"kills of each, seed {request.seed}",
        f"disk at most {share.disk_mib:,.0f} MiB, memory at most {share.memory_mib:,.0f} MiB",
    ]


def _keep(request: Openings, path: Path, console: Console, *, share_machine: bool) -> None:
    """Write each row to `path`, in a new folder that is removed if there are no rows.

    It first removes what killed commands and campaigns left with the data. Errors: WaltaxError
    while another campaign measures; UsageError when the folder cannot be made.
    """
    from ..runners import workspace

    with (
        only_campaign(path.stem, share=share_machine) as notes,
        places.results(path.parent, path.exists, resumable=False),
    ):
        left = places.few(workspace.sweep_data(request.data_root))
        say(console, *(f"warning: {note}" for note in notes), *left)
        try:
            for row in request.rows(lambda text: say(console, text)):
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        except KeyboardInterrupt:
            if path.exists():
                again = f"  {command_line.program()} report {path.parent}"
                say(console, "The report of all rows so far:", again)
            raise
