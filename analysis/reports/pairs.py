"""Two cells beside each other, in figures and words: builds, devices, or two campaigns."""

from __future__ import annotations

from ..gate.difference import OVERHEAD, THROUGHPUT, Compared
from ..numerals import percent, points, times
from ..results import words
from ..series import Column, Line, plain
from ..stats import Interval
from . import cell_columns


def columns(unit: str, base: str = "base", new: str = "new") -> list[Column[Compared]]:
    """Return what is known of both sides, and their differences, for programs as fractions."""

    def difference(name: str, heading: str) -> Column[Compared]:
        return Column(
            f"{name}_difference", heading, "%",
            lambda pair: pair.said(name), lambda pair: points(pair.said(name)),
        )  # fmt: skip

    def sided(side: str, name: str) -> list[Column[Compared]]:
        rate = f"{name}\n{unit}"
        return [
            Column(f"throughput_{side}", rate, of=f"{side}.throughput", only_wide=True),
            Column(f"added_us_per_request_{side}", of=f"{side}.added_us_per_request"),
            Column(f"overhead_{side}", f"cost %\n{name}", "%", f"{side}.overhead"),
        ]

    return [
        cell_columns.LABEL,
        *plain("cell engine workload profile threads device durability throughput_unit rounds"),
        Column("emulated", of="shows_model"),
        *sided("base", base),
        *sided("new", new),
        Column("ratio", "x [95 %]", text=lambda pair: times(pair.ratio, 3)),
        difference(OVERHEAD, "points [95 %]"),
        difference(THROUGHPUT, "throughput %"),
        Column(
            "failures",
            of=lambda pair: "; ".join(why for cell in pair.failed for why in cell.failures),
        ),
    ]


def line(pair: Compared) -> Line:
    """Return the look of a pair in figures."""
    return Line("", pair.result.device, "none", "o")


def clause(pair: Compared, base: str = "base", new: str = "new") -> str:
    """Say what the new one does in one cell: its throughput, and how the log's cost changed."""
    said = apart(pair, base, new)
    if not pair.failed and pair.points.value is not None:
        said += f", and {costs(pair)}"
    return f"on {words.label(pair.result)}, {said}"


def apart(pair: Compared, base: str, new: str) -> str:
    """Say how far the throughputs of two cells with these names are apart."""
    sides = ((new, pair.new), (base, pair.base))
    if pair.failed:
        failed = " and ".join(name for name, cell in sides if cell in pair.failed)
        return f"{words.FAILED} on {failed}: no comparison"
    if idle := [name for name, cell in sides if cell is not None and cell.throughput == 0]:
        return f"{' and '.join(idle)} did nothing: no comparison"
    if pair.ratio.value is None:
        return "their throughputs cannot be compared"
    return throughputs(pair.ratio, new, base)


def throughputs(ratio: Interval, new: str, base: str) -> str:
    """Say what a ratio means for the throughputs of two things with these names."""
    what = f"{times(ratio, 3)} times the throughput"
    if ratio.side(1) == 0:
        return f"{new} and {base} cannot be told apart ({what})"
    return f"{new} has {what} of {base}{'' if ratio.is_known else ' (no interval)'}"


def costs(pair: Compared) -> str:
    """Say how the log's cost changed, which is known."""
    assert pair.base is not None
    assert pair.new is not None
    signed, _, ends = points(pair.points).partition(" ")
    change = (
        f"{percent(pair.base.overhead)} to {percent(pair.new.overhead)} %: {signed} points {ends}"
    )
    way = {None: "went", 0: "", 1: "rose", -1: "fell"}[pair.points.side(0)]
    said = f"{way} from {change}" if way else f"cannot be told apart ({change})"
    return f"the log's cost {said}"
