"""Two timings of a profile, interleaved: which has narrower intervals for its time?

    python -m waltax.bench timing [WORKLOAD [SECONDS [PROFILE [PROFILE]]]]

Sessions of each take turns until SECONDS are over. Printed for each: the time of its slices and of
its sessions as a whole, its rounds, the half-widths of its overheads, and the time that it would
take to the first one's widest half-width, as a share of what that took. Without profiles: `quick`
with slices of 0.2 + 0.4 s and eight rounds a session, as it was before, against `quick`.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.table import Table

from ... import analysis
from ...analysis.results import words
from ...owned.machine import only_campaign
from ...runners import bring_up, campaign
from ...runners.campaign import Campaign, Recipe
from ...runners.progress import Progress
from ...runners.session import Session, silent
from ...runners.workspace import workspace
from ...terminal import Terminal
from ..homes.plain import DATA, home

_DEVICES = ("ssd", "nvme", "nvram")
_BEFORE = {"warmup_s": 0.2, "measure_s": 0.4, "settle_s": 2.0, "rounds_per_session": 8}


@dataclass
class _Timed:
    """A campaign of one timing, and how long its sessions have taken."""

    name: str
    planned: Campaign
    progress: Progress = field(default_factory=Progress)
    took_s: float = 0.0


def main(arguments: list[str]) -> None:
    workload = arguments[0] if arguments else "tpcc"
    seconds = float(arguments[1]) if len(arguments) > 1 else 280.0
    with home("timing") as results, contextlib.ExitStack() as stack:
        plans = _planned(workload, arguments[2:], results)
        for note in stack.enter_context(only_campaign(plans[0].planned.id)):
            print(f"warning: {note}")
        for one in plans:
            one.planned.folder.mkdir()
            one.planned = stack.enter_context(workspace(one.planned))
        _measure(plans, seconds)
    Terminal().print(_table(plans))


def _planned(workload: str, profiles: Sequence[str], results: Path) -> list[_Timed]:
    def plan(profile: str) -> Campaign:
        recipe = Recipe("rocksdb", (workload,), profile, _DEVICES, "sync", twin=True)
        return campaign.new(recipe, results, DATA)

    if profiles:
        return [_Timed(name, plan(name)) for name in profiles]
    now, before = plan("quick"), plan("quick")
    timing = before.profile.timing.model_copy(update=_BEFORE)
    profile = before.profile.model_copy(update={"timing": timing})
    return [_Timed("before", replace(before, profile=profile)), _Timed("now", now)]


def _measure(plans: Sequence[_Timed], seconds: float) -> None:
    sets = {one.name: bring_up.prepare(one.planned, print) for one in plans}
    began_s = time.monotonic()
    while time.monotonic() - began_s < seconds:
        # The one that has had less time: sessions of two timings are not equally long.
        one = min(plans, key=lambda each: each.took_s)
        at_s = time.monotonic()
        hooks = silent(one.planned.rows_path)
        number = one.progress.sessions
        Session(one.planned, sets[one.name], one.progress, hooks, number).run()
        one.took_s += time.monotonic() - at_s


def _table(plans: Sequence[_Timed]) -> Table:
    columns = ("slices s", "all s", "sessions", "rounds", "overheads % [95 %]", "time to as narrow")
    table = Table("timing", *columns)
    needs: list[float] = []
    for one in plans:
        found = analysis.estimate(one.progress.rows)
        widest = max(each.half_width or 0.0 for each in found)
        needs.append(one.took_s * widest**2)
        table.add_row(
            one.name,
            f"{one.progress.spent_s():.0f}",
            f"{one.took_s:.0f}",
            str(one.progress.sessions),
            str(max(each.rounds for each in found)),
            ", ".join(f"{words.label(each)} {words.overhead(each)}" for each in found),
            f"{needs[-1] / needs[0]:.2f} x",
        )
    return table


if __name__ == "__main__":
    main(sys.argv[1:])
