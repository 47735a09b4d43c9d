"""A run as its driver tells of it: answers the events, and prints what tpcc-mysql would."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import IO, Any

from ..driver.child import Child
from ..errors import WaltaxError
from . import blocks, evidence, intervals
from .plan import Plan
from .results import histogram, results
from .screen import parameters, say
from .transactions import tpmc

# After this long at most, "measuring" is said to have begun.
_PROGRESS_S = 1.0
# Effective options that only the driver knows: the constants of NURand (clause 2.1.6).
_DRAWN = ("warehouses", "isolation", "c_last_load", "c_last_run", "c_id", "ol_i_id")


class Follower:
    """Hears every event of one driver."""

    def __init__(self, plan: Plan, report: IO[str] | None, series: IO[str] | None) -> None:
        self._plan = plan
        self._report = report
        self._series = series
        self._so_far = intervals.SoFar()
        self._intervals_left = math.ceil(plan.measure_s / plan.interval_s)
        self._measuring = False
        # A store that keeps nothing has nothing to check.
        self._checked = plan.store != "null"
        self._ready: dict[str, Any] = {}
        self._slice: dict[str, Any] | None = None
        self._check: dict[str, Any] | None = None
        if series is not None:
            print(intervals.CSV_HEADER, file=series, flush=True)

    def hear(self, event: dict[str, Any], driver: Child) -> None:
        """One event; the driver's next command where it waits for one."""
        match event["event"]:
            case "ready":
                self._ready = event
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
                if self._report is not None:
                    print(*histogram(event), sep="\n", file=self._report, flush=True)
                say(self._closing(event))
                driver.send(cmd="check" if self._checked else "quit")
            case "check":
                self._check = event
                say(evidence.check_lines(event))
                driver.send(cmd="quit")

    def interrupted(self) -> Iterator[str]:
        """What there is to say when the run is given up."""
        yield ""
        if self._slice is None:
            yield from self._so_far.lines()
        elif self._check is None:
            yield "INTERRUPTED before the consistency check had ended"

    def close(self) -> None:
        """Judge the run. Errors: WaltaxError."""
        if self._slice is None or (self._checked and self._check is None):
            raise WaltaxError("tpcc run: the driver ended without a result")
        problems = []
        if self._check is not None and not self._check["ok"]:
            problems.append(evidence.violated(self._check))
        failed, of = self._slice["errors"], self._slice["slice_requests"]
        if failed:
            first = next(iter(self._slice["error_samples"]), "unknown")
            problems.append(f"{failed} of {of} requests failed; first: {first}")
        if problems:
            raise WaltaxError("; ".join(problems))

    def _introduction(self) -> Iterator[str]:
        workload = self._ready["workload"]
        yield from parameters({name: workload[name] for name in _DRAWN})
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
        if self._series is not None:
            print(intervals.csv(event), file=self._series, flush=True)

    def _closing(self, event: dict[str, Any]) -> Iterator[str]:
        found = results(event, self._plan.limits_s)
        new_orders, seconds = found[0].completed, event["measure_s"]
        yield from ("", "STOPPING THREADS", "")
        yield from blocks.raw_results(found, self._plan.limits_s, seconds)
        yield ""
        yield from blocks.constraint_check(found)
        yield ""
        yield from blocks.throughput(new_orders, seconds)
        durability = self._plan.place.durability
        yield from evidence.meaning(self._ready, durability, tpmc(new_orders, seconds))
        yield evidence.growth(self._ready["data_bytes"], event["data_bytes"])
        yield ""
        yield from evidence.input_lines(event["inputs"])
        yield ""
        yield from evidence.conflict_lines(event)
        yield ""
