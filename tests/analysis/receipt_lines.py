"""Receipts that are made up."""

from __future__ import annotations


def receipt(device: str, mode: str, failure: str, **more: object) -> dict[str, object]:
    """Of four cuts of a run of 4 s, in which nothing is lost unless that is said."""
    return {
        **{"engine": "rocksdb", "workload": "linkbench", "device": device, "mode": mode},
        **{"failure": failure, "names": "journal", "cuts": 4, "states": 8, "distinct": 8},
        **{"acknowledged": 800, "lost": 0, "everything": 0, "recorded_seconds": 4.0},
        **{"lost_seconds": 0.0, "lost_seconds_low": 0.0, "lost_seconds_high": 0.0},
        **{"lost_seconds_most": 0.0, "opens": 8, "consistent": 8},
        **more,
    }
