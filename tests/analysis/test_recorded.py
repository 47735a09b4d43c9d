"""What only some campaigns record is said where it is, and nothing is said where it is not."""

from __future__ import annotations

from typing import Any

from synthetic import make_row
from waltax.row import Row


def _rows(**more: Any) -> list[Row]:
    rates = (("off", 1000.0), ("nvme", 700.0))
    return [
        make_row(device, rate, session, round_, slice_requests=100, wal_bytes=7, **more)
        for session in range(3)
        for round_ in range(2)
        for device, rate in rates
    ]
