"""The command line. Only this module knows all rooms; each command imports what it needs.

Imports are inside the commands because numpy, scipy and matplotlib take a second, and
`waltax --help` must not.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from .cell import DURABILITIES, WORKLOADS
from .errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from .runners.campaign import Campaign
    from .runners.loop import Outcome

_Command = TypeVar("_Command", bound=Callable[..., None])

# The devices of the study; the baseline `off` is always beside them.
STUDY = ("ssd", "nvme", "nvram")
_ROOT = Path(__file__).parent


class _LazyGroup(click.Group):
    """Finds each workload's own command in its room, and imports it only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *WORKLOADS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in WORKLOADS:
            return super().get_command(ctx, cmd_name)
        room = importlib.import_module(f".{cmd_name}.command", __package__)
        command: click.Command = room.command
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="waltax")
def cli() -> None:
    """What does the write-ahead log cost, on this device, for this workload?"""


def _folder(flag: str, default: str, what: str) -> Callable[[_Command], _Command]:
    return click.option(
        flag,
        type=click.Path(path_type=Path, file_okay=False),
        default=_ROOT / default,
        show_default=f"{default}/ of the repository",
        help=what,
    )


@cli.command()
@click.option("--profile", default="quick", show_default=True, help="Size of the experiment.")
@click.option("--engine", type=click.Choice(["rocksdb"]), default="rocksdb", show_default=True)
@click.option(
    "--workload",
    "workloads",
    multiple=True,
    type=click.Choice(WORKLOADS),
    help="Repeatable; they take turns in the same rounds. Default: all of the profile.",
)
@click.option(
    "--device",
    "devices",
    multiple=True,
    help="Repeatable; beside `off` always. Default: ssd, nvme and nvram. Twice the same: A/A.",
)
@click.option(
    "--wal",
    "durability",
    type=click.Choice(DURABILITIES),
    default="sync",
    show_default=True,
    help="When a commit is acknowledged: after the device, after the kernel, at once.",
)
@click.option("--wal-dir", help="A directory on the real device; takes one --device.")
@click.option("--allow-mismatch", is_flag=True, help="Accept a --wal-dir of another class.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Default: the profile's.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Default: drawn, and printed.")
@click.option("--resume", type=click.Path(path_type=Path), help="Continue results/<campaign>.")
@click.option("--plan", "only_plan", is_flag=True, help="Say what would be done, do nothing.")
@click.option("--share-machine", is_flag=True, help="Run beside another campaign all the same.")
@_folder("--results", "results", "Where campaigns are kept.")
@_folder("--data-dir", "data", "Where data sets and clones are.")
def run(**options: Any) -> None:
    """Measure what the WAL costs on each device, interleaved with no WAL at all."""
    from rich.console import Console

    console = Console()
    campaign = _campaign(options)
    _print_head(campaign, console)
    if options["only_plan"]:
        _print_plan(campaign, console)
        return
    outcome = _measure(campaign, console, share_machine=options["share_machine"])
    raise SystemExit(_finish(campaign, outcome, console))


def _campaign(options: dict[str, Any]) -> Campaign:
    from .runners import campaign

    if options["resume"]:
        _refuse_beside_resume()
        return campaign.resume(options["resume"].resolve(), options["data_dir"])
    names = options["devices"] or STUDY
    if options["wal_dir"] is not None and len(set(names)) != 1:
        raise UsageError("--wal-dir: it is one device's directory; name that with one --device")
    asked = {
        name: options[name] for name in ("engine", "profile", "durability", "threads", "wal_dir")
    }
    if options["seed"] is not None:
        asked["seed"] = options["seed"]
    recipe = campaign.Recipe(
        workloads=tuple(dict.fromkeys(options["workloads"])),
        devices=tuple(names),
        allow_mismatch=options["allow_mismatch"],
        **asked,
    )
    return campaign.new(recipe, options["results"], options["data_dir"])


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


def _measure(campaign: Campaign, console: Console, *, share_machine: bool) -> Outcome:
    from rich.live import Live

    from . import analysis
    from .runners import loop, screen

    if not console.is_terminal:
        shown = screen.plain(campaign, console, analysis.estimate)
        return loop.measure(campaign, analysis.estimate, shown, share_machine=share_machine)
    with Live(console=console, auto_refresh=False, transient=True) as display:
        shown = screen.live(campaign, display, analysis.live_table)
        return loop.measure(campaign, analysis.estimate, shown, share_machine=share_machine)


def _finish(campaign: Campaign, outcome: Outcome, console: Console) -> int:
    """Print the table, keep it as files, and say how it ended."""
    from . import analysis

    if any(row["status"] == "ok" for row in outcome.progress.rows):
        analysis.report(
            [campaign.folder],
            console,
            stop_reason=outcome.reason,
            target_half_width=campaign.profile.timing.target_half_width,
        )
    for cell, why in outcome.progress.failures.items():
        _say(console, f"FAILED {cell}: {why}")
    _say(console, f"Ended because {outcome.reason}.")
    if outcome.interrupted:
        _say(console, f"Continue with: waltax run --resume {os.path.relpath(campaign.folder)}")
        return 130
    return 1 if outcome.progress.failures else 0


def _say(console: Console, text: str) -> None:
    """Foreign words (paths, a driver's last ones) are not markup, and lines are the reader's."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _print_head(campaign: Campaign, console: Console) -> None:
    """What is about to happen, before it happens: the seed makes it repeatable."""
    profile = campaign.profile
    _say(console, f"campaign {campaign.id}, seed {campaign.recipe.seed}")
    _say(console, f"profile {profile.name}: {profile.title}")
    for workload in campaign.recipe.workloads:
        threads = next(cell.threads for cell in campaign.cells if cell.workload == workload)
        note = profile.workload(workload).note
        _say(console, f"workload: {workload}, {threads} threads: {note}")
    _say(console, f"options and evidence: {os.path.relpath(campaign.folder)}")
    warned = [(cell.device, campaign.placements[cell.id].warnings) for cell in campaign.cells]
    for device, warnings in dict.fromkeys(warned):
        for warning in warnings:
            _say(console, f"warning: {device}: {warning}")


def _print_plan(campaign: Campaign, console: Console) -> None:
    from .runners.plan import plan

    sizes = plan(campaign)
    for cell, place in zip(sizes.cells, sizes.places, strict=True):
        _say(console, f"  {cell:45} {place}")
    _say(
        console,
        f"time    at most {sizes.measuring_s / 60:.1f} min of slices, "
        f"at least {sizes.sessions_at_least} sessions\n"
        f"disk    at most {sizes.disk_mib:,.0f} MiB in {campaign.data_root}\n"
        f"written about {sizes.written_mib:,.0f} MiB to that disk\n"
        f"memory  at most {sizes.memory_mib:,.0f} MiB, emulated WALs included",
    )


@cli.command()
@click.argument("campaigns", nargs=-1, type=click.Path(path_type=Path))
@_folder("--results", "results", "Where campaigns are kept.")
def report(campaigns: tuple[Path, ...], results: Path) -> None:
    """Draw table, summary, CSV and figures again from the rows of CAMPAIGNS (the last one)."""
    from rich.console import Console

    from . import analysis

    analysis.report(list(campaigns) or [_last(results)], Console())


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option("--campaign", type=click.Path(path_type=Path), help="Default: the last one.")
@_folder("--results", "results", "Where campaigns are kept.")
def compare(a: str, b: str, campaign: Path | None, results: Path) -> None:
    """Throughput of device A over device B within the rounds of one campaign."""
    from rich.console import Console

    from . import analysis

    analysis.compare(campaign or _last(results), a, b, Console())


def _last(results: Path) -> Path:
    """The newest campaign that has rows; their names sort by time."""
    found = sorted(path.parent for path in results.glob("*/rows.jsonl"))
    if not found:
        raise UsageError(f"{results}: no campaign there yet; run: make run")
    return found[-1]


@cli.group(invoke_without_command=True)
@click.pass_context
def devices(context: click.Context) -> None:
    """The devices, and what each resolves to on this machine."""
    if context.invoked_subcommand is None:
        from rich.console import Console

        from .devices import listing

        listing.print_devices(Console())


@devices.command()
@click.argument("directory", type=click.Path(path_type=Path))
@_folder("--data-dir", "data", "Where the engine's other files would be.")
def check(directory: Path, data_dir: Path) -> None:
    """What a DIRECTORY really sits on, from the kernel."""
    from rich.console import Console

    from .devices import listing

    listing.print_check(Console(), directory, data_dir if data_dir.exists() else _ROOT)
