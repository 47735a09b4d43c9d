"""The report of recoveries: seconds until an engine serves again, by the log that it replays."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from ... import engines
from ...engines.knobs import KNOBS
from ..json_lines import NUMBER, read
from ..numerals import measured
from ..report import Lines, Report, Table, Verdict
from ..series import Column, table
from ..stats import Interval

KEPT = "recovery.jsonl"
Opening = Mapping[str, Any]
_MIB, _GIB = 1 << 20, 1 << 30
_NUMBERS = "asked_bytes kill log_bytes log_files open_s recovery_s read_bytes"
_WANTED = dict.fromkeys(_NUMBERS.split(), NUMBER)


def recovery(folder: Path) -> Report:
    """Report the recoveries of a folder.

    Errors: UsageError if the folder has no openings, or a line is not one.
    """
    rows = sorted(read(folder / KEPT, _WANTED, "receipts recovery"), key=_length)
    whole = _trend(rows)
    per_gib = None if whole is None else {**asdict(whole.slope), "fixed_s": whole.at_zero}
    return Report(
        name="recovery",
        parts=[Verdict(_sentence(rows, whole)), _table(rows), Lines(_notes(rows, whole))],
        content={"schema": 1, "openings": rows, "seconds_per_gib": per_gib},
        lines=rows,
        folder=folder,
    )


def _kill(opening: Opening) -> tuple[int, int]:
    return int(opening["asked_bytes"]), int(opening["kill"])


def _length(opening: Opening) -> int:
    return int(opening["asked_bytes"])


def _sentence(rows: Sequence[Opening], whole: Trend | None) -> str:
    last = [row for row in rows if _length(row) == _length(rows[-1])]
    longest, wait = _median(last, "log_bytes"), _median(last, "open_s")
    name = engines.of(str(rows[0].get("engine", ""))).title
    head = f"with {longest / _MIB:,.0f} MiB of log it serves again after {wait:.2f} s"
    if whole is None:
        return f"{name}: {head}; one length of log tells no more."
    return f"{name}: recovery takes {measured(whole.slope)} s for each GiB of log; {head}."


def _table(rows: Sequence[Opening]) -> Table:
    """Return a table with a row for each length of log."""
    columns: list[Column[Sequence[Opening]]] = [
        Column("log_bytes", "log, MiB", text=lambda of: f"{_median(of, 'log_bytes') / _MIB:,.1f}"),
        Column(
            "log_files", "files", "whole", lambda of: max(opening["log_files"] for opening in of)
        ),
        Column("kill", "kills", "whole", lambda of: len(set(map(_kill, of)))),
        Column("opening", "openings", "whole", len),
        Column("recovery_s", "recovery s", text=lambda of: _spread(of, "recovery_s")),
        Column("open_s", "serves after s", text=lambda of: _spread(of, "open_s")),
        Column("read_mib", "read, MiB", "whole", lambda of: _median(of, "read_bytes") / _MIB),
    ]
    # Whether each opening had to read its log from the disk.
    warm = sum(row["read_bytes"] < row["log_bytes"] for row in rows)
    cache = f"NOT COLD: {warm} of {len(rows)} openings read less than their log from a disk"
    title = f"Opened again, {cache if warm else 'files out of the page cache'}"
    return table(title, [list(group) for _, group in groupby(rows, _length)], columns)


def _median(of: Sequence[Opening], name: str) -> float:
    return float(statistics.median(opening[name] for opening in of))


def _spread(of: Sequence[Opening], name: str) -> str:
    values = [opening[name] for opening in of]
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def _notes(rows: Sequence[Opening], whole: Trend | None) -> list[str]:
    lines = ["docs/receipts.md says what is measured, and how the slope is"]
    if whole is not None and not whole.slope.is_known:
        lines += ["the slope has no interval: a length with one kill does not say how kills differ"]
    if rows[0].get("engine") == engines.EMBEDDED:
        limits = ",".join(name for name, knob in KNOBS.items() if knob.log_mib)
        knobs = f"waltax sweep knobs --workload tpcc --device nvme --knobs {limits}"
        lines.append(f"what a limit of the log costs in throughput: {knobs}")
    return lines


class Trend(NamedTuple):
    """Seconds per GiB of log with the 95 % interval, and the seconds `at_zero`."""

    slope: Interval
    at_zero: float


def _trend(rows: Sequence[Opening]) -> Trend | None:
    """Fit Theil and Sen's line over the kills; None if all are of one length.

    The slope is the median of those between kills of different lengths, which a few disturbed ones
    cannot move far. Openings after one kill do not show how kills differ, so that each kill counts
    once, and a length with a single kill leaves the slope without an interval.
    """
    from scipy.stats import theilslopes  # takes a second to import

    kills = [list(of) for _, of in groupby(sorted(rows, key=_kill), _kill)]
    lengths = [_length(of[0]) for of in kills]
    gib = [
        _median([row for row in rows if _length(row) == length], "log_bytes") / _GIB
        for length in lengths
    ]
    if len({*gib}) < 2:
        return None
    fit = theilslopes([_median(of, "recovery_s") for of in kills], gib, method="joint")
    known = min(map(lengths.count, lengths)) > 1
    ends = (float(fit.low_slope), float(fit.high_slope)) if known else (None, None)
    return Trend(Interval(float(fit.slope), *ends), float(fit.intercept))
