"""Campaigns of builds on kv's fillrandom, of a fixed length whatever their intervals are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ... import analysis, proc
from ...builds.named import Named
from ...errors import WaltaxError
from ...row import Row
from ...runners import campaign, loop
from ...runners.local import Local
from ...runners.progress import Progress
from ...terminal import Terminal, say
from ..homes.plain import DATA, home

WORKLOAD, DEVICE, PROFILE = "kv-fillrandom", "nvme", "ci"
BUDGET_S = 60.0  # of slices: as long as profile ci allows


def room() -> Path:
    """Where the builds are kept, so that their drivers are compiled once."""
    return proc.build_dir().absolute().parent / "bench-builds"


@dataclass(frozen=True)
class Shape:
    """What is measured of each build, beside `off`."""

    durability: str
    threads: int
    budget_s: float = BUDGET_S


def measure(
    builds: Mapping[str, Path],
    shape: Shape,
    seed: int,
    after_round: Callable[[Progress], None] = lambda _: None,
) -> list[Row]:
    """The rows of a campaign; the first build is the base. `after_round` may look at them earlier.

    Errors: UsageError for what is no build; WaltaxError for a campaign in which a cell failed.
    """
    recipe = campaign.Recipe(
        "rocksdb",
        (WORKLOAD,),
        PROFILE,
        (DEVICE,),
        shape.durability,
        threads=(shape.threads,),
        builds=tuple(Named(name, str(path)) for name, path in builds.items()),
        seed=seed,
    )
    silent = loop.Screen(_warn, lambda _: None, after_round)
    with home("builds") as results:
        planned = campaign.new(recipe, results, DATA)
        fixed = {"time_budget_s": shape.budget_s, "target_half_width": 1e-9}
        timing = planned.profile.timing.model_copy(update=fixed)
        profile = planned.profile.model_copy(update={"timing": timing})
        planned = replace(planned, profile=profile)
        # Beside another campaign, and warned of it, rather than to lose those measured before.
        outcome = loop.measure(planned, analysis.estimate, silent, Local(share_machine=True))
    if outcome.interrupted:
        raise KeyboardInterrupt
    for cell, why in outcome.progress.failures.items():
        raise WaltaxError(f"{cell}: {why}")
    return list(outcome.progress.rows)


def _warn(words: str) -> None:
    """Tell what makes the figures worth less, and nothing of how the campaign goes."""
    if words.startswith("warning: "):
        say(Terminal(), words)
