"""The reports of recoveries: seconds until an engine serves again, and what each mode opens."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from ... import engines
from ..json_lines import NUMBER, Kind, read
from ..numerals import measured
from ..report import Lines, Report, Verdict
from ..series import Column, table
from ..stats import Interval

KEPT, MODES_KEPT = "recovery.jsonl", "recovery-modes.jsonl"
Opening = Mapping[str, Any]
_MIB, _GIB = 1 << 20, 1 << 30
_NUMBERS = "asked_bytes kill log_bytes log_files open_s read_bytes"
_WANTED = dict.fromkeys(_NUMBERS.split(), NUMBER)
_length, _kill = itemgetter("asked_bytes"), itemgetter("kill")


def recovery(folder: Path) -> Report:
    """Report the recoveries of a folder.

    Errors: UsageError if the folder has no openings, or a line is not one.
    """
    rows = sorted(read(folder / KEPT, _WANTED, "receipts recovery"), key=_length)
    lengths = [list(of) for _, of in groupby(rows, _length)]
    slope, at_zero = _trend(lengths)
    longest, wait = _median(lengths[-1], "log_bytes"), _median(lengths[-1], "open_s")
    name = engines.of(str(rows[0].get("engine", ""))).title
    head = f"with {longest / _MIB:,.0f} MiB of log it serves again after {wait:.2f} s"
    said = f"{name}: recovery takes {measured(slope)} s for each GiB of log; {head}."
    if slope.value is None:
        said = f"{name}: {head}; one length of log tells no more."
    notes = ["docs/receipts.md says what is measured, and how the slope is"]
    if slope.value is not None and not slope.is_known:
        notes += ["the slope has no interval: a length with one kill does not say how kills differ"]
    # Whether each opening had to read its log from the disk.
    warm = sum(row["read_bytes"] < row["log_bytes"] for row in rows)
    cache = f"NOT COLD: {warm} of {len(rows)} openings read less than their log from a disk"
    title = f"Opened again, {cache if warm else 'files out of the page cache'}"
    per_gib = None if slope.value is None else {**asdict(slope), "fixed_s": at_zero}
    return Report(
        name="recovery",
        parts=[Verdict(said), table(title, lengths, _COLUMNS), Lines(notes)],
        content={"schema": 1, "openings": rows, "seconds_per_gib": per_gib},
        lines=rows,
        folder=folder,
    )


def _median(of: Sequence[Opening], name: str) -> float:
    return float(statistics.median(opening[name] for opening in of))


def _spread(of: Sequence[Opening]) -> str:
    values = [opening["open_s"] for opening in of]
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


_COLUMNS: tuple[Column[Sequence[Opening]], ...] = (
    Column("log_bytes", "log, MiB", text=lambda of: f"{_median(of, 'log_bytes') / _MIB:,.1f}"),
    Column("log_files", "files", "whole", lambda of: max(opening["log_files"] for opening in of)),
    Column("kill", "kills", "whole", lambda of: len(set(map(_kill, of)))),
    Column("opening", "openings", "whole", len),
    Column("open_s", "serves after s", text=_spread),
    Column("read_mib", "read, MiB", "whole", lambda of: _median(of, "read_bytes") / _MIB),
)


def _trend(lengths: Sequence[Sequence[Opening]]) -> tuple[Interval, float]:
    """Fit Theil and Sen's line: seconds per GiB of log with the 95 % interval, and seconds at 0.

    The slope is the median of those between kills of different lengths, which a few disturbed ones
    cannot move far; there is none if all are of one length. Openings after one kill do not show how
    kills differ, so that each kill counts once, and a length with a single kill leaves the slope
    without an interval.
    """
    from scipy.stats import theilslopes  # takes a second to import

    kills = [[list(of) for _, of in groupby(sorted(mine, key=_kill), _kill)] for mine in lengths]
    gib = [_median(mine, "log_bytes") / _GIB for mine in lengths]
    if len({*gib}) < 2:
        return Interval(None, None, None), 0.0
    opened = [_median(of, "open_s") for each in kills for of in each]
    logs = [size for size, each in zip(gib, kills, strict=True) for _ in each]
    fit = theilslopes(opened, logs, method="joint")
    known = min(map(len, kills)) > 1
    ends = (float(fit.low_slope), float(fit.high_slope)) if known else (None, None)
    return Interval(float(fit.slope), *ends), float(fit.intercept)


_OF_MODES: Mapping[str, Kind] = {
    **dict.fromkeys(("engine", "durability", "damage", "mode"), str),
    **dict.fromkeys(("opens", "consistent"), bool),
    **dict.fromkeys(("acknowledged", "lost"), NUMBER),
}
# With the values of MyRocks' rocksdb_wal_recovery_mode.
_SHORT = {
    "kTolerateCorruptedTailRecords": "tolerate (0)",
    "kAbsoluteConsistency": "absolute (1)",
    "kPointInTimeRecovery": "point in time (2)",
    "kSkipAnyCorruptedRecords": "skip (3)",
}
_log = itemgetter("durability", "damage")


def recovery_modes(folder: Path) -> Report:
    """Report which damaged logs each recovery mode opens, and what it loses.

    Errors: UsageError if the folder has no openings, or a line is not one.
    """
    rows = read(folder / MODES_KEPT, _OF_MODES, "receipts --recovery-modes")
    modes: dict[str, list[Opening]] = {}
    for row in rows:
        modes.setdefault(row["mode"], []).append(row)

    def column(mode: str) -> Column[tuple[str, str]]:
        heading = _SHORT.get(mode, mode)
        return Column(
            mode,
            heading,
            "text",
            lambda log: _opened([of for of in modes[mode] if _log(of) == log]),
        )

    return Report(
        name="recovery-modes",
        parts=[
            Verdict(
                f"{engines.of(rows[0]['engine']).title}: "
                f"{'; '.join(_sentence(*mode) for mode in modes.items())}."
            ),
            table(
                "Damaged logs, opened again",
                list(dict.fromkeys(map(_log, rows))),
                [Column("log", "log", "text", ", ".join), *map(column, modes)],
            ),
            Lines(["docs/receipts.md says what the modes and the kinds of damage are"]),
        ],
        content={"schema": 1, "openings": rows},
        lines=rows,
        folder=folder,
    )


def _sentence(mode: str, of: Sequence[Opening]) -> str:
    opened = [opening for opening in of if opening["opens"]]
    broken = sum(not opening["consistent"] for opening in opened)
    tail = f", {broken} of them not consistent" if broken else ""
    return f"{_SHORT.get(mode, mode)} opens {len(opened)} of {len(of)} logs{tail}"


def _opened(of: Sequence[Opening]) -> str:
    """Return e.g. refuses; loses 0; 2/3 open, loses 12.1 %, 1 broken."""
    opened = [opening for opening in of if opening["opens"]]
    if not opened:
        return "refuses" if of else "-"
    lost, acknowledged = (
        sum(opening[name] for opening in opened) for name in ("lost", "acknowledged")
    )
    share = "all" if lost == acknowledged else f"{100 * lost / acknowledged:.1f} %"
    said = [f"loses {share}" if lost else "loses 0"]
    if len(opened) < len(of):
        said.insert(0, f"{len(opened)}/{len(of)} open")
    if broken := sum(not opening["consistent"] for opening in opened):
        said.append(f"{broken} broken")
    return ", ".join(said)
