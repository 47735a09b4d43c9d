"""Rows with a known truth."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from waltax import analysis, row
from waltax.analysis import CellResult, Report, reports, writers
from waltax.analysis.report import Part
from waltax.analysis.reports import campaign
from waltax.analysis.writers import terminal
from waltax.row import Row

EVIDENCE: Row = {
    "requests": 900,
    "slice_requests": 1000,
    "measure_s": 1.5,
    "start_unix_s": 1.8e9,
    "wal_bytes": 50_000,
    "wal_syncs": 100,
    "wal_dir": "/mnt/wal",
    "wal_files": ["000007.log"],
    "tap_syncs": 100,
    "tap_sync_us_p50": 96.0,
    "tap_sync_us_p99": 150.0,
    "rocksdb_write_self": 100,
    "rocksdb_write_other": 200,
    "cpu_user_s": 0.02,
    "cpu_system_s": 0.01,
    "context_switches_voluntary": 290,
    "context_switches_involuntary": 10,
    "versions": {"waltax": "0.1.0", "rocksdb": "7.8.3"},
    "git_commit": "abc",
    "kernel": "6.1",
    "seed": 7,
}
NO_WAL: Row = {"wal_bytes": 0, "wal_syncs": 0, "tap_syncs": 0, "wal_files": []}

Rates = Callable[[int, int], Mapping[str, float]]


def make_row(
    device: str, throughput: float | None, session: int = 0, round_: int = 0, **more: object
) -> Row:
    """A slice of `device`, failed when `throughput` is None; emulated unless it is off."""
    off = device == "off"
    durability = "off" if off else "sync"
    if throughput and "requests" in more:  # they took what time they took
        more["measure_s"] = float(str(more["requests"])) / throughput
    return {
        "schema": row.SCHEMA,
        "campaign": "20260101-test",
        "session": session,
        "round": round_,
        "slice": 0,
        "status": "failed" if throughput is None else "ok",
        "failure": "the driver died" if throughput is None else None,
        "cell": f"rocksdb-linkbench-quick-{device}-{durability}-t4{more.get('replica', '')}",
        "engine": "rocksdb",
        "workload": "linkbench",
        "profile": "quick",
        "device": device,
        "durability": durability,
        "threads": 4,
        "replica": "",
        "emulated": not off,
        "device_kind": "none" if off else "class-proxy",
        "throughput": throughput,
        "throughput_unit": "requests/s",
        "warnings": [],
        **more,
    }


def make_rows(sessions: int, rounds: int, rates: Rates) -> list[Row]:
    """So many sessions and rounds; `rates(session, round)` gives one round's throughputs."""
    return [
        make_row(device, throughput, session, round_)
        for session in range(sessions)
        for round_ in range(rounds)
        for device, throughput in rates(session, round_).items()
    ]


def steady(**rates: float) -> Rates:
    """The same throughputs in every round."""
    return lambda _session, _round: rates


def noise(sd: float, seed: int = 0) -> Callable[[], float]:
    """Factors whose logarithms have this SD."""
    rng = np.random.default_rng(seed)
    return lambda: math.exp(sd * rng.standard_normal())


def report(*campaigns: Path, **more: object) -> str:
    """What `waltax report` prints of these campaigns to a pipe."""
    return published(reports.devices(campaigns, **more))  # type: ignore[arg-type]


def published(report: Report, width: int = 80) -> str:
    """What a report prints to a pipe of so many columns; its files are written, too."""
    out = io.StringIO()
    writers.publish(report, Console(file=out, width=width))
    return out.getvalue()


def compared(folder: Path, a: str, b: str) -> str:
    """What the comparison of two devices of a campaign finds, a line each."""
    return "\n".join(reports.builds([folder], [b, a], "device").verdicts)


def tables_width(text: str) -> int:
    """How wide the widest table is, by the line below its headers; sentences are whole lines."""
    return max(len(line) for line in text.splitlines() if "───" in line)


def shown(rows: list[Row], width: int = 100) -> str:
    """The report of these rows on a terminal of so many columns."""
    return rendered(campaign.parts(analysis.every_cell(rows)), width)


def evidence_of(name: str, text: str) -> str:
    """Bytes, files and syncs of the first cell whose name begins so, in the table of evidence."""
    lines = text.split("Evidence")[1].splitlines()
    line = next(line.strip() for line in lines if line.strip().startswith(name))
    return " ".join(re.split(r" {2,}", line)[1:6])


def rendered(parts: Sequence[Part], width: int = 100) -> str:
    """These parts of a report on a terminal of so many columns."""
    out = io.StringIO()
    Console(file=out, width=width).print(terminal.renderable(parts), crop=False)
    return out.getvalue()


def result_of(rows: list[Row], cell: str) -> CellResult:
    """The result of the cell with this id."""
    return next(one for one in analysis.every_cell(rows) if one.cell == cell)


SERVED: Row = {
    **EVIDENCE,
    "cpu_server_user_s": 0.06,
    "cpu_server_system_s": 0.03,
    "versions": {"waltax": "0.1.0", "mariadb": "10.11.19", "rocksdb": "6.29.5"},
    "isolation": "READ COMMITTED",
    "cpu_model": "Some CPU",
    "cores": 2,
    "memory_gib": 23.4,
}


def program_rows(rates: Mapping[tuple[str, str], float]) -> list[Row]:
    """Three sessions of four rounds of a user's own program; its runs take the inverse."""
    wobble = noise(0.01, seed=3)
    return [
        make_row(device, rate, session, round_)
        | {"engine": "program", "workload": "timed", "durability": mode}
        | {"throughput": 1 / seconds, "throughput_unit": "runs/s", "requests": 1}
        | {"measure_s": seconds, "warmup_s": 0.0, "wal_syncs": None}
        | {"tap_syncs": 30, "tap_syncs_at_once": 30 * (device == "off"), "tap_writes": 60}
        | {"tap_write_bytes": 6000, "tap_sync_ns": 30_000}
        | {"cell": f"program-timed-quick-{device}-{mode}-t4"}
        for session in range(3)
        for round_ in range(4)
        for (device, mode), rate in rates.items()
        for seconds in (wobble() / rate,)
    ]


def make_served_rows(
    engine: str, rates: Mapping[tuple[str, str], float], sd: float = 0.01, **more: object
) -> list[Row]:
    """Three sessions of four rounds on a server; `rates` are by device and durability."""
    wobble = noise(sd, seed=3)
    # InnoDB has no counter of its log's syncs, and no write groups.
    unknown = dict.fromkeys(("wal_syncs", "rocksdb_write_self", "rocksdb_write_other"))
    return [
        make_row(device, rate * wobble(), session, round_, **SERVED)
        | {"engine": engine, "durability": mode, "cell": f"{engine}-linkbench-{device}-{mode}"}
        | (NO_WAL if mode == "off" else {})
        | (unknown | {"versions": {"mariadb": "10.11.19"}} if engine == "innodb" else {})
        | more
        for session in range(3)
        for round_ in range(4)
        for (device, mode), rate in rates.items()
    ]
