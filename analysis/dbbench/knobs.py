"""Rows of a sweep of knobs to its lines: one per setting, beside the default and `off`."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ...row import Row
from .. import evidence, words
from ..evidence import CellEvidence
from ..overhead import CellEstimate, every_cell
from ..stats import Interval
from . import slots
from .measures import column, per_operation
from .points import direction, times
from .slots import Slots

DEFAULT = "default"
_THROUGHPUT = column("throughput")
_TAP_BYTES = per_operation("tap_write_bytes")
_LOGS = column("tap_opens")
_RECYCLED = "recycled-logs"
# A log is recycled when its memtable was flushed: the first ones of a run are always new.
_NEW_LOGS = 3


@dataclass(frozen=True)
class KnobLine:
    """One setting: what it costs against `off`, and its throughput over the default's.

    `tap_bytes_per_operation` reached the file; RocksDB counts its bytes before compression.
    """

    name: str
    durability: str  # what it does to durability, a sentence
    estimate: CellEstimate
    over_default: Interval
    proof: CellEvidence
    tap_bytes_per_operation: float | None
    logs_per_run: float | None

    @property
    def is_default(self) -> bool:
        return self.name == DEFAULT

    @property
    def cpu_us_per_operation(self) -> float | None:
        return self.proof.cpu_us_per_request

    @property
    def verdict(self) -> str:
        """better, worse, or empty where the two cannot be told apart."""
        if self.is_default or not self.estimate.writes_wal:
            return ""
        return {1: "better", -1: "worse"}.get(direction(self.over_default) or 0, "")


def lines(rows: list[Row], durabilities: dict[str, str]) -> list[KnobLine]:
    """The fastest first; cells that failed have none.

    `durabilities` says what each knob, or mode, does to durability. Errors: UsageError when the
    rows have no default, or are of several workloads, devices or numbers of threads.
    """
    grid = slots.of_rows(rows)
    estimates = {one.cell: one for one in every_cell(rows) if one.cell in grid.cells}
    default = _default(list(estimates.values()))
    found = [
        KnobLine(
            name=name(one),
            durability=durabilities.get(name(one), ""),
            estimate=one,
            over_default=_over(grid, cell, default.cell),
            proof=evidence.of_cell(rows, cell),
            tap_bytes_per_operation=grid.mean(cell, _TAP_BYTES),
            logs_per_run=grid.mean(cell, _LOGS),
        )
        for cell, one in estimates.items()
    ]
    return sorted(found, key=lambda one: (-(one.over_default.value or 0.0), one.name))


def name(one: CellEstimate) -> str:
    """The knob, or the mode of what has none; the default is the mode that syncs."""
    if one.knob:
        return one.knob
    return DEFAULT if one.durability == "sync" else one.durability


def _default(estimates: list[CellEstimate]) -> CellEstimate:
    places = {(one.workload, one.threads, one.size) for one in estimates}
    devices = {one.device for one in estimates if one.writes_wal}
    if len(places) > 1 or len(devices) > 1:
        raise UsageError(
            "sweep-knobs: found cells of several workloads, sizes, devices or numbers of threads; "
            "give one campaign of a sweep of knobs"
        )
    found = [one for one in estimates if name(one) == DEFAULT and not one.replica]
    if not found:
        raise UsageError("sweep-knobs: found no cell of durability sync without a knob to compare")
    return found[0]


def _over(grid: Slots, cell: str, default: str) -> Interval:
    if cell == default:
        return Interval(1.0, 1.0, 1.0)
    return grid.ratio(cell, default, _THROUGHPUT)


def failures(rows: list[Row]) -> dict[str, str]:
    """Why, by the name of the line that is missing for it."""
    found = {}
    for one in rows:
        if one["status"] == "failed":
            label = one.get("knob") or (
                DEFAULT if one["durability"] == "sync" else one["durability"]
            )
            found[label] = str(one["failure"])
    return found


def sentences(found: list[KnobLine]) -> list[str]:
    """What is resolvably better or worse than the default, and what is not told apart from it."""
    said = []
    for verdict in ("better", "worse"):
        said += [_difference(one) for one in found if one.verdict == verdict]
    rest = [one for one in found if one.estimate.writes_wal and not one.is_default]
    alike = [one.name for one in rest if direction(one.over_default) == 0]
    if alike:
        said.append(f"cannot be told apart from the default: {', '.join(alike)}")
    unknown = [one.name for one in rest if direction(one.over_default) is None]
    if unknown:
        said.append(f"no interval, so that nothing is said of: {', '.join(unknown)}")
    return said


def _difference(one: KnobLine) -> str:
    text = (
        f"{one.name} has {times(one.over_default)} times the throughput of the default: resolvably "
        f"{one.verdict}; the log costs {words.overhead(one.estimate)} of off"
    )
    if one.proof.syncs_per_request == 0:
        text += "; it does not sync, so that this is bought with durability"
    return text


def compressed(found: list[KnobLine]) -> list[str]:
    """Which settings brought fewer bytes to the file than the default, by the tap."""
    default = next((one.tap_bytes_per_operation for one in found if one.is_default), None)
    if not default:
        return []
    return [
        f"{one.name}: {words.number(one.tap_bytes_per_operation)} bytes an operation reached the "
        f"file, {words.number(default)} of the default's; RocksDB counted "
        f"{words.number(one.proof.wal_bytes_per_request)}, which is before compression"
        for one in found
        if one.tap_bytes_per_operation is not None
        and one.estimate.writes_wal
        and one.tap_bytes_per_operation < 0.95 * default
        and one.proof.wal_bytes_per_request
        and one.tap_bytes_per_operation < 0.95 * one.proof.wal_bytes_per_request
    ]


def recycled(found: list[KnobLine]) -> list[str]:
    """How often there was a log to recycle: the knob acts on no other."""
    one = next((line for line in found if line.name == _RECYCLED), None)
    if one is None or one.logs_per_run is None:
        return []
    said = f"{_RECYCLED}: {words.number(one.logs_per_run)} logs were begun a run"
    few = one.logs_per_run < 2 * _NEW_LOGS
    return [said + "; the first are new, so that little was written over old blocks" * few]
