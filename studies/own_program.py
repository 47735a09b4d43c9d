"""`waltax try`: what another log device, or another durability, costs a program of the user's."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..cell import STUDY as DEVICES
from ..engines import PROGRAM
from ..runners.recipe import command_line
from ..runners.recipe.axes.axis import Option
from ..runners.recipe.parts import Command, Cutting
from ..workloads.own_program import COMMAND, TIMED
from . import options
from .request import Request
from .study import Changes, Study, reported

if TYPE_CHECKING:
    from ..devices.tap_page import TapCounters

_PRESETS = Path(__file__).with_name("presets")
PRESETS = tuple(sorted(path.stem for path in _PRESETS.glob("*.toml")))
_TURN_S = 60.0  # for which nothing is looked at but whether the server has ended


def _preset(context: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    """Take what a preset says as the defaults of the other options, and return its command.

    {words} in its texts stands for the words after `--`.
    """
    if name is None:
        return None
    from ..base.tomlfile import read_toml

    said = read_toml(_PRESETS / f"{name}.toml")
    command = str(said.pop("command"))
    named = {flag: option.name for option in context.command.params for flag in option.opts}
    defaults = {named[f"--{key}"] or key: value for key, value in said.items()}
    context.default_map = {**(context.default_map or {}), **defaults}
    return command


def _command(request: Request) -> Command:
    """Return what was typed of the program.

    Errors: UsageError for none, an invalid log, and standard input that is a pipe.
    """
    from ..runners.cells.program import run

    own, words = request.own, shlex.join(request.own["command"])
    if not any(own["command"]) and not own["preset"]:
        raise UsageError(
            "--: found no command; type it last, as in: waltax try -- sqlite3 t.db <script.sql"
        )

    def filled(text: str) -> str:
        return text.replace("{words}", words) if own["preset"] else text

    text = {name: filled(own[name]) for name in ("flush", "off", "load_command", "ready", "check")}
    return Command(
        run=filled(own["preset"] or _line(own["command"])),
        metric=own["metric"],
        data=own["data"] and str(Path(own["data"]).expanduser().absolute()),
        timeout_s=own["timeout_s"],
        rounds=own["rounds"],
        sessions=own["sessions"],
        log=tuple(map(run.pattern, own["log"])),
        modes={mode: text[mode] for mode in ("flush", "off") if text[mode]},
        serves=bool(own["serve"] or text["load_command"] or text["ready"]),
        load=text["load_command"],
        ready=text["ready"],
        check=text["check"],
        stdin=_stdin(),
        here=str(Path.cwd()),
    )


def _line(words: Sequence[str]) -> str:
    """Return the command as the shell's line: one word with blanks or a variable is one already.

    A program that is named by a relative path stays itself in the folder where it runs, as does one
    that a line begins with, if it is here.
    """
    first, *others = words
    if not others and (first.split() != [first] or "$" in first):
        is_here = first.startswith("./") and Path(first.split()[0]).exists()
        return f'"$WALTAX_HERE"{first[1:]}' if is_here else first
    return shlex.join([str(Path(first).absolute()) if "/" in first else first, *others])


def _stdin() -> str:
    """Return the file that standard input is; "" for none. Errors: UsageError for a pipe."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return ""
    if stat.S_ISFIFO(mode):
        raise UsageError(
            "standard input: found a pipe, which can be read only once, and the command runs many "
            "times; write it to a file and type <FILE, or </dev/null"
        )
    return str(Path("/proc/self/fd/0").readlink()) if stat.S_ISREG(mode) else ""


def _changes(request: Request) -> Iterator[Changes]:
    """Yield those of a campaign of the command. Errors: UsageError as `_command`."""
    own = _command(request)
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
    own = _command(request)
    if own.log and (own.load or not own.serves):
        return None
    if request.only_plan or (own.serves and not own.load and not own.log):
        raise UsageError(
            f"{'--plan' if request.only_plan else '--serve'}: found it without --log; add --log "
            "with the files of the log, or leave it out to learn from one run which they are"
        )
    return _serve(request) if own.log else _watch(request, own)


def _watch(request: Request, own: Command) -> int:
    """Watch one run and print what it syncs. Errors: as `watch.watch`; UsageError for no room."""
    from ..base.folders.places import require_writable
    from ..runners import plan
    from ..runners.cells.program import run, watch

    require_writable("--data-dir", request.data_dir)
    plan.require_disk("--data-dir", request.data_dir, run.size_mib(own.data))
    typed = command_line.typed().removeprefix(f"{STUDY.kind} ")
    stdin = f" <{shlex.quote(own.stdin)}" if own.stdin else ""
    again = f"{command_line.program()} {STUDY.kind} {{log}} {typed}{stdin}"
    click.echo("\n".join(watch.watch(own, request.data_dir).lines(again)))
    return 0


def _serve(request: Request) -> int:
    """Start the server with its log on the device, until Ctrl-C.

    Say where it is, and at the end what the log did. Nothing of it is kept. Errors: WaltaxError
    with the server's last words when it does not start or ends by itself.
    """
    from ..base import proc
    from ..runners import lives, local, plan
    from ..runners.cells.program.cell import ProgramCell
    from ..runners.workspace import workspace

    if len(request.devices) != 1:
        raise UsageError("--device: a server without --load has one log; name one device")
    campaign = STUDY.campaigns(request)[0]
    cell = next(each for each in campaign.cells if each.durability == "sync")
    with local.holding(campaign, click.echo, share=request.share_machine):
        plan.require_room(campaign)
        with (
            workspace(campaign) as home,
            lives.bring_up(home, cell, None, 0) as live,
        ):
            assert isinstance(live, ProgramCell)
            with live.begun(live.home / "said") as (placed, pages, _, server):
                assert server is not None
                click.echo(f"log      on {cell.device}, in {placed.log}")
                click.echo(f"data     {placed.data}")
                click.echo(f"sockets  {placed.sockets}")
                click.echo(f"stop     Ctrl-C, or: kill {os.getpid()}")
                before = pages.snapshot()  # a start and a stop write records of their own
                try:
                    while not proc.any_ended([server], _TURN_S):
                        pass
                finally:
                    click.echo(_account(pages.snapshot().minus(before)))
    return 0


def _account(seen: TapCounters) -> str:
    """Say what the tap saw of the log."""
    from ..devices.tap_page import percentile

    p50, p99 = (percentile(seen.sync_achieved, q) for q in (50, 99))
    took = "" if p50 is None else f", p50 {p50:,.1f} us, p99 {p99:,.1f} us"
    written = f"{seen.write_bytes:,} bytes in {seen.writes:,} writes"
    return f"the log: {written}, {seen.syncs:,} syncs{took}"


def _text(flag: str, metavar: str, what: str, *name: str) -> Option:
    return click.option(flag, *name, default="", metavar=metavar, help=what)


STUDY = Study(
    kind="try",
    about="COMMAND stands after --, and runs in a copy of --data, or in an empty folder, which "
    "WALTAX_DATA names. Without --log one run is watched: which files it syncs, how often, and "
    "how long it waits for that. With it, COMMAND runs on each device in turn, beside syncs that "
    "take no time.",
    repeats=False,
    options=(
        click.argument("command", nargs=-1, type=click.UNPROCESSED),
        click.option(
            "--preset",
            type=click.Choice(PRESETS),
            is_eager=True,
            callback=_preset,
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
        _text("--data", "FOLDER", "Copied for each run; never changed."),
        _text(
            "--metric",
            "REGEX",
            "Its one group is the number that COMMAND, or --load, prints; more is better. Default: "
            "runs a second.",
        ),
        _text("--flush", "COMMAND", "The same in a mode without syncs."),
        _text("--off", "COMMAND", "The same without a log."),
        _text(
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
        _text(
            "--ready",
            "COMMAND",
            "Succeeds once the server can be used. Default: when it listens on a socket.",
        ),
        _text(
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
