"""The study's three conclusions compared with our rows: what they show, not what is expected.

The study concluded that throughput grows with the size of the data, which makes it the wrong metric
across sizes; that compactions and total time should be compared instead; and that sequential and
random reads scale differently.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..numerals import times
from ..results import words
from .sizes import COMPACTIONS, MB, THROUGHPUT, TIME, Runs, Sweep

_NO_INTERVAL = "there is no interval, so that nothing is concluded"
# By the sides of 1 on which the ratios of MB/s and of operations/s lie.
_OF_THROUGHPUT: Mapping[tuple[int | None, ...], str] = {
    (1, -1): "MB/s grows with the size, as in the study, while fewer operations are done: across "
    "sizes it is the wrong metric",
    (1, 0): "MB/s grows with the size, as in the study, while operations/s cannot be told apart: "
    "across sizes it measures the size",
    (1, 1): "both grow, so that more than the size is in it",
    **dict.fromkeys(
        [(0, -1), (0, 0), (0, 1)],
        "MB/s cannot be told apart, so that these rows do not show the study's growth",
    ),
    **dict.fromkeys([(-1, -1), (-1, 0), (-1, 1)], "MB/s falls, unlike the study's"),
}
# By whether there are more compactions, and whether the time is resolvably longer.
_OF_WORK = {
    (True, True): "equal numbers of operations cost more work and more time with larger data",
    (False, True): "the time grows, the number of compactions does not",
    (True, False): "the number of compactions grows, the time does not resolvably",
    (False, False): "neither grows resolvably",
}
_OF_READS: Mapping[int | None, str] = {
    0: "the two cannot be told apart, so that these rows do not show the study's difference",
    -1: "random reads gain more from larger entries, as in the study",
    1: "sequential reads gain more from larger entries, the other way round than in the study",
}


def sentences(sweep: Sweep) -> list[str]:
    """Return the conclusions that the rows can test, which takes two fixed sizes."""
    said = []
    for series in sweep.series:
        if len(series.fixed) > 1:
            said += [_throughput(series), *_compactions(series)]
    return [*said, *_reads(sweep)]


def _from_to(series: Runs) -> str:
    first, last = series.ends
    return f"from {first.entry_bytes:,.0f} to {last.entry_bytes:,.0f} B"


def _throughput(series: Runs) -> str:
    first, last = series.ends
    ratios = mb, operations = [last.figures[metric.key].ratio for metric in (MB, THROUGHPUT)]
    larger = (last.entry_bytes or 0) / (first.entry_bytes or 1)
    ways = tuple(ratio.side(1) for ratio in ratios)
    return (
        f"{series.bench}, {series.label}: {_from_to(series)}, {larger:.2f} times the bytes, "
        f"MB/s is {times(mb)} times as high and operations/s {times(operations)} times: "
        f"{_OF_THROUGHPUT.get(ways, _NO_INTERVAL)}"
    )


def _compactions(series: Runs) -> list[str]:
    figures = [point.figures for point in series.ends]
    counts = [figure[COMPACTIONS.key].mean for figure in figures if COMPACTIONS.key in figure]
    if not counts or None in counts:
        return []
    if not any(counts):
        why = " (tables of rising keys are moved instead)" if series.bench == "fillseq" else ""
        return [
            f"{series.bench}, {series.label}: no compaction ended in these runs{why}, so that "
            "there is nothing to compare"
        ]
    took, ratio = [figure[TIME.key].mean for figure in figures], figures[1][TIME.key].ratio
    # A count that does not vary has an interval of zero width, which serves as well as any.
    more = (figures[1][COMPACTIONS.key].ratio.value or 0.0) > 1
    verdict = _OF_WORK[more, ratio.side(1) == 1] if ratio.is_known else _NO_INTERVAL
    work, time = (" to ".join(map(words.number, both)) for both in (counts, took))
    return [
        f"{series.bench}, {series.label}: {_from_to(series)}, compactions go from {work} a run "
        f"and total time from {time} s, {times(ratio)} times: {verdict}"
    ]


def _reads(sweep: Sweep) -> list[str]:
    """Compare sequential with random reads by MB/s, the study's own figure."""
    said = []
    for wal in (True, False):
        pair = [sweep.of(bench, wal) for bench in ("readseq", "readrandom")]
        both = [runs for runs in pair if runs is not None and len(runs.fixed) > 1]
        sizes = [tuple(point.size for point in runs.ends) for runs in both]
        if len(both) < 2 or sizes[0] != sizes[1]:
            continue
        drawn = [
            sweep.panel.draws(last.result.at, first.result.at, MB.of)
            for first, last in (runs.ends for runs in both)
        ]
        apart = drawn[0].times(drawn[1], -1).interval()
        seq, rand = (times(runs.ends[1].figures[MB.key].ratio) for runs in both)
        said.append(
            f"reads, {both[0].label}: {_from_to(both[0])}, MB/s of readseq is {seq} times as high "
            f"and of readrandom {rand} times, a ratio of {times(apart)}: "
            f"{_OF_READS.get(apart.side(1), _NO_INTERVAL)}"
        )
    return said
