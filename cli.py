"""The command line. Only this module knows all rooms; each command imports what it needs.

Imports are inside the commands because numpy, scipy and matplotlib take a second, and
`waltax --help` must not.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .cell import BENCHES, DURABILITIES, ENGINES, STUDY, WORKLOADS, workload_of
from .errors import UsageError
from .runners import folders, typed

if TYPE_CHECKING:
    from rich.console import Console

    from .runners.campaign import Campaign

_ROOT = Path(__file__).parent
_DBBENCH = "dbbench"
_DEFAULT_BENCHES = ("fillseq", "fillrandom", "overwrite")  # those that write a log
# Commands that live in rooms of their own: module and the command's name in it.
_COMMANDS = {
    "linkbench": "linkbench.original.command:command",
    "tpcc": "tpcc.original.command:command",
    "paper": "study.paper:command",
    "predict": "study.predict:command",
    "serve": "runners.serve.command:command",
    "sizes": "study.sizes:command",
    "sweep-knobs": "study.sweeps.knobs:command",
    "sweep-latency": "study.sweeps.latency:command",
    "sweep-sizes": "study.sweeps.sizes:command",
    "sweep-threads": "study.sweeps.threads:command",
}
_DEVICE_COMMANDS = {
    "compare": "devices.probe.command:compare",
    "probe": "devices.probe.command:probe",
}


class _LazyGroup(click.Group):
    """Finds a room's own command there, and imports it only when it is called."""

    def __init__(self, *, rooms: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(**attributes)
        self._rooms = rooms

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self._rooms])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._rooms:
            return super().get_command(ctx, cmd_name)
        module, _, name = self._rooms[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(f".{module}", __package__), name)
        return command


@click.group(
    cls=_LazyGroup, rooms=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="waltax")
def cli() -> None:
    """What does the write-ahead log cost, on this device, for this workload?"""


@cli.command()
@click.option("--profile", default="quick", show_default=True, help="Size of the experiment.")
@click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    default="rocksdb",
    show_default=True,
    help="rocksdb: in the driver's process; myrocks, innodb: tables of a MariaDB server.",
)
@typed.workloads(
    [*WORKLOADS, _DBBENCH],
    "Several, separated by blanks, or repeatable; they take turns in the same rounds. Default: "
    "linkbench and tpcc, where the profile has them.",
)
@click.option(
    "--bench",
    "benches",
    help="Of --workload dbbench, separated by commas: "
    f"{', '.join(BENCHES)}. Default: {', '.join(_DEFAULT_BENCHES)}.",
)
@typed.devices(
    "Several, separated by blanks, or repeatable; beside `off`, where the engine can do without a "
    "log. Default: ssd, nvme and nvram. Twice the same: A/A.",
)
@click.option(
    "--wal",
    "durability",
    type=click.Choice(DURABILITIES),
    help="When a commit is acknowledged: after the device, after the kernel, at once with the log "
    "a second later, at once with no log. Default: sync; of innodb sync and flush, against "
    "delayed.",
)
@click.option("--wal-dir", help="A directory on the real device; takes one --device.")
@click.option("--allow-mismatch", is_flag=True, help="Accept a --wal-dir of another class.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Default: the profile's.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Default: drawn, and printed.")
@click.option("--resume", type=click.Path(path_type=Path), help="Continue results/<campaign>.")
@click.option("--plan", "only_plan", is_flag=True, help="Say what would be done, do nothing.")
@click.option("--share-machine", is_flag=True, help="Run beside another campaign all the same.")
@folders.option("--results", "results", "Where campaigns are kept.")
@folders.option("--data-dir", "data", "Where data sets and clones are.")
def run(**options: Any) -> None:
    """Measure what the WAL costs on each device, interleaved with no WAL at all."""
    from .study import campaigns
    from .terminal import Terminal

    console = Terminal()
    campaign = _campaign(options)
    campaigns.print_head(campaign, console)
    if options["only_plan"]:
        campaigns.print_plan(campaign, console)
        return
    outcome = campaigns.measure(campaign, console, share_machine=options["share_machine"])
    raise SystemExit(campaigns.finish(campaign, outcome, console))


def _campaign(options: dict[str, Any]) -> Campaign:
    from .runners import campaign

    if options["resume"]:
        _refuse_beside_resume()
        found = campaign.resume(options["resume"].resolve(), folders.named("data_dir"))
        _refuse_sweep_of_knobs(found)
        return found
    names = options["devices"] or STUDY
    if options["wal_dir"] is not None and len(set(names)) != 1:
        raise UsageError("--wal-dir: it is one device's directory; name that with one --device")
    asked = {name: options[name] for name in ("engine", "profile", "durability", "wal_dir")}
    if options["seed"] is not None:
        asked["seed"] = options["seed"]
    recipe = campaign.Recipe(
        workloads=_workloads(options["workloads"], options["benches"]),
        devices=tuple(names),
        threads=() if options["threads"] is None else (options["threads"],),
        allow_mismatch=options["allow_mismatch"],
        **asked,
    )
    return campaign.new(recipe, options["results"], options["data_dir"])


def _workloads(names: tuple[str, ...], benches: str | None) -> tuple[str, ...]:
    """Each once; of db_bench, a workload per benchmark."""
    if benches is not None and _DBBENCH not in names:
        raise UsageError("--bench: it names benchmarks of db_bench; add --workload dbbench")
    asked = _DEFAULT_BENCHES if benches is None else benches.split(",")
    for bench in asked:
        if bench not in BENCHES:
            raise UsageError(f"--bench: found {bench!r}; one or more of {','.join(BENCHES)}")
    found: list[str] = []
    for name in names:
        found += [workload_of(bench) for bench in asked] if name == _DBBENCH else [name]
    return tuple(dict.fromkeys(found))


def _refuse_beside_resume() -> None:
    """A resumed campaign is the one that was begun; a flag would be ignored."""
    context = click.get_current_context()
    beside = {"resume", "only_plan", "share_machine", "results", "data_dir"}
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        if parameter.name not in beside and given is ParameterSource.COMMANDLINE:
            raise UsageError(
                f"--resume: found {parameter.opts[0]}, which would change the campaign; "
                "leave it out, or start a new campaign"
            )


def _refuse_sweep_of_knobs(campaign: Campaign) -> None:
    """Its `flush` cell is not in its recipe, and would be left out from here on."""
    if campaign.recipe.knobs:
        raise UsageError(
            f"--resume: {campaign.id} is a sweep of knobs, of which `waltax run` does not know the "
            f"flush cell; type: waltax sweep-knobs --resume {os.path.relpath(campaign.folder)}"
        )


@cli.command()
@click.argument("campaigns", nargs=-1, type=click.Path(path_type=Path))
@folders.option("--results", "results", "Where campaigns are kept.")
def report(campaigns: tuple[Path, ...], results: Path) -> None:
    """Draw table, summary, CSV and figures again from the rows of CAMPAIGNS (the last one).

    Of a sweep its own report follows, as its command has it.
    """
    from . import analysis
    from .terminal import Terminal

    named, console = list(campaigns) or [_last(results)], Terminal()
    analysis.report(named, console)
    _report_sweeps(named, console)


def _report_sweeps(named: Sequence[Path], console: Console) -> None:
    """Too little of one that was broken off may be there: the table stands all the same."""
    from .study.campaigns import say
    from .study.sweeps.kinds import command_of

    kinds = {folder: command_of(folder) for folder in named}
    for name in dict.fromkeys(filter(None, kinds.values())):
        module, _, attribute = _COMMANDS[name].partition(":")
        command = getattr(importlib.import_module(f".{module}", __package__), attribute)
        argv = [f"--campaign={folder}" for folder in named if kinds[folder] == name]
        try:
            command.main(argv, f"waltax {name}", standalone_mode=False)
        except UsageError as error:
            say(console, f"No report of {name}: {error}")


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option("--campaign", type=click.Path(path_type=Path), help="Default: the last one.")
@folders.option("--results", "results", "Where campaigns are kept.")
def compare(a: str, b: str, campaign: Path | None, results: Path) -> None:
    """Throughput of device A over device B within the rounds of one campaign."""
    from . import analysis
    from .terminal import Terminal

    analysis.compare(campaign or _last(results), a, b, Terminal())


def _last(results: Path) -> Path:
    """The newest campaign that has rows; their names sort by time."""
    found = sorted(path.parent for path in results.glob("*/rows.jsonl"))
    if not found:
        raise UsageError(f"{results}: no campaign there yet; run: make run")
    return found[-1]


@cli.group(cls=_LazyGroup, rooms=_DEVICE_COMMANDS, invoke_without_command=True)
@click.pass_context
def devices(context: click.Context) -> None:
    """The devices, and what each resolves to on this machine."""
    if context.invoked_subcommand is None:
        from .devices import listing
        from .terminal import Terminal

        listing.print_devices(Terminal())


@devices.command()
@click.argument("directory")
@folders.option("--data-dir", "data", "Where the engine's other files would be.")
def check(directory: str, data_dir: Path) -> None:
    """What a DIRECTORY really sits on, from the kernel."""
    from .devices import listing
    from .terminal import Terminal

    listing.print_check(Terminal(), directory, data_dir if data_dir.exists() else _ROOT)
