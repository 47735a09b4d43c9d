"""The commands load, run and check: each is a driver that is followed to its end."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ... import proc
from ...driver import client
from ...driver.client import Driver, Event
from ...driver.original.phase import outcome, output, rate_missed, require_result
from ...driver.original.place import AnyPlace, Place, server_log, server_log_words
from ...errors import WaltaxError
from . import intervals, report
from .plan import Plan
from .report import parameters, say
from .transactions import histogram, results, tpmc

_PROGRAM = "tpcc"
# After this long at most, "measuring" is said to have begun.
_PROGRESS_S = 1.0
# Effective options that only the driver knows: the constants of NURand (clause 2.1.6).
_DRAWN = ("warehouses", "isolation", "c_last_load", "c_last_run", "c_id", "ol_i_id")


def load(place: AnyPlace, warehouses: int, threads: int, seed: int) -> None:
    """Write a data set into `place`, and check it. Errors: WaltaxError."""
    words = place.command_line(
        proc.program(_PROGRAM),
        "load",
        threads=threads,
        seed=seed,
        parameters={"warehouses": warehouses},
    )
    say([f"Running {shlex.join(words)}", ""])
    loaded = outcome(words, "loaded", place.still_s, _tell_load)
    say(report.load_completed(loaded))
    say(["", "...DATA LOADING COMPLETED SUCCESSFULLY.", ""])
    check(place, warehouses, None)


def _tell_load(event: Event) -> None:
    if event["event"] == "progress":
        say([report.load_progress(event)])


def run(plan: Plan, report_file: Path | None, series_file: Path | None) -> None:
    """Run transactions, print the result, and check what they left behind.

    `report_file` and `series_file` are those of -f and -t. Errors: WaltaxError, also when a
    transaction failed for good, the data is not consistent afterwards, or the inputs were not
    those of the specification.
    """
    words = plan.place.command_line(
        proc.program(_PROGRAM),
        "run",
        threads=plan.connections,
        seed=plan.seed,
        parameters=plan.parameters(),
    )
    say([f"Running {shlex.join(words)}", ""])
    with ExitStack() as stack:

        def open_files() -> Files:
            opened = [("-f", report_file), ("-t", series_file)]
            return Files(*(stack.enter_context(output(flag, path)) for flag, path in opened))

        follower = Follower(plan, open_files)
        driver = stack.enter_context(client.running(words))
        try:
            for event in driver.events():
                follower.hear(event, driver)
            follower.close()
        except KeyboardInterrupt:
            say(follower.interrupted())
            raise
        except WaltaxError:
            say(follower.died())
            raise


def check(place: AnyPlace, warehouses: int | None, acks: Path | None) -> None:
    """Check the data set in `place`. Errors: WaltaxError when it is not consistent."""
    words = place.command_line(
        proc.program(_PROGRAM),
        "check",
        threads=os.cpu_count() or 1,
        parameters={"warehouses": warehouses or 0, **({"acks": str(acks)} if acks else {})},
    )
    say([f"Running {shlex.join(words)}", ""])
    checked = outcome(words, "check", place.still_s)
    say(report.check_lines(checked))
    if not checked["ok"]:
        raise WaltaxError(report.violated(checked))


@dataclass(frozen=True)
class Files:
    """The open files that a run writes besides its output."""

    report: IO[str] | None = None  # -f
    series: IO[str] | None = None  # -t


class Follower:
    """A follower hears every event of one driver, and prints what tpcc-mysql would.

    `open_files` is called when the driver is ready: a run that cannot begin overwrites nothing.
    """

    def __init__(self, plan: Plan, open_files: Callable[[], Files]) -> None:
        self._plan = plan
        self._open_files = open_files
        self._files = Files()
        self._so_far = intervals.SoFar()
        self._intervals_left = math.ceil(plan.measure_s / plan.interval_s)
        self._measuring = False
        # A store that keeps nothing has nothing to check.
        self._checked = plan.store != "null"
        self._ready: Event = {}
        self._slice: Event | None = None
        self._check: Event | None = None

    def hear(self, event: Event, driver: Driver) -> None:
        """Hear one event, and send the next command to a driver that waits for it."""
        match event["event"]:
            case "ready":
                self._ready = event
                self._files = self._open_files()
                if self._files.series is not None:
                    print(intervals.CSV_HEADER, file=self._files.series, flush=True)
                say(self._introduction())
                driver.send(**self._command())
            case "progress":
                self._begin()
            case "interval":
                self._begin()
                self._interval(event)
            case "slice":
                self._begin()
                self._slice = event
                if self._files.report is not None:
                    print(*histogram(event), sep="\n", file=self._files.report, flush=True)
                say(self._closing(event))
                driver.send(cmd="check" if self._checked else "quit")
            case "check":
                self._check = event
                say(report.check_lines(event))
                driver.send(cmd="quit")

    def interrupted(self) -> Iterator[str]:
        """Yield what there is to say when the run is given up."""
        yield ""
        if self._slice is not None:
            if self._check is None:
                yield "INTERRUPTED before the consistency check had ended"
        elif self._so_far.empty:
            yield "INTERRUPTED before the first interval ended"
        else:
            yield from self._so_far.lines("INTERRUPTED")

    def died(self) -> Iterator[str]:
        """Yield what there is to say when the driver gave up, besides its reason."""
        if self._slice is None and not self._so_far.empty:
            yield from ("", *self._so_far.lines("THE RUN FAILED"))

    def close(self) -> None:
        """Judge the run. Errors: WaltaxError."""
        result = require_result(self._slice, "tpcc run")
        check = require_result(self._check, "tpcc run") if self._checked else {"ok": True}
        problems = [] if check["ok"] else [report.violated(check)]
        failed, requests = result["errors"], result["slice_requests"]
        if failed:
            first = next(iter(result["error_samples"]), "unknown")
            problems.append(f"{failed} of {requests} requests failed; first: {first}")
        inputs = report.failed_inputs(result["inputs"])
        if inputs:
            problems.append(inputs)
        if problems:
            raise WaltaxError("; ".join(problems))

    def _introduction(self) -> Iterator[str]:
        workload = self._ready["workload"]
        yield from parameters({name: workload[name] for name in _DRAWN})
        if not isinstance(self._plan.place, Place):
            engine = self._ready["engine"]
            yield from parameters({"server": engine["server_version"], **server_log(engine)})
        for warning in self._ready["warnings"]:
            yield f"warning: {warning}"
        yield ""
        yield f"RAMP-UP TIME.({self._plan.rampup_s} sec.)"

    def _command(self) -> dict[str, object]:
        return {
            "cmd": "run",
            "warmup_s": self._plan.rampup_s,
            "measure_s": self._plan.measure_s,
            "progress_s": _PROGRESS_S,
            "thread_stats_s": self._plan.interval_s,
        }

    def _begin(self) -> None:
        if not self._measuring:
            self._measuring = True
            say(["", "MEASURING START.", ""])

    def _interval(self, event: Event) -> None:
        self._so_far.add(event)
        if self._intervals_left == 0:
            return  # what ended between the last one and the end of the slice
        self._intervals_left -= 1
        say([intervals.line(event)])
        if self._files.series is not None:
            print(intervals.csv(event), file=self._files.series, flush=True)

    def _closing(self, event: Event) -> Iterator[str]:
        each = results(event, self._plan.limits_s)
        new_orders, seconds = each[0].completed, event["measure_s"]
        yield from ("", "STOPPING THREADS", "")
        yield from report.raw_results(each, self._plan.limits_s, seconds)
        yield ""
        yield from report.constraint_check(each)
        yield ""
        yield from report.throughput(new_orders, seconds)
        yield from report.meaning(self._ready, self._store(), tpmc(new_orders, seconds))
        yield from (f" warning: {line}" for line in rate_missed(event))
        if self._plan.keeps_data:
            yield report.growth(self._ready["data_bytes"], event["data_bytes"])
        yield ""
        yield from report.input_lines(event["inputs"])
        yield ""
        yield from report.conflict_lines(event)
        yield ""

    def _store(self) -> str:
        """Say in words what the data was in. A server's durability is what it says of itself."""
        place = self._plan.place
        if not self._plan.keeps_data:
            return f"store {self._plan.store}"
        if isinstance(place, Place):
            return f"durability {place.durability}"
        return f"{place.engine} with {server_log_words(self._ready['engine'])}"
