"""`waltax try`: what another log device, or another durability, costs a program of the user's."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..cell import STUDY as DEVICES
from ..engines import PROGRAM
from ..runners.recipe import command_line
from ..runners.recipe.parts import Cutting
from ..workloads.own_program import COMMAND, TIMED
from . import options, presets
from .request import Request
from .study import Changes, Study

if TYPE_CHECKING:
    from ..analysis import Report
    from ..runners.campaign import Campaign, Recipe
    from ..runners.recipe.parts import Command


@dataclass(frozen=True)
class TryRequest(Request):
    """`command` are the words after `--`, and `preset` a line that they are put into; for the rest
    see each flag's help.
    """

    engine: str = PROGRAM
    command: tuple[str, ...] = ()
    preset: str | None = None
    log: tuple[str, ...] = ()
    data: str = ""
    metric: str = ""
    off: str = ""
    flush: str = ""
    serves: bool = False
    against: str = ""
    ready: str = ""
    check: str = ""
    cuts: int = 20
    states: int = 10
    rounds: int = 4
    sessions: int = 3
    timeout_s: float = 3600.0

    def campaign(self, recipe: Recipe) -> Campaign:
        """Make a new campaign, whose command finds its data from any folder. Errors: UsageError."""
        from ..runners import campaign

        return campaign.new(recipe, self.results, self.data_dir.absolute())


def _changes(request: TryRequest) -> Iterator[Changes]:
    """Yield those of a campaign of the command.

    Errors: UsageError for an invalid metric, log or device.
    """
    own, devices = _command(request), request.devices or DEVICES
    yield {
        "workloads": (COMMAND if own.metric else TIMED,),
        "command": own,
        "devices": devices,
        "durability": "sync",
        "beside": tuple(own.modes),
        "cutting": Cutting(request.cuts, request.states) if own.check else None,
    }


def _command(request: TryRequest) -> Command:
    from ..runners.cells.program import folder
    from ..runners.recipe.parts import Command

    _require_sense(request)
    words = shlex.join(request.command)

    def line(text: str) -> str:
        return text.replace("{words}", words) if request.preset else text

    modes = {"flush": line(request.flush), "off": line(request.off)}
    same = ("metric", "timeout_s", "rounds", "sessions", "serves")
    return Command(
        run=line(request.preset or "") or _line(request.command, request.data),
        data=request.data and str(Path(request.data).expanduser().absolute()),
        log=tuple(map(folder.pattern, request.log)),
        modes={mode: line for mode, line in modes.items() if line},
        load=line(request.against),
        ready=line(request.ready),
        check=line(request.check),
        stdin=_stdin(),
        here=str(Path.cwd()),
        **{name: getattr(request, name) for name in same},
    )


def _require_sense(request: TryRequest) -> None:
    if not any(request.command) and not request.preset:
        raise UsageError(
            "--: found no command; type it last, as in: waltax try -- sqlite3 t.db <script.sql"
        )
    if request.serves != bool(request.against):
        found, lacking = ("--serve", "--load") if request.serves else ("--load", "--serve")
        raise UsageError(
            f"{found}: found without {lacking}; a server is measured by a load against it"
        )
    if request.check and not request.log:
        raise UsageError(
            "--check: found without --log; name the files of the program's log, as in --log 'wal/'"
        )
    if request.ready and not request.serves:
        raise UsageError("--ready: found without --serve; only a server is waited for")


def _line(words: Sequence[str], data: str) -> str:
    """Return the command as the shell's line: one word with blanks or a variable is one already.

    A program that is named by a relative path stays itself in the folder where it runs; but for
    one that a line names and the data have.
    """
    first, *others = words
    if not others and (first.split() != [first] or "$" in first):
        name = first.partition(" ")[0]
        is_here = name.startswith("./") and Path(name).exists()
        if is_here and not Path(data or "/dev/null", name).exists():
            return f'"$WALTAX_HERE"{first[1:]}'
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
    if request.only_plan:
        raise UsageError(
            "--plan: found without --log, and a run that is only watched has no plan; add --log "
            "with the files of the log, or leave --plan out to learn which they are"
        )
    from ..runners import standalone
    from . import watched

    for name in request.devices:
        command_line.load_device(name)  # a wrong one would be found when it is measured
    own = _command(request)
    seen = standalone.watch(own, request.data_dir.absolute())
    typed = command_line.typed().removeprefix(f"{STUDY.kind} ")
    again = f"{typed} <{shlex.quote(own.stdin)}" if own.stdin else typed
    click.echo("\n".join(watched.watched(seen, again)))
    return 0


def _reports(_request: TryRequest, folders: Sequence[Path]) -> Sequence[Report]:
    """Report programs in their own terms; older campaigns, of a server of ours, say all already."""
    from ..analysis import reports
    from ..runners.recipe import campaign_file

    own = [folder for folder in folders if campaign_file.told(folder).engine == PROGRAM]
    return [reports.program(own)] if own else []


STUDY = Study(
    kind="try",
    about="COMMAND stands after --, and runs in a copy of --data, or in an empty folder, which "
    "WALTAX_DATA names. Without --log one run is watched: which files it syncs, how often, and "
    "how long it waits for that. With it, COMMAND runs on each device in turn, beside syncs that "
    "take no time.",
    request=TryRequest,
    repeats=False,
    options=(
        click.argument("command", nargs=-1, type=click.UNPROCESSED),
        click.option(
            "--preset",
            metavar="NAME|FILE",
            is_eager=True,
            callback=presets.chosen,
            help="COMMAND and the options that it needs, from a TOML file; the words after -- are "
            f"then the program's own. Names: {', '.join(presets.NAMES)}.",
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
        click.option(
            "--data",
            default="",
            metavar="FOLDER",
            help="Copied for each run; never changed.",
        ),
        click.option(
            "--metric",
            default="",
            metavar="REGEX",
            help="Its one group is the number that COMMAND, or --load, prints; more is better. "
            "Default: runs a second.",
        ),
        click.option(
            "--flush", default="", metavar="COMMAND", help="The same in a mode without syncs."
        ),
        click.option("--off", default="", metavar="COMMAND", help="The same without a log."),
        click.option(
            "--serve", "serves", is_flag=True, help="COMMAND is a server, measured by --load."
        ),
        click.option(
            "--load",
            "against",
            default="",
            metavar="COMMAND",
            help="Runs against the server, to its end.",
        ),
        click.option(
            "--ready",
            default="",
            metavar="COMMAND",
            help="Succeeds once the server can be used. Default: when it listens on a socket.",
        ),
        click.option(
            "--check",
            default="",
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
    changes=_changes,
    instead=watch,
    report=_reports,
)
