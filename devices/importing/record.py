"""Making a device of what files say: a row for each size, and a spread where files differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import median_low

from pydantic import ValidationError

from ...base.errors import UsageError
from ...base.printable import one_line, shorten
from ...cell import WITH_DATA
from ..catalog import names
from ..device import Device, Figure, Latencies, SyncRow
from ..observations import Spread
from ..probe.record import key_of
from .formats import WANTED, read
from .timed import Timed

ABOUT = "# Read by waltax devices import; docs/devices.md says what each key means.\n"
_FILES, _REST, _LARGE = "files", "rest", 256 << 10
_USUAL = "not told by the files: about what a write to a page cache and a sync take elsewhere"
# What no file tells: see the catalog, whose devices have these from measurements of one machine.
_WRITE_US, _WRITE_US_PER_KIB, _CACHE_MIB, _CALLER_US, _KERNEL_US, _MB_PER_S = (
    2.5,
    0.4,
    512,
    12,
    5,
    1000,
)


def of_files(paths: Sequence[Path], name: str = "", device_class: str = "virtual") -> Device:
    """Return the device that the files, all of one drive, tell of.

    Errors: UsageError for a file that tells of no synced writes of a single job.
    """
    found = [(path, timed) for path in paths for timed in read(path)]
    by_size: dict[int, list[Timed]] = defaultdict(list)
    for _, timed in found:
        if timed.jobs == 1:
            by_size[timed.bytes].append(timed)
    if not by_size:
        path, timed = found[0]
        raise UsageError(
            f"{path}: found {timed.jobs} jobs at once, whose syncs wait for each other; give a run "
            "of one job as well, of the same drive:",
            f"  {WANTED}",
        )
    middle = [_middle(by_size[size]) for size in sorted(by_size)]
    try:
        return device(
            name or _name(paths[0]),
            middle,
            stands_for=f"what {', '.join(path.name for path in paths)} tells of",
            device_class=device_class,
            spread=_spread([by_size[one.bytes] for one in middle], middle),
            notes=" ".join(_of_jobs(found)),
        )
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(f"{paths[0]}: no device can be made of it: {shorten(why, 200)}") from error


def _name(path: Path) -> str:
    """Return a name for the file's device that is none of the catalog's."""
    stem = re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "imported"
    return f"{stem}-imported" if stem in (*names(), WITH_DATA) else stem


def device(
    name: str,
    rows: Sequence[Timed],
    *,
    stands_for: str,
    device_class: str,
    spread: tuple[float, float] | None = None,
    notes: str = "",
    power_loss_protection: str = "unknown",
) -> Device:
    """Return the device with those rows; `spread` is of its fastest and slowest state."""
    said = "; ".join(dict.fromkeys(one.said for one in rows))
    told = Spread(fastest=spread[0], slowest=spread[1], source=_FILES) if spread else None
    return Device.model_validate(
        {
            "name": name,
            "title": one_line(stands_for),
            "stands_for": one_line(f"{stands_for} ({said})"),
            "class": device_class,
            "kind": "measured",
            "power_loss_protection": power_loss_protection,
            "notes": one_line(notes),
            "sources": {_FILES: one_line(f"{stands_for}: {said}"), _REST: _USUAL},
            "model": _model(rows),
            "spread": told,
        }
    )


def _model(rows: Sequence[Timed]) -> Latencies:
    sync = tuple(map(_row, rows))
    shortest = min(us for row in sync for us in row.quantiles_us.values())
    largest = rows[-1]
    rate = largest.bytes / max(largest.mean_us, 1e-3) if largest.bytes >= _LARGE else None
    return Latencies(
        sync=sync,
        write_us=_guess(_WRITE_US),
        write_us_per_kib=_guess(_WRITE_US_PER_KIB),
        bandwidth_mb_per_s=Figure(value=round(rate, 1), kind="measured", source=_FILES)
        if rate
        else _guess(_MB_PER_S),
        cache_mib=_guess(_CACHE_MIB),
        cpu_caller_us=_guess(min(_CALLER_US, shortest)),
        cpu_kernel_us=_guess(min(_KERNEL_US, shortest)),
        dir_sync_us=_guess(2 * sync[0].quantiles_us["p50"]),
        sync_sleeps=_guess(len(largest.waited)),
    )


def _guess(value: float) -> Figure:
    return Figure(value=round(value, 3), kind="estimate", source=_REST)


def _row(timed: Timed) -> SyncRow:
    pairs = timed.quantiles()
    quantiles = {key_of(percent): round(us, 3) for percent, us in pairs}
    if "p50" not in quantiles:
        quantiles["p50"] = round(timed.mean_us, 3)
    return SyncRow(
        bytes=timed.bytes,
        quantiles_us=quantiles,
        kind="measured",
        tail_kind="measured" if len(pairs) > 1 else "estimate",
        source=_FILES,
    )


def _middle(runs: Sequence[Timed]) -> Timed:
    """Return the run whose mean is the middle one; of two the faster."""
    mean = median_low(run.mean_us for run in runs)
    return next(run for run in runs if run.mean_us == mean)


def _spread(runs: Sequence[Sequence[Timed]], middle: Sequence[Timed]) -> tuple[float, float] | None:
    """Return the fastest and the slowest run over the middle one, None if no size has several."""
    ratios = [
        run.mean_us / max(one.mean_us, 1e-3)
        for same, one in zip(runs, middle, strict=True)
        if len(same) > 1
        for run in same
    ]
    return (round(min(ratios), 3), round(max(ratios), 3)) if ratios else None


def _of_jobs(found: Sequence[tuple[Path, Timed]]) -> list[str]:
    """Say of each run of several jobs what they waited; the model's one queue may say otherwise."""
    return [
        f"{timed.jobs} jobs at once, of {timed.bytes} B: a commit took {timed.mean_us:.0f} us; a "
        "replay has one queue, in which each waits for all others."
        for _, timed in found
        if timed.jobs > 1
    ]
