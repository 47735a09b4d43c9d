"""`waltax compare bisect`: judge a build against a good and a bad one, for `git bisect run`.

The build is measured until it is clear which of the two it is like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import UsageError, WaltaxError
from ..base.printable import say
from ..engines import EMBEDDED, WHOLE
from ..runners.recipe import command_line
from . import frame, options
from .request import Request

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis.stats import Interval
    from ..row import Row

GOOD, AGAIN, BAD, NEXT = "good", "good-again", "bad", "next"
"""The names of the four builds in rows: the good one, its A/A, the bad one, and the judged one."""
_SKIP, _STOPS_GIT = 125, 255
_LAST = {
    0: "good",
    1: "bad",
    _SKIP: "skip",
    _STOPS_GIT: "no verdict: exit 255, which ends git bisect run",
}
"""The last line, by the exit code that `git bisect run` reads."""
_WORDS = {
    "good": "good",
    "bad": "bad",
    "unknown": "cannot tell",
    "alike": "good and bad are not told apart beyond the noise floor",
}
_BY = {"throughput": "throughput", "cpu": "CPU time a request"}


@click.command()
@click.option("--good", required=True, type=options.FOLDER, help="The build before the change.")
@click.option("--bad", required=True, type=options.FOLDER, help="The build after the change.")
@click.option(
    "--judge",
    required=True,
    type=options.FOLDER,
    help="The build to judge. Exits with 0 when it is good, 1 when it is bad, 125 when unclear.",
)
@options.engine(WHOLE, "The engine of these builds.", EMBEDDED)
@click.option("--workload", default="kv-fillrandom", show_default=True, help="What the clients do.")
@click.option("--device", default="nvme", show_default=True, help="Log device, by name or file.")
@options.durability(
    "When a commit is acknowledged; off judges the path without a log.", default="sync"
)
@options.profile("ci")
@options.choice("--by", [*_BY], "cpu is the engine's CPU time for a request; less noisy.")
@options.number(
    "--campaigns", 3, (1, 20), "The most campaigns of a build, while the answer is unclear."
)
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    good: Path,
    bad: Path,
    judge: Path,
    workload: str,
    device: str,
    by: str,
    campaigns: int,
    **shared: Any,
) -> None:
    """Judge a build beside a good and a bad one, as a step of `git bisect run`.

    The builds take turns in the same rounds, the good one twice, which shows how far equal builds
    come out apart here.
    """
    from ..base.terminal import Terminal

    paths = {GOOD: good, AGAIN: good, BAD: bad, NEXT: judge}
    request = Request(
        workloads=(workload,),
        devices=(command_line.kept(device),),
        axes={"build": tuple(f"{name}={path.absolute()}" for name, path in paths.items())},
        **shared,
    )
    console = Terminal()
    try:
        verdict = judged(request, by, campaigns, console)
        if verdict == "alike":
            raise UsageError(
                "--good and --bad: found nothing to bisect; name builds that differ by more, "
                "measure longer (--campaigns, --profile), or by --by cpu"
            )
        code = {"good": 0, "bad": 1}.get(verdict, _SKIP)
    except WaltaxError as error:
        say(console, *error.lines)
        code = _SKIP if f"--build {NEXT}=" in str(error) else _STOPS_GIT
    say(console, _LAST[code])
    raise SystemExit(code)


def judged(request: Request, by: str, campaigns: int, console: Console) -> str:
    """Measure the builds until it is clear which the last is like, and return its verdict.

    At most so many campaigns are measured, and the rows of all of them count. Errors: UsageError
    for a folder that is no build; WaltaxError when a campaign fails; KeyboardInterrupt.
    """
    from ..analysis.results import read

    device = command_line.load_device(request.devices[0]).name
    folders: list[Path] = []
    while True:
        planned = request.campaign(replace(request.recipe("run"), twin=False))
        say(console, f"campaign {planned.id}, seed {planned.recipe.seed}")
        outcome = frame.measure_shown(planned, console, request.executor)
        if outcome.interrupted:
            raise KeyboardInterrupt
        if not outcome.progress.rows:
            raise WaltaxError(f"campaign {planned.id}: nothing was measured")
        folders.append(planned.folder)
        rows = read(folders).rows
        found = nearer(rows, device, request.durability or "sync", by)
        said = sentence(found, by) if found else "a slice of the build failed: no verdict"
        say(console, f"{len(folders)} campaigns, {said}")
        verdict = found.verdict if found else "failed"
        if verdict in ("good", "bad", "failed") or len(folders) == campaigns:
            return verdict


@dataclass(frozen=True)
class Nearer:
    """`gap` is bad / good, `apart` is good / good again, and `found` is next / good.

    All are ratios of one measure. `nearer` is the product next / good times next / bad, which is 1
    at the geometric middle between both. `rounds` are those in which good and next have a slice.
    """

    gap: Interval
    apart: Interval
    found: Interval
    nearer: Interval
    rounds: int

    @property
    def floor(self) -> float:
        """The factor, above 1, by which equal builds may differ here; infinite if unknown."""
        low, high = self.apart.low, self.apart.high
        return max(high, 1 / low) if low and high else inf

    @property
    def verdict(self) -> str:
        """The build that it is like, or "unknown".

        "alike" says that good and bad do not differ, or by no more than good may differ from
        itself, so there is no side to be on.
        """
        gap, ratio = self.gap.side(1), self.gap.value
        if gap is None or not ratio:
            return "unknown"
        if not gap or max(ratio, 1 / ratio) <= self.floor:
            return "alike"
        # The product is above 1 on the side of the larger of the two.
        side = self.nearer.side(1)
        return "unknown" if not side else "bad" if side == gap else "good"


def _cpu_us(row: Row) -> float | None:
    """Return the engine's CPU time per request, warm-up included."""
    cpu_s, requests = row.get("cpu_engine_s"), row.get("slice_requests")
    return 1e6 * cpu_s / requests if requests and cpu_s is not None else None


def nearer(rows: Sequence[Row], device: str, durability: str, by: str) -> Nearer | None:
    """Return what one candidate is like, from the cells on `device` in one mode.

    None says that a slice of it failed. Errors: UsageError if one of good or bad did: then there is
    nothing to compare with.
    """
    from ..analysis.results.panel import THROUGHPUT, panel_of
    from ..cell import Cell

    mine = [row for row in rows if (row["device"], row["durability"]) == (device, durability)]
    failed = {row["build"]: row["failure"] for row in mine if row["status"] == "failed"}
    for name in (GOOD, AGAIN, BAD):
        if name in failed:
            raise UsageError(f"build {name}: a slice of it failed: {failed[name]}")
    if NEXT in failed:
        return None
    panel, like = panel_of(mine), Cell.of_row(mine[0])
    measure = _cpu_us if by == "cpu" else THROUGHPUT
    good, again, bad, found = (like.at(build=name) for name in (GOOD, AGAIN, BAD, NEXT))
    to_good, to_bad = (panel.draws(found, side, measure) for side in (good, bad))
    return Nearer(
        gap=panel.ratio(bad, good, measure),
        apart=panel.ratio(again, good, measure),
        found=to_good.interval(),
        nearer=to_good.times(to_bad).interval(),
        rounds=int(panel.matched(found, good).sum()),
    )


def sentence(judgement: Nearer, by: str) -> str:
    """Return what is known about a candidate, with intervals."""
    from ..analysis.numerals import times

    ratios = judgement.found, judgement.gap, judgement.apart, judgement.nearer
    to_good, good_to_bad, apart, nearer = (times(ratio, 3) for ratio in ratios)
    said = f"{judgement.rounds} rounds: {_WORDS[judgement.verdict]}"
    return (
        f"{said} ({_BY[by]}: next / good {to_good}, bad / good {good_to_bad}; good against "
        f"itself {apart}; nearer: {nearer}, 1 is the middle)"
    )
