"""Openings after a kill that are made up: 20 s for each GiB of log, and 0.2 s without any.

And openings of damaged logs in two recovery modes.
"""

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
                "open_s": 20 * mib / 1024 + 0.2,
                "read_bytes": (mib << 20) + kill,
            }
        )
        for mib in lengths
        for kill in range(kills)
        for number in range(3)
    ]


def modes() -> list[str]:
    """Of 100 commits, two states of each damage; one is not consistent, and two are refused."""
    found = [
        ("torn", "kAbsoluteConsistency", (False, False, 100), (True, True, 0)),
        ("torn", "kSkipAnyCorruptedRecords", (True, True, 0), (True, True, 0)),
        ("changed", "kAbsoluteConsistency", (False, False, 100), (False, False, 100)),
        ("changed", "kSkipAnyCorruptedRecords", (True, False, 3), (True, True, 20)),
    ]
    return [
        json.dumps(
            {
                **{"engine": "myrocks", "durability": "sync", "damage": damage, "mode": mode},
                **{"opens": opens, "consistent": whole, "acknowledged": 100, "lost": lost},
            }
        )
        for damage, mode, *states in found
        for opens, whole, lost in states
    ]
