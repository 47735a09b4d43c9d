"""Openings after a kill that are made up: 20 s for each GiB of log, and 0.2 s without any."""

from __future__ import annotations

import json

LENGTHS = (16, 64, 256)


def openings(kills: int = 2, lengths: tuple[int, ...] = LENGTHS) -> list[str]:
    """Three of what each kill left, by their lengths of log in MiB."""
    return [
        json.dumps(
            {
                "engine": "rocksdb",
                "asked_bytes": mib << 20,
                "kill": kill,
                "log_bytes": (mib << 20) + kill,
                "log_files": 1,
                "opening": number,
                "recovery_s": 20 * mib / 1024,
                "open_s": 20 * mib / 1024 + 0.2,
                "read_bytes": (mib << 20) + kill,
            }
        )
        for mib in lengths
        for kill in range(kills)
        for number in range(3)
    ]
