"""Rows of sweeps over sizes and knobs of kv workloads with a known truth."""

from __future__ import annotations

from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax import workloads
from waltax.row import Row
from waltax.studies.sweeps import sized

SIZES = {"k16-v100": (16, 100), "k32-v100": (32, 100), "k16-v400": (16, 400)}
OPERATIONS = 100_000
# Operations/s of the smallest size, and what the log takes of the writes.
RATES = {"kv-fillrandom": 200_000.0, "kv-read-seq": 900.0, "kv-read-random": 100_000.0}
COST = 0.25
WRITES = "kv-fillrandom"


def operations_per_s(bench: str, entry_bytes: int, wal: bool) -> float:
    """The truth: larger entries slow writes and sequential reads, and no random ones."""
    slower = 1.0 if bench == "kv-read-random" else (116 / entry_bytes) ** 0.3
    return RATES[bench] * slower * (1 - COST * (wal and bench == WRITES))


def size_rows(
    bench: str = WRITES, sd: float = 0.005, sessions: int = 3, rounds: int = 2
) -> list[Row]:
    """A sweep of one benchmark, whose sized workloads are in the table then."""
    workloads.add_mixes({f"{bench}-{size}": sized(bench, size) for size in SIZES})
    wobble = noise(sd, seed=5)
    return [
        size_row(bench, size, wal, session, round_, wobble())
        for session in range(sessions)
        for round_ in range(rounds)
        for size in SIZES
        for wal in (True, False)
    ]


def size_row(
    bench: str, size: str, wal: bool, session: int = 0, round_: int = 0, wobble: float = 1.0
) -> Row:
    key, value = SIZES[size]
    rate = operations_per_s(bench, key + value, wal) * wobble
    device, durability = ("nvme", "flush") if wal else ("off", "off")
    written = OPERATIONS * (key + value) * (bench == WRITES)
    more = {
        **EVIDENCE,
        "workload": f"{bench}-{size}",
        "profile": "sizes",
        "durability": durability,
        "cell": f"rocksdb-{bench}-{size}-sizes-{device}-{durability}-t1",
        "threads": 1,
        "throughput_unit": workloads.of(bench).unit.name,
        "slice_requests": OPERATIONS,
        "rocksdb_flush_write_bytes": written,
        "rocksdb_compact_write_bytes": written * (key + value) // 116,
        "wal_bytes": wal * OPERATIONS * (key + value + 20),
    }
    return make_row(device, rate, session, round_, **more)


# Of the default's throughput; `off` is 1,000 and the default 400 operations/s.
KNOBS = {"pipelined-write": 1.0, "wal-compression": 0.8, "recycled-logs": 1.5, "flush": 2.0}


def knob_rows(sd: float = 0.005) -> list[Row]:
    wobble = noise(sd, seed=6)
    found = []
    for session in range(3):
        for round_ in range(4):
            found.append(knob_row("off", 1000 * wobble(), session, round_))
            found.append(knob_row("", 400 * wobble(), session, round_))
            found += [
                knob_row(name, 400 * times * wobble(), session, round_)
                for name, times in KNOBS.items()
            ]
    return found


def knob_row(name: str, rate: float | None, session: int = 0, round_: int = 0) -> Row:
    device = "off" if name == "off" else "vda"
    mode = name if name in ("off", "flush") else "sync"
    knob = "" if name in ("off", "flush") else name
    syncs = 0 if mode in ("off", "flush") else 500
    reached = 60 if name == "wal-compression" else 0 if mode == "off" else 135
    more = {
        **EVIDENCE,
        **(NO_WAL if mode == "off" else {}),
        "workload": "kv-fillrandom",
        "profile": "knobs",
        "durability": mode,
        "cell": f"rocksdb-kv-fillrandom-knobs-{device}-{mode}-t4{knob and f'-{knob}'}",
        "knob": knob,
        "emulated": False,
        "device_kind": "none" if mode == "off" else "real",
        "throughput_unit": "writes/s",
        "slice_requests": 1000,
        "wal_bytes": 0 if mode == "off" else 131_000,
        "tap_write_bytes": reached * 1000,
        "tap_opens": 0 if mode == "off" else 4,
        "wal_syncs": syncs,
        "tap_syncs": syncs,
    }
    return make_row(device, rate, session, round_, **more)
