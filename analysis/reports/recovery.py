"""The report of recoveries: seconds until an engine serves again, by the log that it replays."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import engines
from ...engines.knobs import KNOBS
from ..figures import empty
from ..kept_lines import read
from ..numerals import measured
from ..report import Column, Lines, Report, Table, Verdict, numbers
from ..results import words
from ..trend import Point, Trend, trend

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEPT = "recovery.jsonl"
_MIB, _GIB = 1 << 20, 1 << 30
_DRAWN = {
    "recovery_s": ("#1f6fb4", "recovery, by the engine"),
    "open_s": ("#606060", "until it serves"),
}
_WANTED = {
    **dict.fromkeys(("asked_bytes", "kill", "log_bytes", "log_files"), float),
    **dict.fromkeys(("open_s", "recovery_s", "read_bytes"), float),
}


def recovery(folder: Path) -> Report:
    """Errors: UsageError when the folder has no openings, or a line that is none."""
    rows = sorted(read(folder / KEPT, _WANTED, "recovery"), key=_length)
    whole = trend(_kills(rows))
    per_gib = None if whole is None else {**asdict(whole.slope), "fixed_s": whole.at_zero}
    return Report(
        name="recovery",
        parts=[Verdict(_sentence(rows, whole)), _table(rows), Lines(_notes(rows, whole))],
        content={"schema": 1, "openings": rows, "seconds_per_gib": per_gib},
        lines=rows,
        figures={"recovery": lambda: _draw(rows, whole)},
        folder=folder,
    )


def _kills(rows: Sequence[Mapping[str, Any]]) -> list[Point]:
    """A point for each kill: openings of what one left say nothing of how kills differ."""
    points = []
    for (asked, _), group in groupby(sorted(rows, key=_kill), _kill):
        of = list(group)
        gib, seconds = (
            statistics.median(one[name] for one in of) for name in ("log_bytes", "recovery_s")
        )
        points.append(Point(asked, gib / _GIB, seconds))
    return points


def _kill(one: Mapping[str, Any]) -> tuple[int, int]:
    return int(one["asked_bytes"]), int(one["kill"])


def _length(one: Mapping[str, Any]) -> int:
    return int(one["asked_bytes"])


def _sentence(rows: Sequence[Mapping[str, Any]], whole: Trend | None) -> str:
    last = [one for one in rows if _length(one) == _length(rows[-1])]
    longest, wait = (
        statistics.median(one[name] for one in last) for name in ("log_bytes", "open_s")
    )
    name = engines.of(str(rows[0].get("engine", ""))).title + _limit(rows)
    head = f"with {longest / _MIB:,.0f} MiB of log it serves again after {wait:.2f} s"
    name += ", after a power cut" if rows[0].get("failure") == "cut" else ""
    if whole is None:
        return f"{name}: {head}; one length of log tells no more."
    seconds, *ends = measured(whole.slope).split(" ", 1)
    slope = " ".join([f"{seconds} s", *ends])
    return f"{name}: recovery takes {slope} for each GiB of log; {head}."


def _limit(rows: Sequence[Mapping[str, Any]]) -> str:
    held = rows[0].get("read_limit_mib_per_s")
    return f", reads held to {words.number(held)} MiB/s" if held else ""


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    columns = [
        Column("log, MiB"),
        *numbers(
            "files", _ends_called(rows), "openings", "recovery s", "serves after s", "read, MiB"
        ),
    ]
    shown = []
    for _, group in groupby(rows, _length):
        of = list(group)
        length = statistics.median(one["log_bytes"] for one in of)
        shown.append(
            (
                f"{length / _MIB:,.1f}",
                f"{max(one['log_files'] for one in of)}",
                f"{len({one['kill'] for one in of})}",
                f"{len(of)}",
                _spread([one["recovery_s"] for one in of]),
                _spread([one["open_s"] for one in of]),
                f"{statistics.median(one['read_bytes'] for one in of) / _MIB:,.0f}",
            )
        )
    title = f"Opened again after {_failure(rows)}, {_cache(rows)}{_limit(rows)}"
    return Table(title, columns, shown)


def _ends_called(rows: Sequence[Mapping[str, Any]]) -> str:
    return "cuts" if rows[0].get("failure") == "cut" else "kills"


def _failure(rows: Sequence[Mapping[str, Any]]) -> str:
    return "a power cut" if rows[0].get("failure") == "cut" else "a kill"


def _cache(rows: Sequence[Mapping[str, Any]]) -> str:
    """Whether each opening had to fetch its log from the disk."""
    warm = sum(one["read_bytes"] < one["log_bytes"] for one in rows)
    if not warm:
        return "files out of the page cache"
    return f"NOT COLD: {warm} of {len(rows)} openings read less than their log from a disk"


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def _notes(rows: Sequence[Mapping[str, Any]], whole: Trend | None) -> list[str]:
    lines = [
        "medians, with the least and the most; recovery is the engine's own count: of RocksDB "
        "with the tables that it writes of it, of InnoDB until its pages are current",
    ]
    if whole is not None and not whole.slope.is_known:
        lines.append(
            "the slope has no interval: a length with one kill does not say how kills differ"
        )
    if whole is not None:
        lines.append(
            "the slope is Theil and Sen's over the kills, each the median of its openings; its "
            "interval is a bootstrap over the kills, 95 %"
        )
    if rows[0].get("engine") == engines.EMBEDDED:
        limits = ",".join(name for name, knob in KNOBS.items() if knob.log_mib)
        lines.append(
            "what a limit of the log costs in throughput: waltax sweep-knobs --workload tpcc "
            f"--device nvme --knobs {limits}"
        )
    return lines


def _draw(rows: Sequence[Mapping[str, Any]], whole: Trend | None) -> Figure:
    """A dot is an opening; both axes begin at 0."""
    figure = empty(6.4, 4.0)
    axes = figure.subplots()
    for name, (colour, label) in _DRAWN.items():
        lengths = [one["log_bytes"] / _MIB for one in rows]
        axes.plot(lengths, [one[name] for one in rows], "o", color=colour, label=label, alpha=0.7)
    title = "Recovery after a kill"
    if whole is not None and whole.slope.value is not None:
        slope, start = whole.slope.value, (0.0, whole.at_zero)
        axes.axline(start, slope=slope * _MIB / _GIB, color="#1f6fb4", linewidth=1)
        title = f"Recovery takes {slope:.3g} s for each GiB of log"
    axes.set(title=title, xlabel="log at the kill, MiB", ylabel="seconds", xlim=(0, None))
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", fontsize=8)
    figure.text(
        0.012,
        0.012,
        "a dot is an opening, out of the page cache; line: Theil and Sen over the kills",
        fontsize=7.5,
        color="#404040",
    )
    return figure
