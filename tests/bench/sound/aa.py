"""A/A: how often two equal `off` cells are told apart. `python -m bench aa [CAMPAIGNS]`

On LinkBench. An honest 95 % interval covers zero in about 19 of 20 campaigns.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from waltax import analysis
from waltax.base.terminal import Terminal
from waltax.runners import campaign, loop
from waltax.runners.campaign import Campaign

from ..homes.plain import DATA, home

_BUDGET_S = 30.0


def main(arguments: list[str]) -> None:
    console = Terminal()
    count = int(arguments[0]) if arguments else 10
    covered = [_covers_zero(number, console) for number in range(count)]
    console.print(f"the interval covered zero in {sum(covered)} of {count} campaigns")


def _covers_zero(seed: int, console: Terminal) -> bool:
    with home("aa") as results:
        outcome = loop.measure(_campaign(seed, results), analysis.estimate, lambda _: None)
    (estimate,) = [e for e in analysis.estimate(outcome.progress.rows) if e.overhead is not None]
    assert estimate.overhead is not None
    assert estimate.low is not None
    assert estimate.high is not None
    console.print(
        f"campaign {seed + 1}: off against off {100 * estimate.overhead:+.2f} % "
        f"[{100 * estimate.low:+.2f}, {100 * estimate.high:+.2f}]",
        highlight=False,
    )
    return estimate.low <= 0 <= estimate.high


def _campaign(seed: int, results: Path) -> Campaign:
    """Always the whole budget: stopping at a narrow interval is another question."""
    recipe = campaign.Recipe("rocksdb", ("linkbench",), "ci", ("off", "off"), "sync", seed=seed)
    plan = campaign.new(recipe, results, DATA)
    timing = plan.profile.timing.model_copy(
        update={"time_budget_s": _BUDGET_S, "target_half_width": 1e-9}
    )
    profile = plan.profile.model_copy(update={"timing": timing})
    return replace(plan, profile=profile)


if __name__ == "__main__":
    main(sys.argv[1:])
