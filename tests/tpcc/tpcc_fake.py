"""A driver program `tpcc` that only pretends, and a way to run the command line against it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from hdrh.histogram import HdrHistogram
from waltax.errors import WaltaxError
from waltax.tpcc.command import command

# Writes down its command line and commands, and answers with what is in answers.json. After
# the event "hang" it waits to be killed.
_FAKE_DRIVER = """\
import json, pathlib, sys, time
here = pathlib.Path(__file__).parent
answers = json.loads((here / "answers.json").read_text())[sys.argv[1]]
with (here / "heard.jsonl").open("a") as heard:
    print(json.dumps(sys.argv[1:]), file=heard, flush=True)
    for event in answers["events"]:
        while event["event"] == "hang":
            time.sleep(1)
        print(json.dumps(event), flush=True)
        if sys.argv[1] == "run" and event["event"] in ("ready", "slice", "check"):
            print(sys.stdin.readline().strip(), file=heard, flush=True)
sys.stderr.write(answers.get("stderr", ""))
sys.exit(answers.get("exit_code", 0))
"""

READY: dict[str, Any] = {
    "event": "ready",
    "rate": 0,
    "data_bytes": 100 << 20,
    "warnings": [],
    "workload": {
        "warehouses": 10,
        "paced": False,
        "isolation": "serializable",
        "c_last_load": 157,
        "c_last_run": 223,
        "c_id": 259,
        "ol_i_id": 7911,
    },
}
CHECKED: dict[str, Any] = {
    "event": "check",
    "ok": True,
    "seconds": 1.5,
    "counted": {"warehouse": 10, "stock": 1_000_000},
    "violation_count": 0,
    "violations": [],
}
VIOLATED = {
    **CHECKED,
    "ok": False,
    "violation_count": 27,
    "violations": ["condition 1: warehouse 3: W_YTD is 1.00", "stock: warehouse 2: item 7"],
}
LOADED: dict[str, Any] = {
    "event": "loaded",
    "warehouses": 10,
    "rows": {"WAREHOUSE": 10, "ITEM": 100_000},
    "seconds": 8.0,
    "rows_per_s": 12_501.25,
    "bytes": 3 << 20,
}


@dataclass
class Result:
    """How a command line ended."""

    exit_code: int
    error: str  # the message that `waltax` would print
    out: list[str]
    warnings: list[str]


def run_command(*words: str) -> Result:
    """Run `waltax tpcc` with these words, without the process around it."""
    done = CliRunner().invoke(command, words, standalone_mode=False)
    out, warnings = done.stdout.splitlines(), done.stderr.splitlines()
    if isinstance(done.exception, WaltaxError):
        return Result(done.exception.exit_code, str(done.exception), out, warnings)
    if done.exception is not None:
        raise done.exception
    return Result(0, "", out, warnings)


def operation(*latencies_s: float, errors: int = 0, retries: int = 0) -> dict[str, Any]:
    """What a slice says of a transaction that took so long each time."""
    hdr = HdrHistogram(1, 2**37 - 1, 3)
    for latency_s in latencies_s:
        hdr.record_value(int(latency_s * 1e9))
    return {
        "count": len(latencies_s),
        "errors": errors,
        "retries": retries,
        "mean_us": 1e6 * sum(latencies_s) / max(len(latencies_s), 1),
        "hdr": hdr.encode().decode(),
    }


def slice_event(measure_s: float = 60.0, **operations: dict[str, Any]) -> dict[str, Any]:
    """The result of a run, without conflicts or failures."""
    return {
        "event": "slice",
        "measure_s": measure_s,
        "slice_requests": 2000,
        "errors": 0,
        "error_samples": [],
        "data_bytes": 101 << 20,
        "inputs": [],
        "threads": [],
        "operations": operations,
    }


FEW = slice_event(
    NEW_ORDER=operation(0.001, 0.003, retries=4),
    PAYMENT=operation(0.001, 0.001),
    ORDER_STATUS=operation(0.001),
    DELIVERY=operation(0.5),
    STOCK_LEVEL=operation(0.02),
)


def interval(elapsed_s: float, duration_s: float, new_orders: int) -> dict[str, Any]:
    """An interval with so many New-Orders, and 2 Payments."""
    stats = {"mean_us": 500.0, "p95_us": 1234.0, "p99_us": 2345.5, "max_us": 9000.0}
    operations: dict[str, Any] = {"PAYMENT": {"count": 2, **stats}}
    if new_orders:
        operations["NEW_ORDER"] = {"count": new_orders, **stats}
    return {
        "event": "interval",
        "elapsed_s": elapsed_s,
        "duration_s": duration_s,
        "operations": operations,
    }


def run_on(db: Path, *words: str) -> Result:
    """A run on the data set in `db`."""
    return run_command("run", "-w", "10", "--db", str(db), *words)


def block(result: Result, title: str) -> list[str]:
    """The lines from a title to the next empty one."""
    start = next(i for i, line in enumerate(result.out) if line.startswith(title))
    return result.out[start : result.out.index("", start)]


class FakeDriver:
    """The pretending program in a build directory of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answers: dict[str, dict[str, Any]] = {}
        script, program = folder / "fake.py", folder / "tpcc"
        script.write_text(_FAKE_DRIVER)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
        program.chmod(0o755)
        self.answer("load", LOADED)
        self.answer("check", CHECKED)

    def answer(self, phase: str, *events: dict[str, Any], **ending: Any) -> None:
        """The events of one command; `ending` may have `stderr` and `exit_code`."""
        self._answers[phase] = {"events": events, **ending}
        (self._folder / "answers.json").write_text(json.dumps(self._answers))

    def answer_run(self, events: Sequence[dict[str, Any]], check: dict[str, Any] = CHECKED) -> None:
        """What a run says between `ready` and its check."""
        self.answer("run", READY, *events, check)

    def heard(self) -> list[Any]:
        """Command lines (lists of words) and commands (objects), in order."""
        lines = (self._folder / "heard.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines if line]
