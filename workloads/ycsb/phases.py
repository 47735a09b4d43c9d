"""The phases of the command line: load records, run operations on them, check them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...base import proc
from ...base.errors import UsageError
from ...driver.argv import Scalar
from ...driver.client import Event
from ...driver.original import phase
from ...driver.original.place import Place
from ..mix import record
from . import translate
from .settings import Settings

_PROGRAM = record.PROGRAM
_OPERATIONS = ("READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE")
_LATENCIES = {
    "MinLatency(us)": "min_us",
    "MaxLatency(us)": "max_us",
    "50thPercentileLatency(us)": "p50_us",
    "95thPercentileLatency(us)": "p95_us",
    "99thPercentileLatency(us)": "p99_us",
}


@dataclass(frozen=True)
class Options:
    """The options of a phase besides its properties."""

    place: Place
    seed: int
    threads: int
    rate: float = 0.0


def _file(settings: Settings) -> dict[str, Scalar]:
    """Return the flag that names the mix of these properties."""
    return {"file": record.compiled_file("ycsb", translate.mix(settings))}


@contextmanager
def _explaining() -> Iterator[None]:
    """Say in words of properties that the records are others. Errors: UsageError."""
    try:
        yield
    except UsageError as error:
        if "other tables" not in str(error):
            raise
        raise UsageError(
            "recordcount: found another, or fields or keys of another kind, than the data set was "
            "loaded with; give the file and the words of its load, or load again"
        ) from error


def load(settings: Settings, options: Options) -> None:
    """Write the records, and check them. Errors: WaltaxError."""
    threads = min(options.threads, os.cpu_count() or 1)
    loaded = phase.load(
        options.place, _PROGRAM, threads=threads, seed=options.seed, parameters=_file(settings)
    )
    check(settings, options)
    # Records are inserted as files: they have no latencies.
    for line in _overall(loaded["seconds"], loaded["rows"]):
        phase.show(line)
    phase.show(f"[INSERT], Operations, {loaded['rows']}")
    phase.show(f"[INSERT], Return=OK, {loaded['rows']}")


def check(settings: Settings, options: Options) -> None:
    """Check the records. Errors: WaltaxError when they are not consistent."""
    with _explaining():
        phase.check(options.place, _PROGRAM, _file(settings))


def run(settings: Settings, options: Options) -> None:
    """Run operations, print the original's report, and check what they left.

    Errors: WaltaxError, also when an operation failed or the records are not consistent.
    """
    # Failed operations are reported, and then end the command.
    cache = settings.whole("block_cache_mb")
    parameters = {
        **_file(settings),
        **({"block_cache_mb": cache} if cache else {}),
        **{"rate": options.rate, "max_failed_requests": -1},
    }
    words = options.place.command_line(
        *(proc.program(_PROGRAM), "run"),
        threads=options.threads,
        seed=options.seed,
        parameters=parameters,
    )
    each, one_more = settings.operations_a_thread
    command = {"measure_s": settings.longest_s, "requests": each, "one_more": one_more}
    with _explaining():
        phase.run(words, command, lambda _, result: _report(result), options.place)


def _report(result: Event) -> Iterator[str]:
    """Yield what the original prints: latencies in whole microseconds but the mean, as it has them.

    Failed operations stand in a block of their own, and are no part of the throughput.
    """
    yield from _overall(result["measure_s"], result["requests"])
    for name in _OPERATIONS:
        operation = result["operations"].get(name, {"count": 0, "errors": 0})
        if operation["count"]:
            yield f"[{name}], Operations, {operation['count']}"
            yield f"[{name}], AverageLatency(us), {operation['mean_us']}"
            for label, key in _LATENCIES.items():
                yield f"[{name}], {label}, {round(operation[key])}"
            yield f"[{name}], Return=OK, {operation['count']}"
        if operation["errors"]:
            yield f"[{name}-FAILED], Operations, {operation['errors']}"
            yield f"[{name}], Return=ERROR, {operation['errors']}"


def _overall(seconds: float, operations: int) -> Iterator[str]:
    yield f"[OVERALL], RunTime(ms), {round(1000 * seconds)}"
    yield f"[OVERALL], Throughput(ops/sec), {operations / seconds if seconds else 0.0}"
