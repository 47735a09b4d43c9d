"""`waltax try`: what another log device, or another durability, costs a program of the user's."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..cell import STUDY as DEVICES
from ..engines import PROGRAM
from ..runners.cells.power_cut import Cutting
from ..runners.recipe import command_line
from ..workloads.command.workload import COMMAND, TIMED
from . import names, options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign
    from ..runners.cells.setting import Command


@dataclass(frozen=True)
class TryRequest(Request):
    """`command` are the words after `--`; for the rest see each flag's help."""

    command: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    data: str | None = None
    metric: str | None = None
    off: str | None = None
    flush: str | None = None
    serve: bool = False
    load: str | None = None
    ready: str | None = None
    check: str | None = None
    cuts: int = 20
    states: int = 10
    rounds: int = 4
    sessions: int = 3
    timeout_s: float = 3600.0


def plan(request: TryRequest, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign of the command. Errors: UsageError for an invalid metric, log or device."""
    from ..runners import campaign

    own = _command(request)
    recipe = replace(
        request.recipe(STUDY.kind),
        engine=PROGRAM,
        workloads=(COMMAND if own.metric else TIMED,),
        devices=request.devices or DEVICES,
        durability="sync",
        beside=tuple(own.modes),
        command=own,
        cutting=Cutting(request.cuts, request.states) if own.check else None,
        mixes={},
    )
    names.refuse_shared_directory(recipe.wal_dir, recipe.devices)
    return [campaign.new(recipe, request.results, request.data_dir.absolute())]


def _command(request: TryRequest) -> Command:
    from ..runners.cells.program import folder
    from ..runners.cells.setting import Command

    _require_sense(request)
    modes = {"flush": request.flush, "off": request.off}
    data = request.data
    return Command(
        run=_line(request.command),
        metric=request.metric or "",
        data="" if data is None else str(Path(data).expanduser().absolute()),
        prepare=None,
        timeout_s=request.timeout_s,
        rounds=request.rounds,
        sessions=request.sessions,
        log=tuple(map(folder.pattern, request.log)),
        modes={mode: line for mode, line in modes.items() if line},
        serves=request.serve,
        load=request.load or "",
        ready=request.ready or "",
        check=request.check or "",
        stdin=_stdin(),
        here=str(Path.cwd()),
    )


def _require_sense(request: TryRequest) -> None:
    if not request.command:
        raise UsageError(
            "--: found no command; type it last, as in: waltax try -- sqlite3 t.db <script.sql"
        )
    if request.serve != bool(request.load):
        found, lacking = ("--serve", "--load") if request.serve else ("--load", "--serve")
        raise UsageError(
            f"{found}: found without {lacking}; a server is measured by a load against it"
        )
    if request.check and (request.serve or not request.log):
        raise UsageError(
            "--check: it needs --log, and no --serve: one process is recorded from its begin to "
            "its end"
        )
    if request.ready and not request.serve:
        raise UsageError("--ready: found without --serve; only a server is waited for")


def _line(words: Sequence[str]) -> str:
    """Return the command as the shell's line: one word with blanks is a line already.

    A program that is named by a relative path stays itself in the folder where it runs.
    """
    first, *others = words
    if not others and first.split() != [first]:
        return first
    if "/" in first:
        first = str(Path(first).absolute())
    return shlex.join([first, *others])


def _stdin() -> str:
    """Return the file that standard input is; "" for none. Errors: UsageError for a pipe."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return ""
    if stat.S_ISREG(mode):
        return str(Path("/proc/self/fd/0").readlink())
    if stat.S_ISFIFO(mode):
        raise UsageError(
            "standard input: found a pipe, which can be read only once, and the command runs many "
            "times; write it to a file and type <FILE, or </dev/null"
        )
    return ""


def watch(request: TryRequest) -> int | None:
    """Watch one run and print what it syncs, if no log was named; None: measure."""
    if request.log:
        return None
    from ..runners import standalone_program
    from . import watched

    own = _command(request)
    seen = standalone_program.watch(own, request.data_dir.absolute())
    typed = shlex.join(sys.argv[sys.argv.index(STUDY.kind) + 1 :])
    again = f"{typed} <{shlex.quote(own.stdin)}" if own.stdin else typed
    click.echo("\n".join(watched.watched(seen, again)))
    return 0


STUDY = Study(
    kind="try",
    noun="campaign of a program",
    about="COMMAND stands after --, and runs in a copy of --data, or in an empty folder, which "
    "WALTAX_DATA names. Without --log one run is watched: which files it syncs, how often, and "
    "how long it waits for that. With it, COMMAND runs on each device in turn, beside syncs that "
    "take no time.",
    request=TryRequest,
    repeats=False,
    options=(
        click.argument("command", nargs=-1, type=click.UNPROCESSED),
        click.option(
            "--log",
            multiple=True,
            metavar="PATTERN",
            help="The files of its log, below the data: 'wal/' or '*.log'. Repeatable.",
        ),
        command_line.devices(
            "Where the log is. Several, separated by blanks, or repeatable. Default: ssd, nvme and "
            "nvram."
        ),
        options.wal_dir(),
        options.allow_mismatch(),
        click.option("--data", metavar="FOLDER", help="Copied for each run; never changed."),
        click.option(
            "--metric",
            metavar="REGEX",
            help="Its one group is the number that COMMAND, or --load, prints; more is better. "
            "Default: runs a second.",
        ),
        click.option("--flush", metavar="COMMAND", help="The same in a mode without syncs."),
        click.option("--off", metavar="COMMAND", help="The same without a log."),
        click.option("--serve", is_flag=True, help="COMMAND is a server, measured by --load."),
        click.option("--load", metavar="COMMAND", help="Runs against the server, to its end."),
        click.option(
            "--ready",
            metavar="COMMAND",
            help="Succeeds once the server can be used. Default: when it listens on a socket.",
        ),
        click.option(
            "--check",
            metavar="COMMAND",
            help="Cut the power, too: COMMAND prints the items in $WALTAX_DATA, one a line; the "
            "program appended those acknowledged to $WALTAX_ACKS.",
        ),
        options.number("--cuts", 20, (1, None), "Moments at which a run is cut."),
        options.number("--states", 10, (1, None), "States of the disk to try at each moment."),
        options.profile("quick", "Whose target and time budget."),
        options.number("--rounds", 4, (1, 1000), ""),
        options.number("--sessions", 3, (1, 1000), "At least; then more until all are tight."),
        options.number(
            "--timeout", 3600.0, (0.001, None), "Seconds that a COMMAND may take.", "timeout_s"
        ),
    ),
    plan=plan,
    instead=watch,
    report=reported("program"),
)
