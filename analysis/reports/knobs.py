"""The report of a sweep of knobs: every setting against the default and against no log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError
from ...cell import Cell
from ...engines.knobs import KNOBS
from ...row import Row
from ..numerals import times
from ..report import Lines, Report
from ..results import CellResult, every_cell, panel_of, read, words
from ..results.panel import column, per_operation
from ..results.source import failures
from ..series import Column, Line, Plot, Series, View, plain
from ..stats import ONE, Interval
from . import cell_columns, sweeps

DEFAULT = "default"
_TAP_BYTES = per_operation("tap_write_bytes")
_LOGS = column("tap_opens")
_LEGEND = (
    "points: means; whiskers: 95 % intervals; numbers at the edge: of settings that do not sync, "
    "which would hide the others"
)
# What each mode does to durability; `KNOBS` has the same for knobs.
_MODES = {
    DEFAULT: "sync: survives a power failure, if the device honours a flush",
    "flush": "no sync: survives the end of the process, not of the kernel or of the power",
    "delayed": "no wait: what was acknowledged in the last second or so is lost",
    "off": "no log: what was not flushed from memtables is lost, even when only the process ends",
}
# Knobs that change which blocks of the file a sync writes.
_OF_FILE_STATE = {"recycled-logs", "no-fallocate", "fsync"}
_OF_A_MODEL = (
    "recycled-logs, no-fallocate and fsync act on what an emulated device has no blocks of: its "
    "model alone says what they change (docs/devices.md)"
)
# Readable without colour: a triangle points the way that the throughput went.
_MARKERS = {"better": ">", "worse": "<", "": "o"}


@dataclass(frozen=True)
class KnobLine:
    """One setting: what it costs against `off`, and its throughput over the default's.

    `tap_bytes_per_request` is what reached the file; RocksDB counts bytes before compression.
    """

    name: str
    result: CellResult
    over_default: Interval
    tap_bytes_per_request: float | None
    logs_begun: float | None

    @property
    def begun_in(self) -> str:
        """The unit that its logs are counted in: a run of db_bench starts new logs, a slice does
        not.
        """
        is_run = any(row.get("operations") for row in self.result.rows)
        return "run" if is_run else "slice"

    @property
    def does_to_durability(self) -> str:
        return KNOBS[self.name].durability if self.name in KNOBS else _MODES.get(self.name, "")

    @property
    def label(self) -> str:
        return f"{self.name} (emulated)" if self.result.shows_model else self.name

    @property
    def is_default(self) -> bool:
        return self.name == DEFAULT

    @property
    def session_log_mib(self) -> float:
        """The most log that a session wrote: a longer limit of the log was never reached."""
        written: Counter[int] = Counter()
        for row in self.result.rows:
            written[row["session"]] += row.get("wal_bytes") or 0
        return max(written.values()) / (1 << 20)

    @property
    def verdict(self) -> str:
        """ "better", "worse", or empty if the two cannot be told apart."""
        if self.is_default or not self.result.writes_wal:
            return ""
        return {1: "better", -1: "worse"}.get(self.over_default.side(1) or 0, "")


def knobs(folder: Path) -> Report:
    """Report every setting of a sweep of knobs, the fastest first.

    Errors: UsageError if the rows are not from a sweep of knobs; else as `load`.
    """
    of = read([folder])
    settings = lines(of.rows)
    emulated = {setting.name for setting in settings if setting.result.shows_model}
    notes = [_OF_A_MODEL] * bool(emulated & _OF_FILE_STATE)
    failed = failures(of.rows, lambda row: name(Cell.of_row(row)))
    does = [f"{setting.name}: {setting.does_to_durability}" for setting in settings]
    own = [Lines(does, "What each does to durability"), Lines(notes)]
    return sweeps.of_series(
        "knobs", of, [_series(settings, failed)], legend=_LEGEND, proven=False, more=own,
        content={"failures": failed, "notes": notes},
    )  # fmt: skip


def _series(settings: Sequence[KnobLine], failed: Mapping[str, str]) -> Series[KnobLine]:
    """Return the series of settings, with figures named for the workload's unit and request.

    Figures leave `off` out: it has no log, and would set the scale of every axis.
    """
    first = settings[0].result
    title, request = words.group_title(first), first.unit.request
    rate, per = first.unit.name.replace("/", "_per_"), f"_per_{request}"
    begun_in = settings[0].begun_in

    def proved(name: str, heading: str) -> Column[KnobLine]:
        return Column(f"{name}{per}", heading, of=f"proof.{name}_per_request")

    return Series(
        axis="setting",
        subject=title,
        points=settings,
        columns=[
            Column("setting", "setting", "text", "name", lambda setting: setting.label),
            *plain("device durability threads"),
            Column("emulated", of="shows_model"),
            Column("rounds"),
            Column(
                rate, first.unit.name, of="rate", text=lambda o: cell_columns.throughput(o.result)
            ),
            Column(
                "over_default",
                "x [95 %]",
                "x",
                text=lambda setting: "-" if setting.is_default else times(setting.over_default),
            ),
            Column("verdict", "verdict", "text"),
            cell_columns.OVERHEAD,
            *(proved(*column) for column in (("cpu_us", "CPU us"), ("syncs", "syncs"))),
            proved("wal_bytes", "WAL bytes"),
            Column(f"tap_bytes{per}", "bytes in\nthe file", of="tap_bytes_per_request"),
            Column(f"logs_per_{begun_in}", f"logs\na {begun_in}", of="logs_begun"),
            Column("session_log_mib", "log MiB\na session"),
            proved("context_switches", "context\nswitches"),
            Column("does_to_durability"),
        ],
        views=[
            View(
                f"{title}\nsorted by throughput; x: over the default's",
                f"setting {rate} over_default overhead verdict",
            ),
            View(
                f"Per {request}",
                f"setting cpu_us{per} syncs{per} wal_bytes{per} tap_bytes{per} "
                f"context_switches{per} logs_per_{begun_in} session_log_mib",
            ),
        ],
        sentences=sentences(settings),
        left_out=[f"{words.FAILED} {knob}: {reason}" for knob, reason in failed.items()],
        at=lambda setting: setting.label,
        line=_line,
        plots=[
            Plot("throughput over the default's", "over_default", _logs, mark=1.0, aside=_aside),
            Plot("overhead against off, %", "overhead", _logs, aside=_aside),
            Plot(f"CPU us per {request}", f"cpu_us{per}", _logs),
            Plot(f"syncs per {request}", f"syncs{per}", _logs),
        ],
    )


def _logs(setting: KnobLine) -> bool:
    return setting.result.writes_wal


def _aside(setting: KnobLine) -> bool:
    return setting.result.durability != "sync"


def _line(setting: KnobLine) -> Line:
    colour = "#202020" if setting.is_default else ""
    return Line("", setting.result.device, marker=_MARKERS[setting.verdict], colour=colour)


def lines(rows: list[Row]) -> list[KnobLine]:
    """Return a line per setting, the fastest first; cells that failed have none.

    Errors: UsageError if the rows have no default, or several workloads, devices or numbers of
    threads.
    """
    grid = panel_of(rows)
    results = [result for result in every_cell(rows) if not result.failed]
    default = _default(results)
    settings = [
        KnobLine(
            name=name(result.at),
            result=result,
            over_default=ONE if result is default else grid.ratio(result.at, default.at),
            tap_bytes_per_request=grid.mean(result.at, _TAP_BYTES),
            logs_begun=grid.mean(result.at, _LOGS),
        )
        for result in results
    ]
    return sorted(
        settings, key=lambda setting: (-(setting.over_default.value or 0.0), setting.name)
    )


def name(cell: Cell) -> str:
    """Return the knob, or else the mode; the default is the mode that syncs."""
    return cell.knob or (DEFAULT if cell.durability == "sync" else cell.durability)


def _default(results: list[CellResult]) -> CellResult:
    places = {(result.workload, result.threads, result.size) for result in results}
    devices = {result.device for result in results if result.writes_wal}
    if len(places) > 1 or len(devices) > 1:
        raise UsageError(
            "sweep-knobs: found cells of several workloads, sizes, devices or numbers of threads; "
            "give one campaign of a sweep of knobs"
        )
    default = next(
        (result for result in results if name(result.at) == DEFAULT and not result.replica), None
    )
    if default is None:
        raise UsageError("sweep-knobs: found no cell of durability sync without a knob to compare")
    return default


def sentences(settings: Sequence[KnobLine]) -> list[str]:
    """Say what is resolvably better or worse than the default, and what cannot be told apart."""
    said = [
        _differs(setting)
        for way in ("better", "worse")
        for setting in settings
        if setting.verdict == way
    ]
    rest = [setting for setting in settings if setting.result.writes_wal and not setting.is_default]
    for side, what in (
        (0, "cannot be told apart from the default"),
        (None, "no interval, so that nothing is said of"),
    ):
        names = [setting.name for setting in rest if setting.over_default.side(1) == side]
        said += [f"{what}: {', '.join(names)}"] if names else []
    return said


def _differs(setting: KnobLine) -> str:
    bought = "; it does not sync, so that this is bought with durability"
    ratio = f"{times(setting.over_default)} times the throughput of the default"
    unsynced = setting.result.proof.syncs_per_request == 0
    return f"{setting.name} has {ratio}: resolvably {setting.verdict}{bought * unsynced}"
