"""A run as its driver tells of it: answers the events, and prints what tpcc-mysql would."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from ..driver.client import Driver
from ..driver.place import Place, server_log, server_log_words
from ..errors import WaltaxError
from . import blocks, closing, intervals
from .plan import Plan
from .results import histogram, results
from .screen import parameters, say
from .transactions import tpmc

# After this long at most, "measuring" is said to have begun.
_PROGRESS_S = 1.0
# Effective options that only the driver knows: the constants of NURand (clause 2.1.6).
_DRAWN = ("warehouses", "isolation", "c_last_load", "c_last_run", "c_id", "ol_i_id")


@dataclass(frozen=True)
class Files:
    """What a run writes besides its output, opened."""

    report: IO[str] | None = None  # -f
    series: IO[str] | None = None  # -t


class Follower:
    """Hears every event of one driver.

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
        self._ready: dict[str, Any] = {}
        self._slice: dict[str, Any] | None = None
        self._check: dict[str, Any] | None = None

    def hear(self, event: dict[str, Any], driver: Driver) -> None:
        """One event; the driver's next command where it waits for one."""
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
                say(closing.check_lines(event))
                driver.send(cmd="quit")

    def interrupted(self) -> Iterator[str]:
        """What there is to say when the run is given up."""
        yield ""
        if self._slice is not None:
            if self._check is None:
                yield "INTERRUPTED before the consistency check had ended"
        elif self._so_far.empty:
            yield "INTERRUPTED before the first interval ended"
        else:
            yield from self._so_far.lines("INTERRUPTED")

    def died(self) -> Iterator[str]:
        """What there is to say when the driver gave up, besides its reason."""
        if self._slice is None and not self._so_far.empty:
            yield from ("", *self._so_far.lines("THE RUN FAILED"))

    def close(self) -> None:
        """Judge the run. Errors: WaltaxError."""
        if self._slice is None or (self._checked and self._check is None):
            raise WaltaxError("tpcc run: the driver ended without a result")
        problems = []
        if self._check is not None and not self._check["ok"]:
            problems.append(closing.violated(self._check))
        failed, of = self._slice["errors"], self._slice["slice_requests"]
        if failed:
            first = next(iter(self._slice["error_samples"]), "unknown")
            problems.append(f"{failed} of {of} requests failed; first: {first}")
        inputs = closing.failed_inputs(self._slice["inputs"])
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

    def _interval(self, event: dict[str, Any]) -> None:
        self._so_far.add(event)
        if self._intervals_left == 0:
            return  # what ended between the last one and the end of the slice
        self._intervals_left -= 1
        say([intervals.line(event)])
        if self._files.series is not None:
            print(intervals.csv(event), file=self._files.series, flush=True)

    def _closing(self, event: dict[str, Any]) -> Iterator[str]:
        found = results(event, self._plan.limits_s)
        new_orders, seconds = found[0].completed, event["measure_s"]
        yield from ("", "STOPPING THREADS", "")
        yield from blocks.raw_results(found, self._plan.limits_s, seconds)
        yield ""
        yield from blocks.constraint_check(found)
        yield ""
        yield from blocks.throughput(new_orders, seconds)
        yield from closing.meaning(self._ready, self._store(), tpmc(new_orders, seconds))
        if self._plan.keeps_data:
            yield closing.growth(self._ready["data_bytes"], event["data_bytes"])
        yield ""
        yield from closing.input_lines(event["inputs"])
        yield ""
        yield from closing.conflict_lines(event)
        yield ""

    def _store(self) -> str:
        """In words. A server's durability is what it says of itself, and nothing else."""
        place = self._plan.place
        if not self._plan.keeps_data:
            return f"store {self._plan.store}"
        if isinstance(place, Place):
            return f"durability {place.durability}"
        return f"{place.engine} with {server_log_words(self._ready['engine'])}"
