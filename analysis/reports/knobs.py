"""The report of a sweep of knobs: every setting against the default and against no log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ... import engines
from ...cell import Cell
from ...engines.knobs import KNOBS
from ...errors import UsageError
from ...row import Row
from ..figures import points
from ..numerals import number, times
from ..report import Lines, Report
from ..results import CellResult, Panel, Proof, every_cell, panel_of, read, words
from ..results.panel import column, per_operation
from ..results.source import failures
from ..series import Column, Line, Plot, Series, View, plain
from ..stats import ONE, Interval
from . import cells

DEFAULT = "default"
_TAP_BYTES = per_operation("tap_write_bytes")
_LOGS = column("tap_opens")
_RECYCLED = "recycled-logs"
# A log is recycled when its memtable was flushed: the first ones of a run are always new.
_NEW_LOGS = 3
_MORE_LOGS = 1.5
_WIDTH = 112  # columns of the widest table
_LEGEND = (
    "points: means; whiskers: 95 % intervals; numbers at the edge: of settings that do not sync, "
    "which would hide the others"
)
# Without colour too: a triangle points the way that the throughput went.
_MARKERS = {"better": ">", "worse": "<", "": "o"}


def knobs(
    folder: Path, durabilities: Mapping[str, str] | None = None, notes: Sequence[str] = ()
) -> Report:
    """Every setting of a sweep of knobs, the fastest first.

    `durabilities` says what each knob, or mode, does to durability; `notes` are what a reader must
    know of the device. Errors: UsageError when the rows are not of a sweep of knobs; else as
    `load`.
    """
    of = read([folder])
    settings = lines(of.rows, durabilities or {})
    said = [*sentences(settings), *compressed(settings), *recycled(settings), *reached(settings)]
    failed = failures(of.rows, lambda row: name(Cell.of_row(row)))
    series = _series(settings)
    why = [f"{words.FAILED} {knob}: {reason}" for knob, reason in failed.items()]
    does = [f"{one.name}: {one.does_to_durability}" for one in settings]
    content = {"sentences": said, "failures": failed, "notes": list(notes)}
    return cells.report(
        of,
        "knobs",
        parts=[
            *series.tables(),
            Lines([*said, *why], "Against the default"),
            Lines(does, "What each does to durability"),
            Lines(notes, "The device"),
        ],
        content={**content, "lines": series.lines()},
        lines=series.lines(),
        figures={"knobs": lambda: points.draw_sideways([series], of.origin, _LEGEND)},
        width=_WIDTH,
    )


def _series(settings: Sequence[KnobLine]) -> Series[KnobLine]:
    """A figure leaves `off` out: it has no log, and would set the scale of every axis."""
    first = settings[0].result
    title, request = words.group_title(first), first.unit.request
    rate, per = first.unit.name.replace("/", "_per_"), f"_per_{request}"
    speed = f"{title}\nsorted by throughput; x: over the default's"
    work = f"cpu_us{per} syncs{per} wal_bytes{per} tap_bytes{per} context_switches{per}"
    return Series(
        axis="setting",
        subject=title,
        points=settings,
        columns=_columns(rate, first.unit.name, per, is_run=settings[0].is_run),
        views=[
            View(speed, f"setting {rate} over_default overhead verdict"),
            View(f"Per {request}", f"setting {work}"),
        ],
        at=lambda one: one.label,
        line=_line,
        plots=[
            Plot("throughput over the default's", "over_default", _logs, mark=1.0, aside=_aside),
            Plot("overhead against off, %", "overhead", _logs, aside=_aside),
            Plot(f"CPU us per {request}", f"cpu_us{per}", _logs),
            Plot(f"syncs per {request}", f"syncs{per}", _logs),
        ],
    )


def _logs(one: KnobLine) -> bool:
    return one.result.writes_wal


def _aside(one: KnobLine) -> bool:
    return one.result.durability != "sync"


def _line(one: KnobLine) -> Line:
    colour = "#202020" if one.is_default else ""
    return Line("", one.result.device, marker=_MARKERS[one.verdict], colour=colour)


def _columns(rate: str, unit: str, per: str, *, is_run: bool) -> list[Column[KnobLine]]:
    """Figures are named for the workload's unit and request."""

    def proved(name: str, heading: str) -> Column[KnobLine]:
        return Column(
            f"{name}{per}", heading, of=lambda one: getattr(one.proof, f"{name}_per_request")
        )

    return [
        Column("setting", "setting", "text", lambda one: one.name, lambda one: one.label),
        *plain("device durability threads"),
        Column("emulated", of=lambda one: one.result.shows_model),
        Column("rounds"),
        Column(rate, unit, of=lambda o: o.result.rate, text=lambda o: cells.throughput(o.result)),
        Column("over_default", "x [95 %]", "x", text=_over_default),
        Column("verdict", "verdict", "text"),
        cells.OVERHEAD,
        proved("cpu_us", "CPU us"),
        proved("syncs", "syncs"),
        proved("wal_bytes", "WAL bytes"),
        Column(f"tap_bytes{per}", "bytes in\nthe file", of=lambda o: o.tap_bytes_per_request),
        Column(f"logs_per_{'run' if is_run else 'slice'}", of=lambda one: one.logs_per_slice),
        proved("context_switches", "context\nswitches"),
        Column("does_to_durability"),
    ]


def _over_default(one: KnobLine) -> str:
    return "-" if one.is_default else times(one.over_default)


@dataclass(frozen=True)
class KnobLine:
    """One setting: what it costs against `off`, and its throughput over the default's.

    `tap_bytes_per_request` reached the file; RocksDB counts its bytes before compression.
    """

    name: str
    does_to_durability: str  # a sentence
    result: CellResult
    over_default: Interval
    tap_bytes_per_request: float | None
    logs_per_slice: float | None

    @property
    def proof(self) -> Proof:
        return self.result.proof

    @property
    def is_run(self) -> bool:
        """Whether its slices are runs of db_bench, each of which begins its logs anew."""
        return any(row.get("operations") for row in self.result.rows)

    @property
    def label(self) -> str:
        return f"{self.name} (emulated)" if self.result.shows_model else self.name

    @property
    def is_default(self) -> bool:
        return self.name == DEFAULT

    @property
    def verdict(self) -> str:
        """better, worse, or empty where the two cannot be told apart."""
        if self.is_default or not self.result.writes_wal:
            return ""
        return {1: "better", -1: "worse"}.get(self.over_default.side(1) or 0, "")


def lines(rows: list[Row], durabilities: Mapping[str, str]) -> list[KnobLine]:
    """The fastest first; cells that failed have none.

    `durabilities` says what each knob, or mode, does to durability. Errors: UsageError when the
    rows have no default, or are of several workloads, devices or numbers of threads.
    """
    grid = panel_of(rows)
    results = [one for one in every_cell(rows) if not one.failed]
    default = _default(results)
    settings = [
        KnobLine(
            name=name(one.at),
            does_to_durability=durabilities.get(name(one.at), ""),
            result=one,
            over_default=_over(grid, one.at, default.at),
            tap_bytes_per_request=grid.mean(one.at, _TAP_BYTES),
            logs_per_slice=grid.mean(one.at, _LOGS),
        )
        for one in results
    ]
    return sorted(settings, key=lambda one: (-(one.over_default.value or 0.0), one.name))


def name(cell: Cell) -> str:
    """The knob, or the mode of what has none; the default is the mode that syncs."""
    return cell.knob or (DEFAULT if cell.durability == "sync" else cell.durability)


def _default(results: list[CellResult]) -> CellResult:
    places = {(one.workload, one.threads, one.size) for one in results}
    devices = {one.device for one in results if one.writes_wal}
    if len(places) > 1 or len(devices) > 1:
        raise UsageError(
            "sweep-knobs: found cells of several workloads, sizes, devices or numbers of threads; "
            "give one campaign of a sweep of knobs"
        )
    default = next((one for one in results if name(one.at) == DEFAULT and not one.replica), None)
    if default is None:
        raise UsageError("sweep-knobs: found no cell of durability sync without a knob to compare")
    return default


def _over(grid: Panel, cell: Cell, default: Cell) -> Interval:
    return ONE if cell == default else grid.ratio(cell, default)


def sentences(settings: list[KnobLine]) -> list[str]:
    """What is resolvably better or worse than the default, and what is not told apart from it."""
    said = []
    for verdict in ("better", "worse"):
        said += [_difference(one) for one in settings if one.verdict == verdict]
    rest = [one for one in settings if one.result.writes_wal and not one.is_default]
    alike = [one.name for one in rest if one.over_default.side(1) == 0]
    if alike:
        said.append(f"cannot be told apart from the default: {', '.join(alike)}")
    unknown = [one.name for one in rest if one.over_default.side(1) is None]
    if unknown:
        said.append(f"no interval, so that nothing is said of: {', '.join(unknown)}")
    return said


def _difference(one: KnobLine) -> str:
    text = (
        f"{one.name} has {times(one.over_default)} times the throughput of the default: resolvably "
        f"{one.verdict}"
    )
    if not one.result.is_baseline:
        baseline = name(one.result.at.baseline)
        text += f"; the log costs {words.overhead(one.result)} of {baseline}"
    if one.proof.syncs_per_request == 0:
        text += "; it does not sync, so that this is bought with durability"
    return text


def compressed(settings: list[KnobLine]) -> list[str]:
    """Which settings brought fewer bytes to the file than the default, by the tap."""
    default = next((one.tap_bytes_per_request for one in settings if one.is_default), None)
    if not default:
        return []
    return [
        f"{one.name}: {number(one.tap_bytes_per_request)} bytes {_each(one)} reached the "
        f"file, {number(default)} of the default's; RocksDB counted "
        f"{number(one.proof.wal_bytes_per_request)}, which is before compression"
        for one in settings
        if one.tap_bytes_per_request is not None
        and one.name in KNOBS
        and one.tap_bytes_per_request < 0.95 * default
        and one.proof.wal_bytes_per_request
        and one.tap_bytes_per_request < 0.95 * one.proof.wal_bytes_per_request
    ]


def _each(one: KnobLine) -> str:
    request = one.result.unit.request
    return f"{'an' if request[0] in 'aeiou' else 'a'} {request}"


def recycled(settings: list[KnobLine]) -> list[str]:
    """How often there was a log to recycle: the knob acts on no other."""
    one = next((line for line in settings if line.name == _RECYCLED), None)
    if one is None or one.logs_per_slice is None:
        return []
    said = f"{_RECYCLED}: {number(one.logs_per_slice)} logs were begun a "
    if not one.is_run:
        return [said + "slice"]
    few = one.logs_per_slice < 2 * _NEW_LOGS
    return [said + "run" + "; the first are new, so that little was written over old blocks" * few]


def _round(one: KnobLine, limit_mib: int) -> str:
    """The same of a log that is written round and round: a session writes more than all of it."""
    written: dict[int, int] = {}
    for row in one.result.rows:
        written[row["session"]] = written.get(row["session"], 0) + row["wal_bytes"]
    most_mib = max(written.values()) / (1 << 20)
    said = f"{one.name}: the slices of a session wrote {number(most_mib)} MiB of log at most"
    if most_mib > limit_mib:
        return said
    return said + ", less than the limit, so that this says nothing of it"


def reached(settings: list[KnobLine]) -> list[str]:
    """Whether a limit of the log's length was ever reached: it acts on no shorter log."""
    default = next((one.logs_per_slice for one in settings if one.is_default), None)
    said = []
    for one in settings:
        known = KNOBS.get(one.name)
        if known is None or not known.log_mib or None in (one.logs_per_slice, default):
            continue
        if engines.of(one.result.engine).writes_pages:
            said.append(_round(one, known.log_mib))
            continue
        each = f"{number(one.logs_per_slice)} logs were begun a slice"
        if (one.logs_per_slice or 0.0) <= _MORE_LOGS * (default or 0.0):
            each += ", hardly more than with the default: the limit was not reached, so that this "
            each += "says nothing of it"
        else:
            each += f", {number(default)} with the default"
        said.append(f"{one.name}: {each}")
    return said
