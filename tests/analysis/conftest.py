from __future__ import annotations

from pathlib import Path

import pytest
from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax.row import Row, append


@pytest.fixture
def rows() -> list[Row]:
    wobble = noise(0.02, seed=1)
    rates = {"off": 1000.0, "nvme": 730.0, "nvram": 1000.0}
    return [
        make_row(
            device,
            rate * wobble(),
            session,
            round,
            **EVIDENCE,
        )
        | (NO_WAL if device == "off" else {})
        for session in range(3)
        for round in range(4)
        for device, rate in rates.items()
    ]


@pytest.fixture
def folder(rows: list[Row], tmp_path: Path) -> Path:
    rows.append(make_row("ssd", None, failure="no space left"))
    for one in rows:
        append(tmp_path / "rows.jsonl", one)
    return tmp_path
