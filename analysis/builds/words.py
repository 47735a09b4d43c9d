"""What a comparison of builds, or of settings, says."""

from __future__ import annotations

from ..results import words
from ..stats import Interval
from .compared import PROFILE, Against, Pair


def title(one: Against) -> str:
    """E.g. kv fillrandom on RocksDB, profile ci, 4 threads: build new against base."""
    group = words.group_title(one.first).replace(f", {one.axis} {one.base}", "")
    what, base, new = one.called
    return f"{group}: {what} {new} against {base}"


def verdict(one: Against) -> str:
    """A sentence for each cell, the baseline's first."""
    alike = "; the builds have the same bytes, so that this is an A/A" if one.same_bytes else ""
    clauses = "; ".join(sentence(pair, one) for pair in one.pairs)
    doubts = words.doubtful([two for pair in one.pairs for two in (pair.base, pair.new)])
    return f"{title(one)}: {clauses}{alike}{doubts}."


def sentence(pair: Pair, of: Against) -> str:
    """What the build does in one cell: its throughput, and what became of the log's cost."""
    place = f"on {words.label(pair.base)}"
    if pair.failed:
        failed = " and ".join(one.at.axes[of.axis] or PROFILE for one in pair.failed)
        return f"{place}, {words.FAILED} with {failed}: no comparison"
    if pair.ratio.value is None:
        return f"{place}, they have no round in common"
    said = _throughput(pair.ratio, of)
    if pair.base.is_baseline:
        return f"{place}, {said}"
    return f"{place}, {said}, and {_cost(pair)}"


def _throughput(ratio: Interval, of: Against) -> str:
    (_, base, new), value, low, high = of.called, ratio.value, ratio.low, ratio.high
    if low is None or high is None:
        return f"{new} has {value:.3f} times the throughput of {base} (no interval)"
    times = f"{value:.3f} [{low:.3f}, {high:.3f}] times the throughput"
    if low <= 1 <= high:
        return f"{new} and {base} cannot be told apart ({times})"
    return f"{new} has {times} of {base}"


def _cost(pair: Pair) -> str:
    if pair.points.value is None:
        return "nothing is known of the log's cost"
    costs = f"{words.percent(pair.base.overhead)} to {words.percent(pair.new.overhead)} %"
    points = f"{signed(pair.points.value)} points {bounds(pair.points)}"
    if pair.points.low is None or pair.points.high is None:
        return f"the log's cost went from {costs}: {points}"
    if pair.points.low <= 0 <= pair.points.high:
        return f"the log's cost cannot be told apart ({costs}: {points})"
    return f"the log's cost {'rose' if pair.points.value > 0 else 'fell'} from {costs}: {points}"


def signed(fraction: float) -> str:
    """In percent, with its sign."""
    return f"{'+' if fraction > 0 else ''}{words.percent(fraction)}"


def bounds(points: Interval) -> str:
    return words.bounds(points.low, points.high)


def times(ratio: Interval) -> str:
    """A ratio in a table."""
    if ratio.value is None:
        return "-"
    ends = ratio.low is not None and ratio.high is not None
    return f"{ratio.value:.3f} " + (f"[{ratio.low:.3f}, {ratio.high:.3f}]" if ends else "-")


def judged(pair: Pair) -> str:
    """A word for a table: what of the two can be told apart; empty where nothing is known."""
    if pair.failed:
        return "no result"
    if pair.ratio.low is None or pair.ratio.high is None:
        return ""
    if pair.ratio.low <= 1 <= pair.ratio.high:
        return "not told apart"
    return "slower" if pair.ratio.high < 1 else "faster"
