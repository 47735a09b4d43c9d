"""The two phases of the command line: load a graph, run requests on it."""

from __future__ import annotations

import os
import secrets
import shlex
from dataclasses import dataclass
from typing import IO

from ... import proc
from ...driver import client
from ...driver.argv import Scalar
from ...driver.client import Driver, Event
from ...driver.original.phase import outcome, rate_missed, require_result
from ...driver.original.place import AnyPlace, Place, server_log_words
from . import report
from .keys import Phase
from .log import Log
from .settings import Settings

_PROGRESS_S = 1.0


@dataclass(frozen=True)
class Outputs:
    """Where a phase reports to, besides the log."""

    log: Log
    stats: IO[str] | None  # -csvstats
    stream: IO[str] | None  # -csvstream


def load(settings: Settings, place: AnyPlace, seed: int | None, out: Outputs) -> None:
    """Write the graph into `place`. Errors: WaltaxError."""
    if settings.values["linkstore"] == "memory":
        out.log.info("Skipping load data: a store in memory would be gone before the requests")
        return
    asked = settings.whole("loaders")
    threads = min(asked, os.cpu_count() or 1)
    out.log.info(f"Starting loaders {threads}")
    if threads < asked:
        out.log.info(f"loaders: {asked} asked for, {threads} started, one for each core")
    words = place.command_line(
        proc.program("linkbench"),
        "load",
        threads=threads,
        seed=_seed(settings, "load_random_seed", seed, out.log),
        parameters=settings.parameters(Phase.LOAD),
    )
    loaded = _loaded(words, place, settings, out.log)
    if out.stats is not None:
        print(*report.latency_csv({}), sep="\n", file=out.stats, flush=True)
    out.log.info(report.load_completed(loaded, _ids(settings)))


def _ids(settings: Settings) -> int:
    return settings.whole("maxid1") - settings.whole("startid1")


def _seed(settings: Settings, key: str, ours: int | None, log: Log) -> int:
    """Return the driver's seed and log it: that of --seed, or the key's, or a random one."""
    if ours is not None:
        log.info(f"Using random seed {ours} from --seed")
        return ours
    if key in settings.values:
        log.info(f"Using configured random seed {key}={settings.values[key]}")
        return settings.whole(key) % 2**63
    drawn = secrets.randbits(48)
    log.info(f"Using random seed {drawn} since {key} not specified")
    return drawn


def _loaded(words: list[str], place: AnyPlace, settings: Settings, log: Log) -> Event:
    """Run the loader to its end, and return its `loaded` event."""
    log.info(f"Running {shlex.join(words)}")
    interval, ids = settings.whole("load_progress_interval"), _ids(settings)
    links = 0

    def tell(event: Event) -> None:
        nonlocal links
        if report.crossed(links, event["links"], interval, total=-1):
            log.info(report.load_progress(event, ids))
            links = event["links"]

    loaded = outcome(words, "loaded", place.still_s, tell)
    log.info(report.load_progress({**loaded, "ids": loaded["nodes"]}, ids))
    return loaded


def request(settings: Settings, place: AnyPlace, seed: int | None, out: Outputs) -> None:
    """Run requests on the graph in `place`.

    Errors: WaltaxError, also when more requests failed than max_failed_requests allows.
    """
    threads = settings.whole("requesters")
    if threads == 0:
        out.log.info("NO REQUEST PHASE CONFIGURED. ")
        return
    words = place.command_line(
        proc.program("linkbench"),
        "run",
        threads=threads,
        seed=_seed(settings, "request_random_seed", seed, out.log),
        parameters=_run_parameters(settings, threads),
    )
    out.log.info(f"Running {shlex.join(words)}")
    for i in range(threads):
        message = f"Requester thread #{i} started: will do {settings.whole('requests')} ops"
        warmup = f" after {max(0, settings.whole('warmup_time'))} second warmup"
        out.log.info(message + warmup, thread=f"Thread-{i}")
    follower = _Follower(settings, out, on_server=not isinstance(place, Place))
    with client.running(words) as driver:
        for event in driver.events():
            follower.hear(event, driver)
    follower.close()


def _run_parameters(settings: Settings, threads: int) -> dict[str, Scalar]:
    """Return the run's flags; rate and failures, which the original counts per thread, for all."""
    rate = max(0, settings.whole("requestrate")) * threads
    failures = settings.whole("max_failed_requests")
    return {
        **settings.parameters(Phase.RUN),
        "rate": rate,
        "max_failed_requests": failures * threads if failures >= 0 else -1,
    }


class _Follower:
    """A follower answers a driver's events, and reports them as the original does its own."""

    def __init__(self, settings: Settings, out: Outputs, *, on_server: bool) -> None:
        self._on_server = on_server
        self._settings = settings
        self._out = out
        self._per_thread = settings.whole("requests")
        requests = self._per_thread * settings.whole("requesters")
        self._goal = report.Goal(requests, settings.whole("maxtime"))
        self._done = 0
        self._list_reads: dict[int, int] = {}
        self._slice: Event | None = None

    def hear(self, event: Event, driver: Driver) -> None:
        match event["event"]:
            case "ready":
                for warning in event["warnings"]:
                    self._out.log.warn(warning)
                if self._on_server:
                    engine = event["engine"]
                    version = f"{engine['name']} server {engine['server_version']}"
                    self._out.log.info(f"{version}, {server_log_words(engine)}")
                driver.send(**self._command())
            case "progress":
                self._progress(event["requests"], event["elapsed_s"])
            case "thread_stats":
                self._thread_stats(event)
            case "slice":
                self._slice = event
                self._progress(event["requests"], event["measure_s"])
                driver.send(cmd="quit")

    def close(self) -> None:
        """Report the result. Errors: WaltaxError if there is none."""
        result = require_result(self._slice, "linkbench run")
        log, stats = self._out.log, self._out.stats
        for thread in result["threads"]:
            name = f"Thread-{thread['thread']}"
            reads = self._list_reads.get(thread["thread"], 0)
            log.info(report.requester_done(thread, reads), thread=name)
        for line in report.latency_table(result["operations"]):
            log.info(line)
        if stats is not None:
            print(*report.latency_csv(result["operations"]), sep="\n", file=stats, flush=True)
        for sample in result["error_samples"]:
            log.error(f"failed request: {sample}")
        log.info(report.requests_completed(result["requests"], result["measure_s"]))
        for line in rate_missed(result):
            log.warn(line)

    def _command(self) -> dict[str, object]:
        return {
            "cmd": "run",
            "warmup_s": max(0, self._settings.whole("warmup_time")),
            "measure_s": self._goal.seconds,
            "requests": self._per_thread,
            "progress_s": _PROGRESS_S,
            "thread_stats_s": self._settings.whole("displayfreq"),
        }

    def _progress(self, done: int, elapsed_s: float) -> None:
        interval = self._settings.whole("req_progress_interval")
        if report.crossed(self._done, done, interval, self._goal.requests):
            self._out.log.info(report.request_progress(done, elapsed_s, self._goal))
        self._done = done

    def _thread_stats(self, event: Event) -> None:
        thread = f"Thread-{event['thread']}"
        lists = event["operations"].get("GET_LINKS_LIST")
        self._list_reads[event["thread"]] = lists["total"] if lists else 0
        line = report.requester_progress(event["thread"], event["total_requests"], self._per_thread)
        self._out.log.info(line, thread=thread)
        for line in report.thread_lines(event):
            self._out.log.info(line, thread=thread)
        if self._out.stream is not None:
            print(*report.stream_lines(event), sep="\n", file=self._out.stream, flush=True)
