"""Two cells that took turns in the same rounds: how far they are apart, in figures and words.

The machine's drift is in neither ratio, because it affects both cells of a round alike. `compare`
pairs the devices of a campaign, `builds` its builds.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base.errors import UsageError
from ...row import Row
from .. import stats
from ..numerals import percent, points, times
from ..results import CellResult, Panel, of_panel, panels, words
from ..stats import NOTHING, Interval


@dataclass(frozen=True, eq=False)
class Pair:
    """A cell beside a base.

    `ratio` is throughput(new) / throughput(base). `points` is overhead(new) - overhead(base), a
    fraction, each against its own baseline; baselines have none.
    """

    base: CellResult
    new: CellResult
    ratio: Interval
    points: Interval
    rounds: int  # in which both have a slice

    @property
    def result(self) -> CellResult:
        """The result that names the pair."""
        return self.base

    @property
    def failed(self) -> list[CellResult]:
        return [result for result in (self.base, self.new) if result.failed]

    @property
    def verdict(self) -> str:
        """A word for how the two differ; empty if nothing is known."""
        if self.failed:
            return "no result"
        side = {1: "faster", -1: "slower", 0: "not told apart", None: ""}
        return side[self.ratio.side(1)]


def pair(panel: Panel, base: CellResult, new: CellResult) -> Pair:
    """Pair two cells of one panel, which may hold the cells of several comparisons.

    The difference gets its interval from the same bootstrap, over rounds in which all four cells
    have a slice.
    """
    apart = NOTHING
    if not (base.is_baseline or base.failed or new.failed):
        apart = stats.difference_of_ratios(
            (panel.values(base.at), panel.values(base.at.baseline)),
            (panel.values(new.at), panel.values(new.at.baseline)),
            panel.by,
        )
    rounds = int(panel.matched(new.at, base.at).sum())
    return Pair(base, new, panel.ratio(new.at, base.at), apart, rounds)


def throughputs(ratio: Interval, new: str, base: str) -> str:
    """Say what a ratio means for the throughputs of two things with these names."""
    what = f"{times(ratio, 3)} times the throughput"
    if ratio.side(1) == 0:
        return f"{new} and {base} cannot be told apart ({what})"
    return f"{new} has {what} of {base}{'' if ratio.is_known else ' (no interval)'}"


def costs(pair: Pair) -> str:
    """Say how the log's cost changed."""
    if pair.points.value is None:
        return "nothing is known of the log's cost"
    signed, _, ends = points(pair.points).partition(" ")
    change = (
        f"{percent(pair.base.overhead)} to {percent(pair.new.overhead)} %: {signed} points {ends}"
    )
    way = {None: "went", 0: "", 1: "rose", -1: "fell"}[pair.points.side(0)]
    said = f"{way} from {change}" if way else f"cannot be told apart ({change})"
    return f"the log's cost {said}"


def sentence(pair: Pair) -> str:
    """Say what a pair shows about two devices of one comparison group."""
    group, a, b = words.group_title(pair.new), words.label(pair.new), words.label(pair.base)
    if pair.failed:
        failed = " and ".join(words.label(cell) for cell in (pair.new, pair.base) if cell.failed)
        return f"{group}: {words.FAILED} on {failed}: no comparison."
    idle = [words.label(cell) for cell in (pair.new, pair.base) if cell.throughput == 0]
    if idle:
        return f"{group}: {' and '.join(idle)} did nothing: no comparison."
    if pair.ratio.value is None:
        return f"{group}: {a} and {b} have no round in common."
    return f"{group}: {throughputs(pair.ratio, a, b)}."


def compare(rows: list[Row], a: str, b: str) -> list[Pair]:
    """Pair two devices, `b` as the base, in each group and mode that have both.

    `a` and `b` are devices, or a device's mode: nvme:flush. Errors: UsageError, naming the devices
    measured, if no group has both, and if they are the same.
    """
    pairs = [
        pair(panel, other, new)
        for panel in panels(rows)
        for new, other in _pairs(_cells(panel, a), _cells(panel, b))
    ]
    if not pairs:
        raise UsageError(f"compare: found {a!r} and {b!r}; the campaign has {_choices(rows)}")
    if any(pair.base.at == pair.new.at for pair in pairs):
        raise UsageError(
            f"compare: found {a!r} and {b!r}, a device compared with itself; name two of "
            f"{_choices(rows)}"
        )
    return pairs


def _cells(panel: Panel, name: str) -> dict[str, CellResult]:
    """Return the device's cells by mode, or the one of the named mode; no replicas."""
    device, _, mode = name.partition(":")
    return {
        result.durability: result
        for result in of_panel(panel)
        if result.device == device
        and not (result.replica or result.knob)
        and mode in ("", result.durability)
    }


def _pairs(
    a: dict[str, CellResult], b: dict[str, CellResult]
) -> list[tuple[CellResult, CellResult]]:
    """Pair equal modes; unequal ones only if each has a single mode, as beside `off`."""
    alike = [(cell, b[mode]) for mode, cell in a.items() if mode in b]
    is_single = len(a) == len(b) == 1
    return alike or (list(zip(a.values(), b.values(), strict=True)) if is_single else [])


def _choices(rows: list[Row]) -> str:
    cells = {(row["device"], row["durability"]) for row in rows}
    devices = [device for device, _ in cells]
    named = (f"{name}:{mode}" if devices.count(name) > 1 else name for name, mode in cells)
    return ", ".join(sorted(named))
