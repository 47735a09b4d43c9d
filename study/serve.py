"""`waltax serve`: servers on our devices, alone or, with --run, to measure a user's command."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import click

from ..cell import STUDY as DEVICES
from ..engines import SERVED
from ..errors import UsageError, WaltaxError
from ..printable import one_line
from ..runners import typed
from ..serve.workload import COMMAND
from . import options
from .asked import Asked
from .study import Say, Study

if TYPE_CHECKING:
    from ..runners.campaign import Campaign
    from ..runners.serve import asked as servers
    from ..runners.serve import template
    from ..runners.serve.measured import Result
    from ..runners.serve.signals import Signals

_EMPTY = "empty"  # as `runners.serve.template` has it
_ONLY_WITH_RUN = ("metric", "rounds", "sessions", "results", "only_plan")
_ONLY_ALONE = ("every_s",)


@dataclass(frozen=True)
class ServeAsked(Asked):
    """`run` is the command to measure, None to serve alone; the rest is as its flag's help says."""

    data: str = _EMPTY
    prepare: str | None = None
    run: str | None = None
    metric: str | None = None
    rounds: int = 4
    sessions: int = 3
    timeout_s: float = 3600.0
    every_s: float = 10.0


def plan(asked: ServeAsked, _say: Say) -> Sequence[Campaign]:
    """A campaign of the command. Errors: UsageError for a metric or a device that is none."""
    from ..runners.campaign import Command

    assert asked.run is not None
    assert asked.metric is not None
    wanted = Command(
        run=asked.run,
        metric=asked.metric,
        data=asked.data,
        prepare=asked.prepare,
        timeout_s=asked.timeout_s,
        rounds=asked.rounds,
        sessions=asked.sessions,
    )
    named = asked.devices or DEVICES
    recipe = replace(asked.recipe(STUDY.kind), workloads=(COMMAND,), devices=named, command=wanted)
    return [asked.campaign(recipe)]


def serve_alone(asked: ServeAsked) -> int | None:
    """Serve until it is told to end; None when there is a command to measure.

    Errors: UsageError for a flag that has no use there.
    """
    _refuse_flags_without_use(asked)
    from ..runners.serve.signals import noted

    with noted() as signals:
        # Until campaigns of commands are measured by `runners.loop`; then this is None with --run.
        return _serve(asked, signals) if asked.run is None else _measure(asked, signals)


def _refuse_flags_without_use(asked: ServeAsked) -> None:
    measures = asked.run is not None
    if measures and asked.metric is None:
        raise UsageError("--run: found no --metric; it takes a regular expression with one group")
    if asked.run == "":
        raise UsageError("--run: found an empty command; type what is to be measured")
    for name in _ONLY_ALONE if measures else _ONLY_WITH_RUN:
        if name in asked.given:
            where = "without" if measures else "with"
            raise UsageError(f"{asked.given[name]}: it goes {where} --run")


def _say(text: str) -> None:
    """What a user's command prints is on the terminal as well: no control character of it is."""
    click.echo(one_line(text))


def _serve(asked: ServeAsked, signals: Signals) -> int:
    from ..runners.serve import alone
    from ..runners.serve.asked import to_serve

    wanted = _servers(asked, ("nvme",))
    if len(wanted.devices) != 1:
        raise UsageError("--device: a server has one log, so name one; with --run name several")
    campaign, cell = to_serve(wanted, asked.results, asked.data_dir.absolute())
    with _place(campaign, asked) as campaign:
        data = _template(campaign, asked, signals)
        if signals.first is not None:
            return signals.exit_code
        return alone.serve(campaign, cell, data, signals, asked.every_s, _say)


def _servers(asked: ServeAsked, default: tuple[str, ...]) -> servers.Asked:
    from ..runners.serve.asked import Asked as Servers

    return Servers(
        engine=asked.engine,
        profile=asked.profile,
        devices=asked.devices or default,
        durability=asked.durability,
        wal_dir=asked.wal_dir,
        allow_mismatch=asked.allow_mismatch,
        seed=asked.seed,
    )


@contextlib.contextmanager
def _place(campaign: Campaign, asked: ServeAsked) -> Iterator[Campaign]:
    from ..owned.machine import only_campaign
    from ..runners.workspace import sweep, workspace

    with only_campaign(campaign.id, share=asked.share_machine) as notes:
        for said in (*(f"warning: {note}" for note in notes), *sweep(campaign)):
            _say(said)
        with workspace(campaign) as placed:
            yield placed


def _template(campaign: Campaign, asked: ServeAsked, signals: Signals) -> template.Template:
    from ..runners.serve import room, template

    room.require(campaign, asked.data)
    fill = template.Fill(asked.prepare, asked.timeout_s) if asked.prepare else None
    with signals.finishing("the data"):
        return template.make(campaign, asked.data, fill, _say, signals)


def _measure(asked: ServeAsked, signals: Signals) -> int:
    from ..owned import places
    from ..runners.serve.asked import to_measure
    from ..runners.serve.measured import Job, Measuring
    from ..runners.serve.metric import Metric

    assert asked.run is not None
    assert asked.metric is not None
    metric = Metric.parse(asked.metric)
    job = Job(asked.run, metric, asked.timeout_s, asked.sessions, asked.rounds)
    wanted = _servers(asked, DEVICES)
    campaign = to_measure(wanted, asked.results, asked.data_dir.absolute())
    with contextlib.ExitStack() as stack:
        stack.enter_context(places.results(campaign.folder, campaign.rows_path.exists))
        campaign = stack.enter_context(_place(campaign, asked))
        _introduce(campaign, asked)
        data = _template(campaign, asked, signals)
        with signals.finishing("the run under way"):
            result = Measuring(campaign, job, data, signals, _say).run()
    return _finish(campaign, result, signals)


def _finish(campaign: Campaign, result: Result, signals: Signals) -> int:
    from .. import analysis
    from ..analysis import reports
    from ..terminal import Terminal

    if result.has_result:
        analysis.publish(reports.devices([campaign.folder]), Terminal())
    for cell, why in result.failures.items():
        _say(f"FAILED {cell}: {why}")
    if signals.first is not None:
        _say("Ended because it was interrupted.")
        return 130
    return 1 if result.failures else 0


def _introduce(campaign: Campaign, asked: ServeAsked) -> None:
    """What is about to happen, said and kept: the seed makes its order repeatable."""
    names = ("run", "metric", "prepare", "data", "rounds", "sessions", "timeout_s")
    kept = {**asdict(campaign.recipe), **{name: getattr(asked, name) for name in names}}
    try:
        (campaign.folder / "command.json").write_text(json.dumps(kept, indent=1) + "\n")
    except OSError as error:
        raise WaltaxError(f"{campaign.folder}: cannot be written: {error.strerror}") from error
    _say(f"campaign {campaign.id}, seed {campaign.recipe.seed}")
    for cell in campaign.cells:
        for warning in campaign.placements[cell.id].warnings:
            _say(f"warning: {cell.device}: {warning}")
    runs = asked.rounds * asked.sessions
    _say(f"{len(campaign.cells)} servers, {runs} runs of the command on each")


STUDY = Study(
    kind="serve",
    noun="campaign of a command",
    about="With --run: measure COMMAND on such a server per device, interleaved with no log at "
    "all. COMMAND finds its server in WALTAX_SOCKET, WALTAX_USER and WALTAX_DATABASE.",
    asked=ServeAsked,
    options=(
        options.engine(SERVED, "Whose server.", "myrocks"),
        typed.devices(
            "Where the log is. With --run several, separated by blanks, or repeatable. Default: "
            "nvme; with --run ssd, nvme and nvram."
        ),
        options.durability(
            "When a commit is acknowledged. Default: sync; of innodb with --run sync and flush."
        ),
        options.wal_dir(),
        options.allow_mismatch(),
        options.profile("quick", "Whose server settings."),
        click.option(
            "--data",
            default=_EMPTY,
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
        click.option("--rounds", type=click.IntRange(1, 1000), default=4, show_default=True),
        click.option("--sessions", type=click.IntRange(1, 1000), default=3, show_default=True),
        click.option(
            "--timeout",
            "timeout_s",
            type=click.FloatRange(0.001),
            default=3600.0,
            show_default=True,
            help="Seconds that a COMMAND may take.",
        ),
        click.option(
            "--every",
            "every_s",
            type=click.FloatRange(0.1),
            default=10.0,
            show_default=True,
            help="Seconds between the lines that say what the log did.",
        ),
    ),
    plan=plan,
    instead=serve_alone,
)
