"""What recording costs: throughput with the recorder before a driver, over without.

`python -m waltax.bench recording [PAIRS] [SECONDS]`

Two drivers run TPC-C on RocksDB, the WAL on the disk of the data sets: one as campaigns have it,
and one with the recorder before it and a log of its acknowledgements, as receipts have it. They
take turns slice by slice, the order alternating. Printed for each mode are the ratio of paired
slices with an interval of 95 % (Student's t), and what was recorded in a second. It ends with an
error when the recorder is missing from the one or found in the other, or lost a call.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ... import proc
from ...driver.argv import Parameters
from ...driver.client import Driver
from ...engines import ENGINES
from ...harness import data_set
from ...owned import removal
from ...receipts import log, preload
from ...receipts.runs import embedded
from ..homes import tpcc as tpcc_home
from .paired import ratio

_PAIRS, _SECONDS, _THREADS, _WARMUP_S = 15, 1.0, 4, 2.0
_CAPACITY_MB = 4096


@dataclass(frozen=True)
class _Side:
    """A driver that is ready; `recorded` is its recorder's log, or None."""

    driver: Driver
    recorded: Path | None

    def throughput(self, warmup_s: float, measure_s: float) -> float:
        told = {"warmup_s": warmup_s, "measure_s": measure_s}
        event = self.driver.ask("slice", within_s=60 + sum(told.values()), cmd="run", **told)
        return float(event["throughput"])


def main(arguments: list[str]) -> None:
    pairs = int(arguments[0]) if arguments else _PAIRS
    seconds = float(arguments[1]) if arguments[1:] else _SECONDS
    if pairs < 2:
        raise SystemExit(f"PAIRS: found {pairs}; an interval needs 2 or more")
    print(f"TPC-C with the recorder / without, {pairs} pairs of {seconds:g} s")
    with tpcc_home.home("recording") as home:
        tpcc_home.fill(home, home / "loaded", 1)
        for mode in ENGINES["rocksdb"].modes:
            print(f"{mode:<8}{_line(home, mode, pairs, seconds)}", flush=True)


def _line(home: Path, mode: str, pairs: int, seconds: float) -> str:
    with _side(home, mode, recorded=False) as bare, _side(home, mode, recorded=True) as other:
        _require(bare.driver, recorded=False)
        _require(other.driver, recorded=True)
        for side in (bare, other):
            side.throughput(_WARMUP_S, seconds)
        seen = [_pair(bare, other, seconds, first=i % 2 == 0) for i in range(pairs)]
    assert other.recorded is not None
    said = ratio([[theirs] for _, theirs in seen], [[ours] for ours, _ in seen])[0]
    told = log.read(other.recorded)
    told.require_seen(but=embedded.UNRECORDED)
    for one in ("plain", "recorded"):
        removal.tree(home / one)
    return f"{said}  {len(told.calls):,} calls and {len(told.acks):,} acknowledgements recorded"


def _pair(bare: _Side, other: _Side, seconds: float, *, first: bool) -> tuple[float, float]:
    """The throughput of the driver as it is, and of the recorded one."""
    found = {
        side: side.throughput(0, seconds) for side in ((other, bare) if first else (bare, other))
    }
    return found[bare], found[other]


@contextlib.contextmanager
def _side(home: Path, mode: str, *, recorded: bool) -> Iterator[_Side]:
    room = home / ("recorded" if recorded else "plain")
    db, wal, kept, acks = (room / name for name in ("db", "wal", "log", "acks"))
    room.mkdir()
    data_set.clone(home / "loaded", db)
    wal.mkdir()
    parameters: Parameters = {"durability": mode, "block_cache_mb": 1024}
    env: dict[str, str] = {}
    if recorded:
        log.create(kept, _CAPACITY_MB)
        parameters = {**parameters, "ack_log": str(acks)}
        env = preload.recorder_environment(kept, [db, wal], acks)
    driver, _ = tpcc_home.start(
        home, db, wal, threads=_THREADS, seed=1, parameters=parameters, env=env
    )
    try:
        yield _Side(driver, kept if recorded else None)
    finally:
        driver.kill()


def _require(driver: Driver, *, recorded: bool) -> None:
    """Errors: SystemExit when the recorder is where it should not be, or is not where it should."""
    found = preload.library().name in Path(f"/proc/{driver.pid}/maps").read_text()
    if found != recorded:
        program = proc.program("tpcc").name
        raise SystemExit(f"{program}: the recorder {'is' if found else 'is not'} loaded there")


if __name__ == "__main__":
    main(sys.argv[1:])
