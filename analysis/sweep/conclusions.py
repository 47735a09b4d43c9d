"""The study's three conclusions held against rows of ours: what they show, not what is expected.

The study concluded that throughput grows with the size of the data, so that it is the wrong
metric across sizes; that compactions and total time should be compared instead; and that
sequential and random reads scale differently.
"""

from __future__ import annotations

from ..numerals import times
from ..results import words
from ..stats import Interval
from .sizes import COMPACTIONS, MB, THROUGHPUT, TIME, Point, Runs, Sweep


def sentences(sweep: Sweep) -> list[str]:
    """None of what the rows cannot speak of: that needs two fixed sizes."""
    said = []
    for series in sweep.series:
        if len(series.fixed) > 1:
            said.append(_throughput(series))
            said += _compactions(series)
    return [*said, *_reads(sweep)]


def _ends(series: Runs) -> tuple[Point, Point]:
    return series.fixed[0], series.fixed[-1]


def _from_to(series: Runs) -> str:
    first, last = _ends(series)
    return f"from {first.entry_bytes:,.0f} to {last.entry_bytes:,.0f} B"


def _throughput(series: Runs) -> str:
    first, last = _ends(series)
    mb, operations = (last.figures[metric.key].ratio for metric in (MB, THROUGHPUT))
    larger = (last.entry_bytes or 0) / (first.entry_bytes or 1)
    return (
        f"{series.bench}, {series.label}: {_from_to(series)}, {larger:.2f} times the bytes, "
        f"MB/s is {times(mb)} times as high and operations/s {times(operations)} times: "
        f"{_of_throughput(mb, operations)}"
    )


def _of_throughput(mb: Interval, operations: Interval) -> str:
    ways = mb.side(1), operations.side(1)
    if None in ways:
        return "there is no interval, so that nothing is concluded"
    if ways == (1, -1):
        return (
            "MB/s grows with the size, as in the study, while fewer operations are done: across "
            "sizes it is the wrong metric"
        )
    if ways == (1, 0):
        return (
            "MB/s grows with the size, as in the study, while operations/s cannot be told apart: "
            "across sizes it measures the size"
        )
    if ways == (1, 1):
        return "both grow, so that more than the size is in it"
    if ways[0] == 0:
        return "MB/s cannot be told apart, so that these rows do not show the study's growth"
    return "MB/s falls, unlike the study's"


def _compactions(series: Runs) -> list[str]:
    first, last = _ends(series)
    if COMPACTIONS.key not in first.figures:
        return []
    of_first, of_last = first.figures[COMPACTIONS.key], last.figures[COMPACTIONS.key]
    if of_first.mean is None or of_last.mean is None:
        return []
    if not of_first.mean and not of_last.mean:
        why = " (tables of rising keys are moved instead)" if series.bench == "fillseq" else ""
        return [
            f"{series.bench}, {series.label}: no compaction ended in these runs{why}, so that "
            "there is nothing to compare"
        ]
    time = last.figures[TIME.key]
    return [
        f"{series.bench}, {series.label}: {_from_to(series)}, compactions go from "
        f"{words.number(of_first.mean)} to {words.number(of_last.mean)} a run and total time from "
        f"{words.number(first.figures[TIME.key].mean)} to {words.number(time.mean)} s, "
        f"{times(time.ratio)} times: {_of_work(of_last.ratio, time.ratio)}"
    ]


def _of_work(compactions: Interval, time: Interval) -> str:
    # A count that does not vary has an interval of no width, which is as good as any.
    more = None if compactions.value is None else compactions.value > 1
    way = time.side(1)
    if way is None:
        return "there is no interval, so that nothing is concluded"
    if more and way == 1:
        return "equal numbers of operations cost more work and more time with larger data"
    if way == 1:
        return "the time grows, the number of compactions does not"
    if more:
        return "the number of compactions grows, the time does not resolvably"
    return "neither grows resolvably"


def _reads(sweep: Sweep) -> list[str]:
    """By MB/s, the study's own figure."""
    scalings = []
    for wal in (True, False):
        pair = [sweep.of(bench, wal) for bench in ("readseq", "readrandom")]
        both = [series for series in pair if series is not None and len(series.fixed) > 1]
        if len(both) == 2 and _sizes(both[0]) == _sizes(both[1]):
            scalings.append(_scaling(sweep, both[0], both[1]))
    return scalings


def _sizes(series: Runs) -> tuple[str, str]:
    first, last = _ends(series)
    return first.size, last.size


def _scaling(sweep: Sweep, sequential: Runs, random: Runs) -> str:
    cells = [
        tuple(point.result.at for point in reversed(_ends(one))) for one in (sequential, random)
    ]
    drawn = [sweep.panel.draws(last, first, MB.of) for last, first in cells]
    apart = drawn[0].times(drawn[1], -1).interval()
    seq, rand = (_ends(one)[1].figures[MB.key].ratio for one in (sequential, random))
    way = apart.side(1)
    verdict = {
        None: "there is no interval, so that nothing is concluded",
        0: "the two cannot be told apart, so that these rows do not show the study's difference",
        -1: "random reads gain more from larger entries, as in the study",
        1: "sequential reads gain more from larger entries, the other way round than in the study",
    }[way]
    return (
        f"reads, {sequential.label}: {_from_to(sequential)}, MB/s of readseq is {times(seq)} times "
        f"as high and of readrandom {times(rand)} times, a ratio of {times(apart)}: {verdict}"
    )
