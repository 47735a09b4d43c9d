"""The report of a sweep over load: what the log adds to latency, and where each device's knee is.

The knee is the load at which p99 passes a bound, by a line between two measured loads on a
logarithmic scale; its interval is where the ends of p99's own intervals pass. What the log adds is
the difference of two percentiles, whose interval is Zou and Donner's (2008).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...row import Row
from ..numerals import measured, number
from ..report import Report
from ..results import CellResult, words
from ..results.latency import ALL
from ..series import Column, Plot, Series, View
from ..stats import NOTHING, Interval
from . import cell_columns, sweeps

_HALF = 50  # percent
_KEEPS_UP = 0.99  # of what is offered; with less, latencies grow with the length of a slice
_BATCHED = 2.0  # commits in the time of a flush, above which a timer is said to gain nothing
_NEAR = 0.95  # of the commits that arrive during a sync, which an estimate may lack
_PERCENTILES = {"p50": 50.0, "p99": 99.0, "p999": 99.9}


@dataclass(frozen=True)
class At:
    """A device, or the baseline, at one load."""

    result: CellResult
    baseline: CellResult

    @property
    def load(self) -> int:
        return int(self.result.at.axes["load"])

    @property
    def served(self) -> float | None:
        """The share of what was offered that was done in time."""
        left = self.result.sums.over(["unserved"], "requests")
        return None if left is None else 1 / (1 + left)

    @property
    def off(self) -> At:
        """The baseline at the same load."""
        return At(self.baseline, self.baseline)

    def us(self, percentile: str) -> Interval:
        """Return a percentile of all requests, from when they were due."""
        latency = self.result.latency_of(ALL)
        return latency.quantile(_PERCENTILES[percentile]) if latency else NOTHING

    def added_us(self, percentile: str) -> Interval:
        """Return what the log adds to a percentile; nothing for the baseline."""
        if self.result.is_baseline:
            return NOTHING
        return self.us(percentile).minus(self.off.us(percentile))

    @property
    def commits_per_s(self) -> float | None:
        return self.result.sums.over(["commits"], "driven_s")

    @property
    def commits_per_sync(self) -> float | None:
        return self.result.sums.over(["commits"], "tap_syncs")

    @property
    def commits_during_sync(self) -> float | None:
        """How many commits arrive in the time of a sync, on average."""
        rate, sync_us = self.commits_per_s, self.result.facts["sync_us"]
        return rate * sync_us / 1e6 if rate and sync_us else None


def _percentiles(name: str, title: str) -> Iterator[Column[At]]:
    yield Column(f"latency_us_{name}", f"{title} us", of=lambda at: at.us(name))
    yield Column(f"added_us_{name}", f"added to\n{title}, us", of=lambda at: at.added_us(name))


_COLUMNS: tuple[Column[At], ...] = (
    cell_columns.NAME,
    Column("load_percent", "load %", "count", "load"),
    Column("offered_per_s", "offered/s", of=lambda at: at.result.sums.median("rate")),
    Column("served", "served %", "%"),
    *_percentiles("p50", "p50"),
    *_percentiles("p99", "p99"),
    *_percentiles("p999", "p99.9"),
    Column("commits_per_sync", "commits\na sync"),
    Column("commits_per_s", "commits/s"),
    Column("commits_during_sync", "arrive\nduring one"),
    Column("sync_us", "sync us"),
    Column("cell"),
)


def load(campaigns: Sequence[Path], *, p99_ms: int = 10) -> Report:
    """Report each sweep over load of these campaigns; a knee is where p99 passes `p99_ms`.

    Errors: UsageError if no workload was measured at two loads; else as `load` of results.
    """
    return sweeps.report(
        campaigns, name="load", series=lambda rows: load_sweeps(rows, 1000 * p99_ms),
        lacking="one load or none; a sweep over load has two or more: see `waltax sweep load`",
        legend=f"line: the bound of {p99_ms} ms; points: measured, with 95 % intervals",
        size=(5.4, 4.8),
    )  # fmt: skip


def load_sweeps(rows: list[Row], bound_us: float) -> list[Series[At]]:
    """Return a series for each engine, workload and profile measured at two loads or more."""
    every: list[Series[At]] = []
    for group in sweeps.swept(rows, lambda result: int(result.at.axes["load"] or 0)):
        at = {result.at: result for result in group if result.at.axes["load"]}
        points = [At(of, at[of.at.baseline]) for of in at.values() if of.at.baseline in at]
        every += [_sweep(points, bound_us)] if points else []
    return every


def _sweep(points: Sequence[At], bound_us: float) -> Series[At]:
    lines = sweeps.by_device(points)
    knees = {mine[0].result.device: knee(mine, bound_us) for mine in lines}
    first = points[0].result
    subject = f"{words.subject(first)}, {words.clients(first.threads)}, profile {first.profile}"
    added = " ".join(f"added_us_{name}" for name in _PERCENTILES)
    said = "; ".join(clause for mine in lines for clause in _added(mine))
    latencies = "latency_us_p50 latency_us_p99"
    return Series(
        axis="load, % of what the baseline can do",
        subject=subject,
        points=points,
        columns=_COLUMNS,
        views=[
            View("Latency", f"device load_percent offered_per_s served {latencies}"),
            View(
                "Added by the log",
                f"device load_percent {added}",
                lambda at: not at.result.is_baseline,
            ),
            View(
                "Group commit",
                "device load_percent sync_us commits_per_s commits_during_sync commits_per_sync",
                lambda at: not at.result.is_baseline,
            ),
        ],
        verdict=f"{subject}: {said}{words.doubtful([at.result for at in points])}.",
        sentences=[
            *(_of_knee(mine[0], knees[mine[0].result.device], bound_us) for mine in lines),
            *(said for mine in lines for said in _of_timer(mine)),
        ],
        group=sweeps.group(first),
        own={"bound_us": bound_us, "knees": {name: vars(one) for name, one in knees.items()}},
        at=lambda at: f"{at.load} %",
        line=cell_columns.line,
        plots=[
            Plot("p50 latency, us", "latency_us_p50", is_log=True),
            Plot("p99 latency, us", "latency_us_p99", is_log=True, mark=bound_us),
        ],
    )


def knee(mine: Sequence[At], bound_us: float) -> Interval:
    """Return the load in percent at which p99 passes the bound; None: at none that was offered.

    0 stands for a load below all of them.
    """

    def passed(end: str) -> float | None:
        before: tuple[int, float] | None = None
        for load, us in ((at.load, getattr(at.us("p99"), end)) for at in mine):
            if us is not None and us > bound_us:
                if before is None:
                    return 0.0
                share = math.log(bound_us / before[1]) / math.log(us / before[1])
                return before[0] + share * (load - before[0])
            before = before if us is None else (load, us)
        return None

    return Interval(passed("value"), passed("high"), passed("low"))


def _added(mine: Sequence[At]) -> Iterator[str]:
    """Say what the log adds at half load, or at the nearest one that it and the baseline bear."""
    if mine[0].result.is_baseline:
        return
    name = words.label(mine[0].result)
    bearable = [at for at in mine if min(at.served or 0.0, at.off.served or 0.0) >= _KEEPS_UP]
    if not bearable:
        yield f"{name}: it bears none of these loads"
        return
    near = min(bearable, key=lambda at: abs(at.load - _HALF))
    p50, p99 = (_of_one(near.added_us(each)) for each in ("p50", "p99"))
    where = "half" if near.load == _HALF else f"{near.load} %"
    yield f"at {where} load {name} adds {p50} to the median and {p99} to p99"


def _of_one(added_us: Interval) -> str:
    said = f"{measured(added_us)} us"
    return said if added_us.side(0) else f"nothing that was resolved ({said})"


def _of_knee(first: At, where: Interval, bound_us: float) -> str:
    name, bound = words.label(first.result), f"p99 of {bound_us / 1000:g} ms"
    if where.value is None:
        return f"{name}: it stays below a {bound} at every load that was offered"
    if where.value == 0:
        return f"{name}: it is past a {bound} at {first.load} % load, the least that was offered"
    low = f"{where.low:.0f}" if where.low else f"below {first.load}"
    high = "above all" if where.high is None else f"{where.high:.0f}"
    return f"{name}: its knee, a {bound}, is at {where.value:.0f} % [{low}, {high}] load"


def _of_timer(mine: Sequence[At]) -> Iterator[str]:
    """Hold a published prediction against a device: above two commits in the time of one flush, a
    commit timer gains nothing (arXiv 2606.18187): a sync has all that arrived during the last one.
    """
    flush_us = mine[0].result.facts["sync_us"]
    if not flush_us or mine[0].result.is_baseline:
        return
    name, limit = words.label(mine[0].result), 1e6 * _BATCHED / flush_us
    said = f"{name}: two commits in a flush of {number(flush_us)} us are {number(limit)} commits/s"
    above = [at for at in mine if (at.commits_per_s or 0.0) > limit]
    if not above:
        yield f"{said}, more than any load here: what a commit timer would gain is not predicted"
        return
    shares = [(at.commits_per_sync or 0.0, at.commits_during_sync or 0.0) for at in above]
    held = all(shared >= max(_BATCHED, _NEAR * arrived) for shared, arrived in shares)
    least, arrived = min(shares)
    yield (
        f"{said}; that a commit timer gains nothing above that {'holds' if held else 'fails'} as "
        f"far as batches tell: from {above[0].load} % load on {number(least)} commits or more "
        f"share a sync without one, where {number(arrived)} arrive during it"
    )
