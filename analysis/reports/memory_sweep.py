"""The report of a study of data over memory: what the log costs when reads miss, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..figures import memory as figures
from ..report import Column, Lines, Part, Report, Table, numbers
from ..results import read, words
from ..sweep.memory import MemoryPoint, MemorySweep, memory_sweeps
from ..sweep.memory_beside import beside
from . import cells, sweeps

_MIB, _KIB = 1 << 20, 1 << 10
_HOW_TO_READ = (
    "data: its files when a clone was opened, over the bound; read: from devices for the cell's "
    "programs; hits: of RocksDB's own cache, of whose misses the page cache has a part",
    "added: to the time that a client has for an operation, since the least data with the same "
    "device and clients; CPU, run queue, reads and syncs are measured each by a witness of its "
    "own, summed over all threads, so that work in the background counts too and the remainder "
    "can be negative",
    "PSI: share of the time in which some program of the cell waited, and all did; iowait: share "
    "of the machine's cores that were idle while a request was under way, which hides waits "
    "while others use the CPU",
    "reads of the disk are counted below all programs: those of others are among them",
)


def memory(campaigns: Sequence[Path]) -> Report:
    """All ratios of these campaigns together; its files belong to the first of them.

    Errors: UsageError when no campaign had its memory bounded; else as `load`.
    """
    of = read(campaigns)
    every = memory_sweeps(of.rows)
    if not every:
        raise UsageError(
            f"{campaigns[0]}: found no cell whose memory was bounded: see `waltax study-memory`"
        )
    content = [_content(one) for one in every]
    return Report(
        name="memory",
        parts=[part for one in every for part in _parts(one)],
        content=cells.content(of.origin, sweeps=content),
        lines=[line for one in content for line in map(_line, one["points"])],
        figures={"memory": lambda: figures.draw(every, of.origin)},
        warnings=of.warnings,
        folder=campaigns[0] if campaigns[0].is_dir() else None,
        source=of,
    )


def _parts(sweep: MemorySweep) -> list[Part]:
    results = [point.result for point in sweep.points]
    return [
        Lines([*sweep.sentences, _held(sweep.points)], sweep.subject),
        _costs(sweep),
        *_times(sweep),
        _stalls(sweep),
        *_beside(sweep),
        Lines(_HOW_TO_READ, "How to read it"),
        sweeps.notes(sweep.left_out, results),
        sweeps.evidence(results),
    ]


def _held(points: Sequence[MemoryPoint]) -> str:
    bounds = {one.result.rows[0].get("memory_bound_bytes") or 0 for one in points}
    mib = " and ".join(f"{bound / _MIB:,.0f} MiB" for bound in sorted(bounds))
    means = " and ".join(sorted({one.held_by for one in points}))
    most = max((one.used or 0.0 for one in points), default=0.0)
    return f"{mib} of memory each, held by {means}; at most {100 * most:.1f} % of it was used"


def _costs(sweep: MemorySweep) -> Table:
    columns = numbers(
        "clients", "ratio", "data", sweep.first.throughput_unit, "overhead % [95 %]", "p99 us",
        "read KiB\nan op", "cache\nhits %",
    )  # fmt: skip
    rows = [
        (
            *_name(point),
            words.number(point.found_ratio),
            words.number(point.result.throughput),
            cells.overhead(point.result),
            words.number(point.p99_us),
            words.number(None if point.read_bytes is None else point.read_bytes / _KIB),
            words.percent(point.cache_hits),
        )
        for point in sweep.points
    ]
    return Table("Throughput, tails and reads over data / memory", [cells.DEVICE, *columns], rows)


def _times(sweep: MemorySweep) -> list[Table]:
    """None of one size of the data, to which nothing was added."""
    columns = numbers(
        "clients", "ratio", "us an op", "added", "CPU", "run\nqueue", "disk\nreads", "log\nsyncs",
        "re-\nmainder", "PSI io\n%",
    )  # fmt: skip
    rows = []
    for points in sweep.series.values():
        for point in points[1:]:
            added = point.waits.minus(points[0].waits)
            times = (point.waits.client_us, added.client_us, *added.known.values())
            shown = [words.number(one) for one in (*times, added.remainder_us)]
            stalled = words.percent(point.pressure("io_some"))
            rows.append((*_name(point), *shown, stalled))
    title = "Where the time goes that is added to an operation with more data, us"
    return [Table(title, [cells.DEVICE, *columns], rows)] if rows else []


def _stalls(sweep: MemorySweep) -> Table:
    columns = numbers(
        "clients", "ratio", "PSI io\nsome", "PSI io\nfull", "PSI CPU\nsome", "PSI memory\nsome",
        "machine's\niowait", "disk reads\nus an op",
    )  # fmt: skip
    rows = [
        (
            *_name(point),
            *(words.percent(share) for share in point.pressures.values()),
            words.percent(point.iowait),
            words.number(point.waits.read_us),
        )
        for point in sweep.points
    ]
    title = "What the cell's own programs waited for, % of the time"
    return Table(title, [cells.DEVICE, *columns], rows)


def _beside(sweep: MemorySweep) -> list[Table]:
    """The published study's values beside ours; of another workload none."""
    columns = [
        *(Column(header, is_text=True) for header in ("data", "clients", "theirs")),
        *numbers("ours"),
        *(Column(header, is_text=True) for header in ("here", "remark")),
    ]
    rows = [
        (
            one.theirs.what.replace("_", " "),
            one.data,
            "4, 1" if one.theirs.threads is None else str(one.theirs.threads),
            one.theirs.words,
            f"{words.number(one.ours)} {one.theirs.unit}",
            one.verdict,
            one.theirs.remark,
        )
        for one in beside(sweep)
        if one.ours is not None
    ]
    title = "Beside the published study (MyRocks, 4 GB, a cloud volume), logs synced"
    return [Table(title, [Column("value"), *columns], rows)] if rows else []


def _name(point: MemoryPoint) -> tuple[str, str, str]:
    return point.result.device, str(point.result.threads), f"{point.ratio:g}"


def _content(sweep: MemorySweep) -> dict[str, Any]:
    """A study for programs. Fractions, not percent; units are in the names."""
    return {
        "subject": sweep.subject,
        "sentences": sweep.sentences,
        "left_out": list(sweep.left_out),
        "published": [
            {"data": one.data, "ours": one.ours, "verdict": one.verdict, **asdict(one.theirs)}
            for one in beside(sweep)
        ],
        "points": [
            _point(point, points[0]) for points in sweep.series.values() for point in points
        ],
    }


def _point(point: MemoryPoint, least: MemoryPoint) -> dict[str, Any]:
    one, added = point.result, point.waits.minus(least.waits)
    return {
        **{"engine": one.engine, "workload": one.workload, "device": one.device},
        **{"threads": one.threads, "cell": one.cell},
        "ratio": point.ratio,
        "data_over_memory": point.found_ratio,
        "memory_bound": point.held_by,
        "memory_used_share_max": point.used,
        "throughput": one.throughput,
        "throughput_unit": one.throughput_unit,
        "overhead": asdict(point.overhead),
        "latency_us_p99": point.p99_us,
        "read_bytes_per_op": point.read_bytes,
        "block_cache_hit_share": point.cache_hits,
        "client_us_per_op": point.waits.client_us,
        **{f"{name[:-3]}_us_per_op": value for name, value in point.waits.known.items()},
        "added_us_per_op": added.client_us,
        **{f"added_{name[:-3]}_us_per_op": value for name, value in added.known.items()},
        "added_remainder_us_per_op": added.remainder_us,
        **{f"psi_{name}_share": value for name, value in point.pressures.items()},
        "iowait_share": point.iowait,
    }


def _line(point: Mapping[str, Any]) -> dict[str, Any]:
    line: dict[str, Any] = {}
    for name, value in point.items():
        line |= sweeps.spelled(name, value) if name == "overhead" else {name: value}
    return line
