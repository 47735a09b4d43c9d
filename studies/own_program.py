"""`waltax try`: what another log device, or another durability, costs a program of the user's."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..base.errors import UsageError
from ..cell import STUDY as DEVICES
from ..engines import PROGRAM
from ..runners.recipe import command_line
from ..runners.recipe.parts import Cutting
from ..workloads.own_program import COMMAND, TIMED
from . import options, program_line, program_run
from .request import Request
from .study import Changes, Study, reported


def _changes(request: Request) -> Iterator[Changes]:
    """Yield those of a campaign of the command. Errors: as `program_line.command`."""
    own = program_line.command(request)
    yield {
        "engine": PROGRAM,
        "workloads": (COMMAND if own.metric else TIMED,),
        "command": own,
        "devices": request.devices or DEVICES,
        "durability": "sync",
        "beside": tuple(own.modes),
        "cutting": Cutting(request.own["cuts"], request.own["states"]) if own.check else None,
    }


def _instead(request: Request) -> int | None:
    """Watch one run if no log was named, serve if there is no load; None: measure."""
    own = program_line.command(request)
    if own.log and (own.load or not own.serves):
        return None
    if request.only_plan or (own.serves and not own.load and not own.log):
        raise UsageError(
            f"{'--plan' if request.only_plan else '--serve'}: found it without --log; add --log "
            "with the files of the log, or leave it out to learn from one run which they are"
        )
    if not own.log:
        return program_run.watch(request, own)
    return program_run.serve(request, STUDY.campaigns(request)[0])


STUDY = Study(
    kind=program_run.KIND,
    about="COMMAND stands after --, and runs in a copy of --data, or in an empty folder, which "
    "WALTAX_DATA names. Without --log one run is watched: which files it syncs, how often, and "
    "how long it waits for that. With it, COMMAND runs on each device in turn, beside syncs that "
    "take no time.",
    repeats=False,
    options=(
        click.argument("command", nargs=-1, type=click.UNPROCESSED),
        click.option(
            "--preset",
            type=click.Choice(program_line.PRESETS),
            is_eager=True,
            callback=program_line.preset,
            help="COMMAND and the options that it needs; the words after -- are then its own.",
        ),
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
        options.ALLOW_MISMATCH,
        options.text("--data", "FOLDER", "Copied for each run; never changed."),
        options.text(
            "--metric",
            "REGEX",
            "Its one group is the number that COMMAND, or --load, prints; more is better. Default: "
            "runs a second.",
        ),
        options.text("--flush", "COMMAND", "The same in a mode without syncs."),
        options.text("--off", "COMMAND", "The same without a log."),
        options.text(
            "--load",
            "COMMAND",
            "Runs to its end against the server that COMMAND then is.",
            "load_command",
        ),
        click.option(
            "--serve",
            is_flag=True,
            help="COMMAND is a server; without --load it serves until Ctrl-C, for other tools.",
        ),
        options.text(
            "--ready",
            "COMMAND",
            "Succeeds once the server can be used. Default: when it listens on a socket.",
        ),
        options.text(
            "--check",
            "COMMAND",
            "Cut the power, too: COMMAND prints the items in $WALTAX_DATA, one a line; the program "
            "appended those acknowledged to $WALTAX_ACKS.",
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
    changes=_changes,
    instead=_instead,
    report=reported("program"),
)
