"""What the sweeps over latencies and over clients share: options, a campaign, its report."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ...cell import BASELINE, ENGINES, STUDY, WORKLOADS, can_be_off, is_point, point_us
from ...errors import UsageError
from ...owned import whole
from ...runners import folders, typed
from . import kinds

if TYPE_CHECKING:
    from rich.console import Console

    from ...runners.campaign import Campaign

_Command = TypeVar("_Command", bound=Callable[..., Any])
Report = Callable[["Campaign", "Console"], None]
# What may stand beside --resume and --campaign: it changes nothing of what is or was measured.
_BESIDE_RESUME = {"resume", "only_plan", "share_machine", "results", "data_dir", "overhead"}
_BESIDE_CAMPAIGN = {"campaigns", "overhead"}


def options(command: _Command) -> _Command:
    """The options that every sweep has."""
    for option in (
        folders.option("--data-dir", "data", "Where data sets and clones are."),
        folders.option("--results", "results", "Where campaigns are kept."),
        click.option("--share-machine", is_flag=True, help="Run beside another campaign too."),
        click.option(
            "--plan", "only_plan", is_flag=True, help="Say what would be done, do nothing."
        ),
        click.option(
            "--resume", type=click.Path(path_type=Path), help="Continue results/<campaign>."
        ),
        click.option(
            "--campaign",
            "campaigns",
            multiple=True,
            type=click.Path(path_type=Path),
            help="Measure nothing: draw these results again. Repeatable.",
        ),
        click.option(
            "--seed", type=click.IntRange(0, 2**31 - 1), help="Default: drawn, and printed."
        ),
    ):
        command = option(command)
    return command


def study_options(profile: str, about_profile: str) -> Callable[[_Command], _Command]:
    """What the sweeps over the study's devices take: one engine and workload, and more devices."""

    def add(command: _Command) -> _Command:
        for option in (
            typed.devices(
                "Several, separated by blanks, or repeatable: measured beside ssd, nvme and nvram. "
                "A name of the catalog, or a device file (./mybox.toml).",
            ),
            click.option("--profile", default=profile, show_default=True, help=about_profile),
            click.option(
                "--workload",
                type=click.Choice(WORKLOADS),
                default=WORKLOADS[0],
                show_default=True,
                help="One campaign has one.",
            ),
            click.option(
                "--engine",
                type=click.Choice(list(ENGINES)),
                default="rocksdb",
                show_default=True,
                help="rocksdb, or myrocks. innodb has no `off` to compare with.",
            ),
        ):
            command = option(command)
        return command

    return add


@contextlib.contextmanager
def place(asked: dict[str, Any]) -> Iterator[Path]:
    """Where device files are written: the results' folder, unless nothing is to be kept."""
    if not asked["only_plan"]:
        folders.require_writable("--results", asked["results"])
        yield asked["results"].absolute()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def keep(stem: str, text: str, folder: Path) -> Path:
    """A TOML that --resume reads by its path: another text has another file, and spoils none.

    Errors: UsageError when it cannot be written.
    """
    path = folder / f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            whole.write(path, text)
    except OSError as error:
        raise UsageError(
            f"--results: {path}: cannot be written: {error.strerror}; name another directory with "
            "--results"
        ) from error
    return path


def recipe_options(asked: dict[str, Any]) -> dict[str, Any]:
    """What both sweeps take as it is asked for. Errors: UsageError for an engine without `off`."""
    engine = asked["engine"]
    if not can_be_off(engine):
        raise UsageError(
            f"--engine: found {engine}, which always writes its log, so that there is no `off` to "
            "compare with; type --engine rocksdb or myrocks (with make: ENGINE=myrocks), or for "
            f"the price of its modes: waltax run --engine {engine}"
        )
    seed = {} if asked["seed"] is None else {"seed": asked["seed"]}
    return {
        "engine": engine,
        "workloads": (asked["workload"],),
        "profile": kept(asked["profile"]),
        "durability": "sync",
        **seed,
    }


def own_devices(named: Sequence[str]) -> tuple[str, ...]:
    """The user's devices beside the study's; files by their whole path, which --resume needs.

    Errors: UsageError for a device that is none, has the name of one of the grid, or is twice.
    """
    from ...runners.campaign import load_device

    found: dict[str, str] = {}
    for name in named:
        device = load_device(name)
        if is_point(device.name):
            raise UsageError(
                f"--device: {name}: found the name {device.name}, which the sweep's own devices "
                "have; give it another"
            )
        if device.name in (BASELINE, *STUDY):
            continue  # they are measured anyway
        if found.setdefault(device.name, kept(name)) != kept(name):
            raise UsageError(f"--device: {name}: found the name {device.name} twice; rename one")
    return tuple(found.values())


def kept(name: str) -> str:
    """A file's name as it holds wherever the campaign is resumed."""
    return str(Path(name).expanduser().absolute()) if name.endswith(".toml") else name


def resumed(asked: dict[str, Any]) -> Campaign | None:
    """The campaign to go on with. Errors: UsageError for a flag that would change it."""
    from ...runners import campaign

    if asked["resume"] is None:
        return None
    _refuse_beside("--resume", _BESIDE_RESUME, "change the campaign; leave it out")
    return campaign.resume(asked["resume"].resolve(), folders.named("data_dir"))


def require_only_drawing(*also: str) -> None:
    """Errors: UsageError for a flag beside --campaign that would change what was measured."""
    allowed = _BESIDE_CAMPAIGN | set(also)
    _refuse_beside("--campaign", allowed, "change what was measured; leave it out")


def _refuse_beside(flag: str, allowed: set[str], why: str) -> None:
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        if parameter.name not in allowed and given is ParameterSource.COMMANDLINE:
            raise UsageError(f"{flag}: found {parameter.opts[0]}, which would {why}")


def refuse_another(campaign: Campaign, belongs: bool, command: str) -> None:
    """Errors: UsageError when what is resumed is not a campaign of this command."""
    if not belongs:
        instead = kinds.command_of(campaign.folder) or "run"
        raise UsageError(
            f"--resume: {campaign.id} is no {command}; "
            f"type: {typed.again(instead, campaign.folder)}"
        )


def is_over_latencies(campaign: Campaign) -> bool:
    return sum(is_point(cell.device) for cell in campaign.cells) > 1


def run(campaign: Campaign, asked: dict[str, Any], console: Console, report: Report) -> int:
    """Measure it, print its table and then its report; returns the exit code."""
    from .. import campaigns

    _print_head(campaign, console)
    if asked["only_plan"]:
        campaigns.print_plan(campaign, console)
        return 0
    outcome = campaigns.measure(campaign, console, share_machine=asked["share_machine"])
    command = click.get_current_context().info_name or "run"
    code = campaigns.finish(campaign, outcome, console, command=command)
    if outcome.progress.rows and not outcome.interrupted:
        _report(campaign, console, report, failed=code != 0)
    return code


def _report(campaign: Campaign, console: Console, report: Report, *, failed: bool) -> None:
    """Of cells that failed there may be too few left; why they did has been said."""
    from .. import campaigns

    try:
        report(campaign, console)
    except UsageError as error:
        if not failed:
            raise
        campaigns.say(console, f"No report: {error}")


def _print_head(campaign: Campaign, console: Console) -> None:
    """As every campaign's; the grid's devices in one line instead of a warning each."""
    from ...runners.plan import plan
    from .. import campaigns

    others = tuple(cell for cell in campaign.cells if not is_point(cell.device))
    campaigns.print_head(replace(campaign, cells=others), console)
    asked = {point_us(cell.device) for cell in campaign.cells}
    points = sorted(us for us in asked if us is not None)
    if points:
        said = ", ".join(f"{us:,}" for us in points)
        campaigns.say(console, f"grid: syncs of {said} us, emulated over memory")
    sizes = plan(campaign)
    campaigns.say(
        console,
        f"{len(campaign.cells)} cells take turns: at most {sizes.measuring_s / 60:.1f} min of "
        f"slices; on top come loading, and {sizes.sessions_at_least} starts and checks of each",
    )
