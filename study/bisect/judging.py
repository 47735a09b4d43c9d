"""One build beside a good one and a bad one, measured until it is clear which it is like."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...terminal import say
from .. import shown

if TYPE_CHECKING:
    from rich.console import Console

    from ...analysis.gate.nearer import Judged


@dataclass(frozen=True)
class Asked:
    """What is measured of each build, and how often until it is given up."""

    good: str
    bad: str
    engine: str
    workload: str
    device: str
    durability: str
    profile: str
    by: str
    campaigns: int  # of one candidate, at most
    results: Path
    data_dir: Path
    share_machine: bool


class Interrupted(Exception):
    """A Ctrl-C came while it was measured."""


def require_builds(asked: Asked) -> None:
    """Errors: UsageError for a good or a bad one that is no build, before anything is made."""
    from ...analysis.gate.nearer import BAD, GOOD
    from ...builds.look import look
    from ...builds.named import Named

    look(asked.engine, [Named(GOOD, asked.good), Named(BAD, asked.bad)])


def judged(asked: Asked, candidate: str, console: Console) -> Judged:
    """Measure it beside good, good again and bad, until it is clear or the campaigns are spent.

    Each campaign's rows count with those before it. Errors: UsageError for a candidate that is no
    build; WaltaxError for a campaign that fails; Interrupted.
    """
    from ...analysis.gate import nearer
    from ...analysis.results import read
    from ...runners.recipe import typed

    device = typed.load_device(asked.device).name
    folders: list[Path] = []
    while True:
        folders.append(_campaign(asked, candidate, console))
        one = nearer.judge(read(folders).rows, device, asked.durability, asked.by)
        say(console, f"{len(folders)} campaigns, {one.rounds} rounds: {sentence(one, asked.by)}")
        if one.verdict in ("good", "bad", "failed") or len(folders) == asked.campaigns:
            return one


def _campaign(asked: Asked, candidate: str, console: Console) -> Path:
    """The folder of one that was measured to its end."""
    from ...analysis.gate.nearer import AGAIN, BAD, GOOD, NEXT
    from ...builds.named import Named
    from ...runners import campaign
    from ...runners.local import Local

    paths = {GOOD: asked.good, AGAIN: asked.good, BAD: asked.bad, NEXT: candidate}
    recipe = campaign.Recipe(
        engine=asked.engine,
        workloads=(asked.workload,),
        profile=asked.profile,
        devices=(asked.device,),
        durability=asked.durability,
        builds=tuple(Named(name, path) for name, path in paths.items()),
    )
    planned = campaign.new(recipe, asked.results, asked.data_dir)
    say(console, f"campaign {planned.id}, seed {recipe.seed}")
    outcome = shown.measure_shown(planned, console, Local(asked.share_machine))
    if outcome.interrupted:
        raise Interrupted
    if not outcome.progress.rows:
        raise UsageError(f"campaign {planned.id}: nothing was measured")
    return planned.folder


def sentence(one: Judged, by: str) -> str:
    """What is known of a candidate, with intervals."""
    from ...analysis.numerals import times

    what = {"throughput": "throughput", "cpu": "CPU time a request"}[by]
    if one.verdict == "failed":
        return "a slice of the build failed: no verdict"
    ratios = one.found, one.gap, one.apart, one.nearer
    found, gap, apart, nearer = (times(ratio, 3) for ratio in ratios)
    return (
        f"{_WORDS[one.verdict]} ({what}: next / good {found}, bad / good {gap}; good against "
        f"itself {apart}; nearer: {nearer}, 1 is the middle)"
    )


_WORDS = {
    "good": "good",
    "bad": "bad",
    "unknown": "cannot tell",
    "alike": "good and bad are not told apart beyond the noise floor",
}
