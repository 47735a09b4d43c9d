"""Making a device of what files say: a row for each size, and a spread where files differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import median_low
from typing import Any

from pydantic import ValidationError

from ...base.errors import UsageError
from ...base.printable import one_line, shorten
from ...device_names import WITH_DATA
from ..catalog import names
from ..device import Device, Figure, Latencies, Spread, SyncRow
from ..quantiles import Pairs
from .formats import read
from .timed import Timed

ABOUT = "# Read by waltax devices import; docs/devices.md says what each key means.\n"
_FILES, _REST, _LARGE = "files", "rest", 256 << 10
_SOURCES = {
    _REST: "not told by the files: about what a write to a page cache and a sync take elsewhere"
}
# What no file tells: see the catalog, whose devices have these from measurements of one machine.
_TYPICAL = {
    "write_us": 2.5,
    "write_us_per_kib": 0.4,
    "cache_mib": 512,
    "bandwidth_mb_per_s": 1000,
}


def of_files(paths: Sequence[Path], name: str = "", device_class: str = "virtual") -> Device:
    """Return the device that the files, all of one drive, tell of.

    Errors: UsageError for a file that tells of no synced writes of a single job.
    """
    by_size: dict[int, list[Timed]] = defaultdict(list)
    for timed in chain.from_iterable(map(read, paths)):
        by_size[timed.bytes].append(timed)
    middle = [_middle(by_size[size]) for size in sorted(by_size)]
    stands_for = f"what {', '.join(path.name for path in paths)} tells of"
    said = "; ".join(dict.fromkeys(one.said for one in middle))
    try:
        return measured_device(
            name or _name(paths[0]),
            device_class,
            title=stands_for,
            stands_for=f"{stands_for} ({said})",
            notes="",
            sources={_FILES: one_line(f"{stands_for}: {said}")},
            model=_model(middle),
            spread=_spread([by_size[one.bytes] for one in middle], middle),
        )
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(f"{paths[0]}: no device can be made of it: {shorten(why, 200)}") from error


def measured_device(
    name: str, device_class: str, *, sources: dict[str, str], **more: Any
) -> Device:
    """Return the device of measurements; `more` are its other keys, whose texts may be foreign."""
    texts = {key: one_line(text) if isinstance(text, str) else text for key, text in more.items()}
    fixed = {"name": name, "class": device_class, "kind": "measured"}
    fixed |= {"power_loss_protection": "no" if device_class == "ram" else "unknown"}
    return Device.model_validate({**fixed, **texts, "sources": sources | _SOURCES})


def _name(path: Path) -> str:
    """Return a name for the file's device that is none of the catalog's."""
    stem = re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "imported"
    return f"{stem}-imported" if stem in (*names(), WITH_DATA) else stem


def _model(rows: Sequence[Timed]) -> Latencies:
    largest = rows[-1]
    told: dict[str, Figure] = {"sync_sleeps": _guess(len(largest.waited))}
    if largest.bytes >= _LARGE:
        rate = round(largest.bytes / max(largest.mean_us, 1e-3), 1)
        told["bandwidth_mb_per_s"] = Figure(value=rate, kind="measured", source=_FILES)
    return model(tuple(map(_row, rows)), **told)


def model(sync: tuple[SyncRow, ...], **known: Any) -> Latencies:
    """Return a model with these rows; figures that are not `known` are estimates."""
    shortest = min(us for row in sync for us in row.quantiles_us.values())
    guesses = {key: _guess(value) for key, value in _TYPICAL.items()}
    guesses["cpu_caller_us"] = _guess(min(12, shortest))
    guesses["cpu_kernel_us"] = _guess(min(5, shortest))
    guesses["dir_sync_us"] = _guess(2 * sync[0].quantiles_us["p50"])
    return Latencies(sync=sync, **(guesses | known))


def _guess(value: float) -> Figure:
    return Figure(value=round(value, 3), kind="estimate", source=_REST)


def _row(timed: Timed) -> SyncRow:
    pairs = timed.quantiles()
    if 50.0 not in dict(pairs):
        pairs = [*pairs, (50.0, timed.mean_us)]
    return row(timed.bytes, pairs, _FILES)


def row(size: int, pairs: Pairs, source: str) -> SyncRow:
    """Return the row of measured (percent, us) pairs; of a lone one the tail is not known."""
    return SyncRow(
        bytes=size,
        quantiles_us={f"p{percent:g}".replace(".", "_"): round(us, 3) for percent, us in pairs},
        kind="measured",
        tail_kind="measured" if len(pairs) > 1 else "estimate",
        source=source,
    )


def _middle(runs: Sequence[Timed]) -> Timed:
    """Return the run whose mean is the middle one; of two the faster."""
    mean = median_low(run.mean_us for run in runs)
    return next(run for run in runs if run.mean_us == mean)


def _spread(runs: Sequence[Sequence[Timed]], middle: Sequence[Timed]) -> Spread | None:
    """Return the fastest and the slowest run over the middle one, None if no size has several."""
    ratios = [
        round(run.mean_us / max(one.mean_us, 1e-3), 3)
        for same, one in zip(runs, middle, strict=True)
        if len(same) > 1
        for run in same
    ]
    return Spread(fastest=min(ratios), slowest=max(ratios), source=_FILES) if ratios else None
