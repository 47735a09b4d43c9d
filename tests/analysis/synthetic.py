"""Rows with a known truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from waltax import row
from waltax.row import Row

Rates = Callable[[int, int], Mapping[str, float]]


def make_row(
    device: str, throughput: float | None, session: int = 0, round_: int = 0, **more: object
) -> Row:
    """A slice of `device`, failed when `throughput` is None; emulated unless it is off."""
    off = device == "off"
    durability = "off" if off else "sync"
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
