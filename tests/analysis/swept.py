"""Rows of a latency sweep with a known truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax.analysis.results.curve import Curve
from waltax.analysis.stats import Interval
from waltax.row import Row

GRID = (1, 5, 12, 28, 65, 150, 350, 800, 2000, 5000)
OFF = 40_000.0  # requests/s
COMMITS = 0.3  # per request
SYNCS = 1000  # in a slice

Truth = Callable[[float], float]  # overhead of a sync of so many us


def linear(us: float) -> float:
    """The slowdown is 1.2 + us / 100: the log costs 17 %, and 1 - 1 / 2.2 at 100 us."""
    return 1 - 1 / (1.2 + us / 100)


def slice_of(device: str, us: float, rate: float, *at: int, **more: object) -> Row:
    """A slice whose syncs took `us` each."""
    requests = int(2 * rate)
    wrote: Row = {
        "tap_syncs": SYNCS,
        "wal_syncs": SYNCS,
        "tap_sync_ns": int(1000 * us * SYNCS),
        "tap_wanted_ns": int(1000 * us * SYNCS),
        "tap_write_bytes": SYNCS * (200 + us / 10),
        "tap_spin_ns": 0,
        "tap_burn_ns": 0,
    }
    return make_row(device, rate, *at, **EVIDENCE) | {
        **({} if device == "off" else wrote),
        **(NO_WAL if device == "off" else {}),
        "requests": int(1.5 * rate),
        "measure_s": int(1.5 * rate) / rate,
        "slice_requests": requests,
        "rocksdb_write_self": int(COMMITS * requests / 1.5),
        "rocksdb_write_other": int(COMMITS * requests) - int(COMMITS * requests / 1.5),
        "cpu_engine_s": requests * 2e-5,
        "cpu_driver_s": 0.0,
        "cores": 2,
        **more,
    }


def sweep(
    truth: Truth = linear,
    sd: float = 0.01,
    *,
    grid: Sequence[int] = GRID,
    others: Mapping[str, float] | None = None,
    sessions: int = 3,
    seed: int = 5,
    **more: object,
) -> list[Row]:
    """Off, the grid and `others`, by their latency in us; 4 rounds a session."""
    wobble = noise(sd, seed)
    devices = {f"sync-{us}us": float(us) for us in grid} | dict(others or {})
    rows = []
    for session in range(sessions):
        for round_ in range(4):
            drift = wobble() ** 5
            rows.append(slice_of("off", 0, OFF * drift * wobble(), session, round_, **more))
            for device, us in devices.items():
                rate = OFF * drift * (1 - truth(us)) * wobble()
                rows.append(slice_of(device, us * wobble(), rate, session, round_, **more))
    return rows


def fitted(curve: Curve) -> list[Interval]:
    """The overhead of each point after the fit."""
    return [curve.overhead_at(point.facts["sync_us"]) for point in curve.points]


def spoiled(rows: list[Row], factors: Mapping[str, float]) -> list[Row]:
    """The same, with these devices' throughputs multiplied: planted faults."""
    return [
        one | {"throughput": one["throughput"] * factors.get(one["device"], 1.0)} for one in rows
    ]


def with_clients(rows: list[Row], threads: int) -> list[Row]:
    """The same, as cells of so many clients."""
    return [
        one | {"threads": threads, "cell": one["cell"].replace("-t4", f"-t{threads}")}
        for one in rows
    ]
