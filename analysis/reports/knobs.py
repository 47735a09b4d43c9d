"""The report of a sweep of knobs: every setting against the default and against no log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...base.errors import UsageError
from ...cell import Cell
from ...engines.knobs import KNOBS
from ...row import Row
from ..gate.difference import Compared, turns
from ..numerals import times
from ..report import Lines, Report
from ..results import CellResult, every_cell, panel_of, read, words
from ..results.source import failures
from ..series import Column, Line, Plot, Series, View, plain
from . import cell_columns, sweeps

DEFAULT = "default"
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


def knobs(folder: Path) -> Report:
    """Report every setting of a sweep of knobs, the fastest first.

    Errors: UsageError if the rows are not from a sweep of knobs; else as `load`.
    """
    of = read([folder])
    compared = settings(of.rows)
    emulated = {name(setting) for setting in compared if setting.result.shows_model}
    notes = [_OF_A_MODEL] * bool(emulated & _OF_FILE_STATE)
    failed = failures(of.rows, lambda row: _name(Cell.of_row(row)))
    does = [f"{name(setting)}: {_durability(setting)}" for setting in compared]
    own = [Lines(does, "What each does to durability"), Lines(notes)]
    return sweeps.of_series(
        "knobs", of, [_series(compared, failed)], legend=_LEGEND, proven=False, more=own,
        content={"failures": failed, "notes": notes},
    )  # fmt: skip


def _series(settings: Sequence[Compared], failed: Mapping[str, str]) -> Series[Compared]:
    """Return the series of settings, with figures named for the workload's unit and request.

    Figures leave `off` out: it has no log, and would set the scale of every axis.
    """
    first = settings[0].result
    title, request = words.group_title(first), first.unit.request
    rate, per = first.unit.name.replace("/", "_per_"), f"_per_{request}"

    def proved(name: str, heading: str) -> Column[Compared]:
        return Column(f"{name}{per}", heading, of=f"facts.{name}_per_request")

    return Series(
        axis="setting",
        subject=title,
        points=settings,
        columns=[
            Column("setting", "setting", "text", name, _label),
            *plain("device durability threads"),
            Column("emulated", of="shows_model"),
            Column("rounds", of="result.rounds"),
            Column(
                rate, first.unit.name, of="result.rate",
                text=lambda setting: cell_columns.throughput(setting.result),
            ),
            Column(
                "over_default", "x [95 %]", "x", "ratio",
                lambda setting: "-" if name(setting) == DEFAULT else times(setting.ratio),
            ),
            Column("verdict", "verdict", "text", verdict),
            cell_columns.OVERHEAD,
            *(proved(*column) for column in (("cpu_us", "CPU us"), ("syncs", "syncs"))),
            proved("wal_bytes", "WAL bytes"),
            cell_columns.over(
                f"tap_bytes{per}", "bytes in\nthe file", "tap_write_bytes", "slice_requests"
            ),
            Column("logs_per_slice", "logs\na slice", of=logs_begun),
            Column("session_log_mib", "log MiB\na session", of=session_log_mib),
            proved("context_switches", "context\nswitches"),
            Column("does_to_durability", of=_durability),
        ],
        views=[
            View(
                f"{title}\nsorted by throughput; x: over the default's",
                f"setting {rate} over_default overhead verdict",
            ),
            View(
                f"Per {request}",
                f"setting cpu_us{per} syncs{per} wal_bytes{per} tap_bytes{per} "
                f"context_switches{per} logs_per_slice session_log_mib",
            ),
        ],
        sentences=sentences(settings),
        left_out=[f"{words.FAILED} {knob}: {reason}" for knob, reason in failed.items()],
        at=_label,
        line=_line,
        plots=[
            Plot("throughput over the default's", "over_default", _logs, mark=1.0, aside=_aside),
            Plot("overhead against off, %", "overhead", _logs, aside=_aside),
            Plot(f"CPU us per {request}", f"cpu_us{per}", _logs),
            Plot(f"syncs per {request}", f"syncs{per}", _logs),
        ],
    )  # fmt: skip


def settings(rows: list[Row]) -> list[Compared]:
    """Compare each setting with the default, the fastest first; cells that failed are left out.

    Errors: UsageError if the rows have no default, or several workloads, devices or numbers of
    threads.
    """
    grid = panel_of(rows)
    results = [result for result in every_cell(rows) if not result.failed]
    default = _default(results)
    return sorted(
        (turns(grid, default, result) for result in results),
        key=lambda setting: (-(setting.ratio.value or 0.0), name(setting)),
    )


def name(setting: Compared) -> str:
    """Return the knob, or else the mode; the default is the mode that syncs."""
    return _name(setting.result.at)


def _name(cell: Cell) -> str:
    return cell.knob or (DEFAULT if cell.durability == "sync" else cell.durability)


def _label(setting: Compared) -> str:
    return f"{name(setting)} (emulated)" if setting.result.shows_model else name(setting)


def _durability(setting: Compared) -> str:
    knob = name(setting)
    return KNOBS[knob].durability if knob in KNOBS else _MODES.get(knob, "")


def verdict(setting: Compared) -> str:
    """Return "better", "worse", or empty if the two cannot be told apart."""
    if name(setting) == DEFAULT or not setting.result.writes_wal:
        return ""
    return {1: "better", -1: "worse"}.get(setting.ratio.side(1) or 0, "")


def logs_begun(setting: Compared) -> float | None:
    """Return how many logs a slice began, on average."""
    begun = setting.result.sums.total("tap_opens")
    return None if begun is None else begun / len(setting.result.sums.slices)


def session_log_mib(setting: Compared) -> float:
    """Return the most log that a session wrote: a longer limit of the log was never reached."""
    written: Counter[int] = Counter()
    for row in setting.result.rows:
        written[row["session"]] += row.get("wal_bytes") or 0
    return max(written.values()) / (1 << 20)


def _logs(setting: Compared) -> bool:
    return setting.result.writes_wal


def _aside(setting: Compared) -> bool:
    return setting.result.durability != "sync"


def _line(setting: Compared) -> Line:
    colour = "#202020" if name(setting) == DEFAULT else ""
    return Line("", setting.result.device, marker=_MARKERS[verdict(setting)], colour=colour)


def _default(results: list[CellResult]) -> CellResult:
    places = {(result.workload, result.threads) for result in results}
    devices = {result.device for result in results if result.writes_wal}
    if len(places) > 1 or len(devices) > 1:
        raise UsageError(
            "sweep-knobs: found cells of several workloads, devices or numbers of threads; "
            "give one campaign of a sweep of knobs"
        )
    default = next(
        (result for result in results if _name(result.at) == DEFAULT and not result.replica), None
    )
    if default is None:
        raise UsageError("sweep-knobs: found no cell of durability sync without a knob to compare")
    return default


def sentences(settings: Sequence[Compared]) -> list[str]:
    """Say what is resolvably better or worse than the default, and what cannot be told apart."""
    rest = [setting for setting in settings if _logs(setting) and name(setting) != DEFAULT]
    said = [_differs(each) for way in ("better", "worse") for each in rest if verdict(each) == way]
    for side, what in (
        (0, "cannot be told apart from the default"),
        (None, "no interval, so that nothing is said of"),
    ):
        names = [name(setting) for setting in rest if setting.ratio.side(1) == side]
        said += [f"{what}: {', '.join(names)}"] if names else []
    return said


def _differs(setting: Compared) -> str:
    bought = "; it does not sync, so that this is bought with durability"
    ratio = f"{times(setting.ratio)} times the throughput of the default"
    unsynced = setting.result.facts["syncs_per_request"] == 0
    return f"{name(setting)} has {ratio}: resolvably {verdict(setting)}{bought * unsynced}"
