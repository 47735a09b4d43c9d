"""The program of a workload that does nothing: it speaks as every driver program does."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

_COUNTERS = dict.fromkeys(("rocksdb.wal.bytes", "rocksdb.wal.synced", "rocksdb.write.self"), 0)

# What RocksDB writes of a log that nobody asked anything of, beside what it was told.
_OPTIONS = "[DBOptions]\n"
_LOG = """  allow_fallocate=true
  enable_pipelined_write=false
  manual_wal_flush=false
  recycle_log_file_num=0
  unordered_write=false
  use_fsync=false
  wal_bytes_per_sync=0
  wal_compression=kNoCompression
  wal_recovery_mode=kPointInTimeRecovery
"""


def _say(name: str, **event: Any) -> None:
    print(json.dumps({"event": name, **event}), flush=True)


def _check() -> None:
    _say("check", ok=True, violations=[], counted={"nothings": 1})


def _slice(warmup_s: float, measure_s: float, requests: int = 0) -> None:
    """Do nothing so many times, or else for so long."""
    start = time.time()
    if not requests:
        time.sleep(warmup_s + measure_s)
        requests = 1000 + time.time_ns() % 7
    _say(
        "slice",
        throughput=requests / measure_s,
        throughput_unit="nothings/s",
        start_unix_s=start,
        warmup_s=warmup_s,
        measure_s=measure_s,
        requests=requests,
        slice_requests=requests + 2,
        cpu_user_s=0.0,
        cpu_system_s=0.0,
        all_operations={"p50_us": 1.0, "p99_us": 2.0},
        operations={"NOTHING": {"count": requests}},
        columns={"pauses": 1},
        data_bytes=0,
        counters=_COUNTERS,
    )


def _run(db: Path, told: Path) -> None:
    kept = told.read_text().replace(_OPTIONS, _OPTIONS + _LOG)
    (db / "OPTIONS-000001").write_text(kept)
    _say(
        "ready",
        engine={"rocksdb_version": "0.0.0"},
        workload={"mood": "calm", "unsaid": 1},
        data_bytes=0,
        generator_cpu_us_per_op=0.5,
        warnings=[],
    )
    for line in sys.stdin:
        asked = json.loads(line)
        if asked.pop("cmd") == "run":
            _slice(**asked)
        else:
            _check()


def _load(db: Path) -> None:
    db.mkdir(parents=True)
    (db / "CURRENT").write_text("nothing\n")
    _say("loaded", seconds=0.1)


if __name__ == "__main__":
    flags = dict(word.removeprefix("--").partition("=")[::2] for word in sys.argv[2:])
    if sys.argv[1] == "load":
        _load(Path(flags["db"]))
    elif sys.argv[1] == "check":
        _check()
    else:
        _run(Path(flags["db"]), Path(flags["options-file"]))
