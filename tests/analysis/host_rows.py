"""Rows of a campaign over several hosts that are made up, and what it kept of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax.row import Row, append

KEPT = [
    {
        "name": "h1",
        "address": "tcp://10.0.0.1:4444",
        "labels": {"host": 1, "nvme": 1},
        "machine": {"cpu_model": "Some CPU", "cores": 2, "memory_gib": 8.0, "kernel": "6.1"},
        "doctor": [
            {"check": "swap", "state": "warn", "text": "3 GiB in use", "advice": "swapoff -a"},
            {"check": "steal", "state": "ok", "text": "none", "advice": ""},
        ],
        "lost": "",
    },
    {"name": "h9", "address": "tcp://10.0.0.9:4444", "lost": "its worker died in session 3"},
]


def host_rows(
    costs: Mapping[str, float], sessions: int = 2, rounds: int = 3, sd: float = 0.01
) -> list[Row]:
    """So many sessions on each host; `costs` has the overhead of nvme there, which ssd doubles.

    Every host is faster than the one before it by half, on a machine of its own.
    """
    wobble = noise(sd, seed=4)
    return [
        make_row(device, 1000 * 1.5**place * left * wobble(), session, number, **EVIDENCE)
        | (NO_WAL if device == "off" else {})
        | {"host": host, "cpu_model": f"CPU {place}", "cores": 2, "memory_gib": 8.0}
        for place, (host, cost) in enumerate(costs.items())
        for session in range(place * sessions, (place + 1) * sessions)
        for number in range(rounds)
        for device, left in (("off", 1.0), ("nvme", 1 - cost), ("ssd", 1 - min(0.9, 2 * cost)))
    ]


def campaign(folder: Path, rows: list[Row], kept: object = None) -> Path:
    """A campaign's folder with these rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in rows:
        append(folder / "rows.jsonl", one)
    if kept is not None:
        (folder / "hosts.json").write_text(json.dumps(kept))
    return folder
