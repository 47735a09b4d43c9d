"""Rows of a campaign for a page, and the page of a campaign."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from hdrh.histogram import HdrHistogram
from rich.console import Console
from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax.analysis import reports, writers
from waltax.row import Row

_RATES = {"off": 30_000.0, "nvram": 24_000.0, "nvme": 18_000.0, "ssd": 5_000.0}
MACHINE: Row = {
    "machine_elapsed_s": 2.0,
    "cpu_foreign_s": 0.4,
    "psi_cpu_some_s": 0.5,
    "psi_io_some_s": 0.1,
    "steal_s": 0.02,
    "diskstats_data_write_bytes": 3e6,
    "cores": 2,
    "cpu_model": "Some CPU",
    "memory_gib": 23.5,
}
_SLOWEST_NS = 10**10
_OPERATIONS = {"ADD_LINK": 1, "GET_NODE": 3}


@cache
def _latencies(device: str) -> Row:
    """Histograms of a slice, of all requests and of two operations; slow devices have long ones."""
    us = 1e6 * 4 / _RATES[device]
    shares = {f"op_{name}_latency_hdr": share for name, share in _OPERATIONS.items()}
    columns = {"latency_hdr": sum(shares.values()), **shares}
    return {name: _histogram(us, 500 * share) for name, share in columns.items()}


def _histogram(us: float, requests: int) -> str:
    histogram = HdrHistogram(1, _SLOWEST_NS, 3)
    for place in range(requests):
        histogram.record_value(int(1000 * us * requests / (requests - place)))
    return str(histogram.encode().decode())


def campaign_rows(sessions: int = 2, rounds: int = 4, **more: object) -> list[Row]:
    """LinkBench on four devices, with what the machine did meanwhile."""
    wobble = noise(0.05, seed=3)
    rows: list[Row] = []
    for session in range(sessions):
        for round_ in range(rounds):
            for device, rate in _RATES.items():
                at = {"slice": len(rows), "start_unix_s": 1.8e9 + 2.0 * len(rows)}
                row = make_row(device, rate * wobble(), session, round_, **EVIDENCE)
                no_wal = NO_WAL if device == "off" else {}
                rows.append({**row, **MACHINE, **_latencies(device), **no_wal, **at, **more})
    return rows


def write_campaign(folder: Path, rows: list[Row], kept: dict[str, Any] | None = None) -> Path:
    """The campaign's folder as a run leaves it; returns its page."""
    folder.mkdir(exist_ok=True)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "campaign.json").write_text(json.dumps(kept or {}))
    return draw(folder)


def draw(folder: Path) -> Path:
    """The page of a campaign's overheads."""
    report = reports.devices([folder])
    (path,) = writers.publish(report, Console(quiet=True), formats=["html"])
    return path
