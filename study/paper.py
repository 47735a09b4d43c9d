"""`waltax paper`: the paper's experiment on MyRocks, and its table beside the paper's."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..cell import STUDY, WORKLOADS
from ..errors import UsageError
from ..runners import folders, typed

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign

_ENGINE = "myrocks"
_PROFILE = "paper"
# Why the memory of a small one is not small.
_AS_AT_FULL_SIZE = " (caches and logs have the paper's bounds at every scale)"


@click.command()
@click.option(
    "--scale",
    type=click.FloatRange(0.0001, 1),
    default=1.0,
    show_default=True,
    help="Of ids, warehouses and time; there are floors below which no interval can be had.",
)
@typed.workloads(WORKLOADS, "Default: both.")
@click.option("--plan", "only_plan", is_flag=True, help="Tell hours, disk and memory; do nothing.")
@click.option(
    "--campaign",
    "campaigns",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Measure nothing: print the table of these results. Repeatable, one a workload.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Default: drawn, and printed.")
@click.option("--share-machine", is_flag=True, help="Run beside another campaign all the same.")
@folders.option("--results", "results", "Where campaigns are kept.")
@folders.option("--data-dir", "data", "Where data sets and clones are.")
def command(**options: Any) -> None:
    """The paper's experiment: MyRocks, 10 clients, WAL on ssd, nvme, nvram and off.

    10 million ids and 100 warehouses at scale 1, which takes hours: try --scale 0.01 first.
    """
    from .. import analysis
    from ..terminal import Terminal

    console = Terminal()
    if options["campaigns"]:
        _refuse_beside_campaigns()
        analysis.paper_table(options["campaigns"], console)
        return
    with _place_of_profile(options) as folder:
        planned = plan(options, folder)
    if options["only_plan"] or options["scale"] == 1:  # hours begin knowingly
        _print_plans(planned, console)
    _print_turns(planned, console)
    if options["only_plan"]:
        _require(planned)
        return
    code = _measure(planned, console, share_machine=options["share_machine"])
    raise SystemExit(code)


@contextlib.contextmanager
def _place_of_profile(options: dict[str, Any]) -> Iterator[Path]:
    """Where a scaled profile is written: beside its results, unless nothing is to be kept."""
    if not options["only_plan"]:
        folders.require_writable("--results", options["results"])
        yield options["results"].absolute() / "profiles"
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def plan(options: dict[str, Any], folder: Path) -> list[Campaign]:
    """One campaign of both workloads; or one each, one after the other, if there is no room."""
    workloads = tuple(dict.fromkeys(options["workloads"])) or WORKLOADS
    profile = _profile(options["scale"], folder)
    together = _campaign(options, workloads, profile)
    if len(workloads) == 1 or _has_room(together):
        return [together]
    return [_campaign(options, (one,), profile) for one in workloads]


def _campaign(options: dict[str, Any], workloads: tuple[str, ...], profile: str) -> Campaign:
    from ..runners import campaign

    asked = {} if options["seed"] is None else {"seed": options["seed"]}
    recipe = campaign.Recipe(
        engine=_ENGINE,
        workloads=workloads,
        profile=profile,
        devices=STUDY,
        durability="sync",
        **asked,
    )
    return campaign.new(recipe, options["results"], options["data_dir"])


def _profile(scale: float, folder: Path) -> str:
    """The shipped profile's name, or the path of a scaled one in `folder`."""
    if scale == 1:
        return _PROFILE
    from .. import profiles
    from . import scaled

    return str(scaled.write(profiles.load(_PROFILE, _ENGINE), scale, folder))


def _has_room(campaign: Campaign) -> bool:
    from ..runners.plan import NoRoom, require_room

    try:
        require_room(campaign)
    except NoRoom:
        return False
    return True


def _require(planned: Sequence[Campaign]) -> None:
    """Errors: UsageError where measuring one of them would be refused."""
    from . import campaigns

    for campaign in planned:
        campaigns.require(campaign)


def _print_plans(planned: Sequence[Campaign], console: Console) -> None:
    from . import campaigns

    for campaign in planned:
        workloads = " and ".join(campaign.recipe.workloads)
        campaigns.say(console, f"{workloads}: profile {campaign.profile.name}")
        for workload in campaign.recipe.workloads:
            campaigns.say(console, f"  {workload}: {campaigns.size_words(campaign, workload)}")
        campaigns.print_sizes(campaign, console)


def _print_turns(planned: Sequence[Campaign], console: Console) -> None:
    """The sum of it, in a sentence."""
    from ..runners.plan import plan as sizes_of
    from .campaigns import say

    sizes = [sizes_of(campaign) for campaign in planned]
    minutes = sum(one.measuring_s for one in sizes) / 60
    time = f"{minutes / 60:.1f} h" if minutes >= 60 else f"{minutes:.0f} min"
    say(
        console,
        f"paper: {_turns(planned)}: at most {time} of slices (loads, clones, starts and checks "
        f"come on top), {max(one.disk_mib for one in sizes) / 1024:,.1f} GiB of disk, "
        f"{max(one.memory_mib for one in sizes) / 1024:,.1f} GiB of memory"
        f"{'' if planned[0].profile.name == _PROFILE else _AS_AT_FULL_SIZE}",
    )


def _turns(planned: Sequence[Campaign]) -> str:
    first, *others = planned
    if others:
        return "one workload after the other, because memory or disk cannot hold both"
    if len(first.recipe.workloads) == 1:
        return f"{first.recipe.workloads[0]} only"
    return "both workloads take turns in one campaign"


def _measure(planned: Sequence[Campaign], console: Console, *, share_machine: bool) -> int:
    """Every campaign, and at the end the paper's table beside ours; returns the exit code."""
    from .. import analysis
    from . import campaigns

    worst, done = 0, []
    for campaign in planned:
        campaigns.print_head(campaign, console)
        outcome = campaigns.measure(campaign, console, share_machine=share_machine)
        worst = max(worst, campaigns.finish(campaign, outcome, console))
        done += [campaign.folder] if outcome.progress.rows else []
        if outcome.interrupted:
            break
    if done:
        analysis.paper_table(done, console)
        again = " ".join(f"--campaign {os.path.relpath(folder)}" for folder in done)
        campaigns.say(console, f"This table again: waltax paper {again}")
    return worst


def _refuse_beside_campaigns() -> None:
    """What was measured cannot be measured otherwise; a flag would be ignored."""
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "")
        if parameter.name != "campaigns" and given is click.core.ParameterSource.COMMANDLINE:
            raise UsageError(
                f"--campaign: found {parameter.opts[0]} beside it, which would change what was "
                "measured; leave one of them out"
            )
