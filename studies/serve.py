"""`waltax serve`: run servers on our devices, alone or to measure a user's command (--run)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..base.printable import one_line
from ..cell import STUDY as DEVICES
from ..engines import SERVED
from ..runners.recipe import axes, command_line
from ..workloads import DEFAULT
from ..workloads.command.workload import COMMAND, EMPTY
from . import names, options
from .request import Request
from .study import Say, Study

if TYPE_CHECKING:
    from ..runners.campaign import Campaign, Recipe

_ONLY_WITH_RUN = (
    *("metric", "rounds", "sessions", "wal_with_data"),
    *("cpu_counters", "results", "only_plan", "before", "after"),
)
_ONLY_ALONE = ("every_s",)


@dataclass(frozen=True)
class ServeRequest(Request):
    """`run` is the command to measure, None to serve alone; for the rest see each flag's help."""

    data: str = EMPTY
    prepare: str | None = None
    run: str | None = None
    metric: str | None = None
    rounds: int = 4
    sessions: int = 3
    timeout_s: float = 3600.0
    every_s: float = 10.0


def plan(request: ServeRequest, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign of the command. Errors: UsageError for an invalid metric or device."""
    from ..runners import campaign

    recipe = _recipe(request, DEVICES)
    names.refuse_shared_directory(recipe.wal_dir, recipe.devices)
    return [campaign.new(recipe, request.results, request.data_dir.absolute())]


def _recipe(request: ServeRequest, devices: tuple[str, ...]) -> Recipe:
    """Return the recipe to measure or to serve, on `devices` unless others were typed."""
    from ..runners.cells.setting import Command

    wanted = Command(
        run=request.run or "",
        metric=request.metric or "",
        data=_whole(request.data),
        prepare=request.prepare,
        timeout_s=request.timeout_s,
        rounds=request.rounds,
        sessions=request.sessions,
    )
    named = names.and_with_data(request.devices or devices, request)
    return replace(request.recipe(STUDY.kind), workloads=(COMMAND,), devices=named, command=wanted)


def _whole(data: str) -> str:
    """Return a directory's path as absolute, for --resume, and a word unchanged."""
    if data == EMPTY or data in DEFAULT:
        return data
    return str(Path(data).expanduser().absolute())


def serve_alone(request: ServeRequest) -> int | None:
    """Serve until a signal, and return the exit code; None when there is a command to measure.

    Errors: UsageError for a flag that has no effect there.
    """
    _refuse_flags_without_use(request)
    if request.run is not None:
        return None
    from ..runners import standalone_server
    from ..runners.cells.signals import noted

    recipe = _recipe(request, ("nvme",))
    if len(recipe.devices) != 1:
        raise UsageError("--device: a server has one log, so name one; with --run name several")
    with noted() as signals:
        planned = standalone_server.planned(recipe, request.results, request.data_dir.absolute())
        shared = request.share_machine
        return standalone_server.serve(
            planned, signals, request.every_s, _say, share_machine=shared
        )


def _refuse_flags_without_use(request: ServeRequest) -> None:
    measures = request.run is not None
    if measures and request.metric is None:
        raise UsageError("--run: found no --metric; it takes a regular expression with one group")
    if request.run == "":
        raise UsageError("--run: found an empty command; type what is to be measured")
    for name in _ONLY_ALONE if measures else _ONLY_WITH_RUN:
        if name in request.given:
            where = "without" if measures else "with"
            raise UsageError(f"{request.given[name]}: it goes {where} --run")


def _say(text: str) -> None:
    """Print a line without control characters, since a user's command may have written it."""
    click.echo(one_line(text))


STUDY = Study(
    kind="serve",
    noun="campaign of a command",
    about="With --run: measure COMMAND on such a server per device, interleaved with no log at "
    "all. COMMAND finds its server in WALTAX_SOCKET, WALTAX_USER and WALTAX_DATABASE.",
    request=ServeRequest,
    repeats=False,
    options=(
        options.engine(SERVED, "Whose server.", "myrocks"),
        command_line.devices(
            "Where the log is. With --run several, separated by blanks, or repeatable. Default: "
            "nvme; with --run ssd, nvme and nvram."
        ),
        options.durability(
            "When a commit is acknowledged. Default: sync; of innodb with --run sync and flush."
        ),
        options.wal_dir(),
        *axes.options("with-data", "binlog"),
        options.allow_mismatch(),
        options.profile("quick", "Whose server settings."),
        click.option(
            "--data",
            default=EMPTY,
            show_default=True,
            help="What it holds: linkbench or tpcc (of the profile's size), or a data directory's "
            "copy.",
        ),
        click.option(
            "--prepare", metavar="COMMAND", help="Fills the data, once, before it is cloned."
        ),
        click.option("--run", metavar="COMMAND", help="Measure COMMAND on a server per device."),
        click.option(
            "--metric", metavar="REGEX", help="Its one group is COMMAND's number; more is better."
        ),
        options.number("--rounds", 4, (1, 1000), ""),
        options.number(
            "--sessions",
            3,
            (1, 1000),
            "At least; then more until all intervals are tight, or the profile's time budget "
            "is spent.",
        ),
        options.number(
            "--timeout", 3600.0, (0.001, None), "Seconds that a COMMAND may take.", "timeout_s"
        ),
        options.number(
            "--every",
            10.0,
            (0.1, None),
            "Seconds between the lines that say what the log did.",
            "every_s",
        ),
    ),
    plan=plan,
    instead=serve_alone,
)
