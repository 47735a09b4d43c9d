"""Openings after a kill that are made up: 20 s for each GiB of log, and 0.2 s without any."""

from __future__ import annotations

import json


def openings() -> list[str]:
    """Three of each of three lengths."""
    return [
        json.dumps(
            {
                "engine": "rocksdb",
                "log_bytes": mib << 20,
                "log_files": 1,
                "opening": number,
                "recovery_s": 20 * mib / 1024,
                "open_s": 20 * mib / 1024 + 0.2,
                "read_bytes": mib << 20,
            }
        )
        for mib in (16, 64, 256)
        for number in range(3)
    ]
