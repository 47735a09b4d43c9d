"""The command `waltax serve`: servers on our devices for the programs of others."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import click
from click.core import ParameterSource

from ...cell import DURABILITIES, ENGINES, STUDY
from ...errors import UsageError, WaltaxError
from ...owned import places
from ...owned.machine import only_campaign
from ...printable import one_line
from .. import folders, typed
from ..campaign import Campaign
from ..workspace import sweep, workspace
from . import alone, asked, room, template
from .asked import Asked
from .measured import Job, Measuring, Result
from .metric import Metric
from .signals import Signals, noted

_ONLY_WITH_RUN = ("metric", "rounds", "sessions", "results")
_ONLY_ALONE = ("every_s",)


@click.command(name="serve", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--engine",
    type=click.Choice([name for name in ENGINES if name != "rocksdb"]),
    default="myrocks",
    show_default=True,
)
@typed.devices(
    "Where the log is. With --run several, separated by blanks, or repeatable. Default: nvme; with "
    "--run ssd, nvme and nvram."
)
@click.option(
    "--wal",
    "durability",
    type=click.Choice(DURABILITIES),
    help="When a commit is acknowledged. Default: sync; of innodb with --run sync and flush.",
)
@click.option("--wal-dir", help="A directory on the real device; takes one --device.")
@click.option("--allow-mismatch", is_flag=True, help="Accept a --wal-dir of another class.")
@click.option("--profile", default="quick", show_default=True, help="Whose server settings.")
@click.option(
    "--data",
    default=template.EMPTY,
    show_default=True,
    help="What it holds: linkbench or tpcc (of the profile's size), or a data directory's copy.",
)
@click.option("--prepare", metavar="COMMAND", help="Fills the data, once, before it is cloned.")
@click.option("--run", metavar="COMMAND", help="Measure COMMAND on a server per device.")
@click.option(
    "--metric", metavar="REGEX", help="Its one group is COMMAND's number; more is better."
)
@click.option("--rounds", type=click.IntRange(1, 1000), default=4, show_default=True)
@click.option("--sessions", type=click.IntRange(1, 1000), default=3, show_default=True)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(0.001),
    default=3600.0,
    show_default=True,
    help="Seconds that a COMMAND may take.",
)
@click.option(
    "--every",
    "every_s",
    type=click.FloatRange(0.1),
    default=10.0,
    show_default=True,
    help="Seconds between the lines that say what the log did.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Default: drawn.")
@click.option("--share-machine", is_flag=True, help="Run beside another campaign all the same.")
@folders.option("--results", "results", "Where measurements are kept.")
@folders.option("--data-dir", "data", "Where data sets and clones are.")
def command(**options: Any) -> None:
    """Start a server placed as a campaign's is, for sysbench, tpcc-mysql or your application.

    With --run: measure COMMAND on such a server per device, interleaved with no log at all.
    COMMAND finds its server in WALTAX_SOCKET, WALTAX_USER and WALTAX_DATABASE.
    """
    _refuse_flags_without_use(measures=options["run"] is not None)
    with noted() as signals:
        code = _measure(options, signals) if options["run"] else _serve(options, signals)
    raise SystemExit(code)


def _refuse_flags_without_use(*, measures: bool) -> None:
    context = click.get_current_context()
    if measures and context.params["metric"] is None:
        raise UsageError("--run: found no --metric; it takes a regular expression with one group")
    if context.params["run"] == "":
        raise UsageError("--run: found an empty command; type what is to be measured")
    for name in _ONLY_ALONE if measures else _ONLY_WITH_RUN:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            flag = next(p.opts[0] for p in context.command.params if p.name == name)
            raise UsageError(f"{flag}: it goes {'without' if measures else 'with'} --run")


def _say(text: str) -> None:
    """What a user's command prints is on the terminal as well: no control character of it is."""
    click.echo(one_line(text))


def _serve(options: dict[str, Any], signals: Signals) -> int:
    wanted = _asked(options, ("nvme",))
    if len(wanted.devices) != 1:
        raise UsageError("--device: a server has one log, so name one; with --run name several")
    campaign, cell = asked.to_serve(wanted, options["results"], options["data_dir"].absolute())
    with _place(campaign, options["share_machine"]) as campaign:
        data = _template(campaign, options, signals)
        if signals.first is not None:
            return signals.exit_code
        return alone.serve(campaign, cell, data, signals, options["every_s"], _say)


def _measure(options: dict[str, Any], signals: Signals) -> int:
    metric = Metric.parse(options["metric"])
    job = Job(options["run"], metric, options["timeout_s"], options["sessions"], options["rounds"])
    wanted = _asked(options, STUDY)
    campaign = asked.to_measure(wanted, options["results"], options["data_dir"].absolute())
    with contextlib.ExitStack() as stack:
        stack.enter_context(places.results(campaign.folder, campaign.rows_path.exists))
        campaign = stack.enter_context(_place(campaign, options["share_machine"]))
        _introduce(campaign, options)
        data = _template(campaign, options, signals)
        with signals.finishing("the run under way"):
            result = Measuring(campaign, job, data, signals, _say).run()
    _report(campaign, result)
    for cell, why in result.failures.items():
        _say(f"FAILED {cell}: {why}")
    if signals.first is not None:
        _say("Ended because it was interrupted.")
        return 130
    return 1 if result.failures else 0


def _asked(options: dict[str, Any], default: tuple[str, ...]) -> Asked:
    names = ("engine", "profile", "durability", "wal_dir", "allow_mismatch", "seed")
    return Asked(devices=options["devices"] or default, **{name: options[name] for name in names})


@contextlib.contextmanager
def _place(campaign: Campaign, share_machine: bool) -> Iterator[Campaign]:
    with only_campaign(campaign.id, share=share_machine) as notes:
        for said in (*(f"warning: {note}" for note in notes), *sweep(campaign)):
            _say(said)
        with workspace(campaign) as placed:
            yield placed


def _template(campaign: Campaign, options: dict[str, Any], signals: Signals) -> template.Template:
    room.require(campaign, options["data"])
    fill = None
    if options["prepare"]:
        fill = template.Fill(options["prepare"], options["timeout_s"])
    with signals.finishing("the data"):
        return template.make(campaign, options["data"], fill, _say, signals)


def _introduce(campaign: Campaign, options: dict[str, Any]) -> None:
    """What is about to happen, said and kept: the seed makes its order repeatable."""
    names = ("run", "metric", "prepare", "data", "rounds", "sessions", "timeout_s")
    kept = {**vars(campaign.recipe), **{name: options[name] for name in names}}
    try:
        (campaign.folder / "command.json").write_text(json.dumps(kept, indent=1) + "\n")
    except OSError as error:
        raise WaltaxError(f"{campaign.folder}: cannot be written: {error.strerror}") from error
    _say(f"campaign {campaign.id}, seed {campaign.recipe.seed}")
    for cell in campaign.cells:
        for warning in campaign.placements[cell.id].warnings:
            _say(f"warning: {cell.device}: {warning}")
    runs = options["rounds"] * options["sessions"]
    _say(f"{len(campaign.cells)} servers, {runs} runs of the command on each")


def _report(campaign: Campaign, result: Result) -> None:
    """The comparison, as the command line's own `report` makes it of any campaign."""
    context = click.get_current_context()
    group = context.parent.command if context.parent else None
    if not result.has_result or not isinstance(group, click.Group):
        return
    report = group.get_command(context, "report")
    if report is not None:
        context.invoke(report, campaigns=(campaign.folder,), results=campaign.folder.parent)
