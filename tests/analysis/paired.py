"""Pairs of campaigns with a known difference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax.analysis.results import Source, read
from waltax.row import Row

MACHINE = {"cpu_model": "Some CPU", "cores": 2, "memory_gib": 23.5, "kernel": "6.1"}
DIGESTS = {"profile_digest": "p1", "driver_digest": "d1", "tap_digest": "t1"}
RATES = {"off": 1000.0, "nvme": 700.0, "nvram": 950.0}


def write(
    folder: Path,
    seed: int,
    *,
    slower: dict[str, float] | None = None,
    sd: float = 0.01,
    rates: dict[str, float] | None = None,
    **more: Any,
) -> Path:
    """A campaign of four sessions of five rounds; `slower` has factors by device."""
    wobble, name = noise(sd, seed), folder.name
    folder.mkdir(parents=True)
    rows: list[Row] = []
    for session in range(4):
        for number in range(5):
            for device, rate in (rates or RATES).items():
                found = rate * wobble() * (slower or {}).get(device, 1.0)
                one = make_row(device, found, session, number, **EVIDENCE | MACHINE | DIGESTS)
                own = {"campaign": name, "placement_digest": device, **more}
                rows.append(one | (NO_WAL if device == "off" else {}) | own)
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return folder


def pair(place: Path, seed: int = 1, **new: Any) -> tuple[Source, Source]:
    """Two campaigns; what is named is of the new one."""
    return read([write(place / "a", 2 * seed)]), read([write(place / "b", 2 * seed + 1, **new)])
