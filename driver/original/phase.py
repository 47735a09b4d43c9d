"""Run a driver to its end, for the phases of an original's command line.

What scripts read from the original goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import math
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ...base import proc
from ...base.errors import WaltaxError
from ...base.printable import one_line
from .. import client
from ..argv import Parameters
from ..client import Event
from .place import AnyPlace, ServerPlace, server_log_words

_SURE = 5  # standard deviations of how many arrive
_PROGRESS_S = 10.0


def say(line: str) -> None:
    """Print for a person on standard error; scripts read standard output."""
    print(one_line(line), file=sys.stderr, flush=True)


def show(line: str) -> None:
    """Print for a script, and flush, since it may be waiting."""
    print(one_line(line), flush=True)


def load(
    place: AnyPlace, program: str, *, threads: int, seed: int, parameters: Parameters
) -> Event:
    """Write a data set into `place`, and return the event `loaded`. Errors: WaltaxError."""
    words = place.command_line(
        proc.program(program), "load", threads=threads, seed=seed, parameters=parameters
    )
    said_s = 0.0

    def tell(event: Event) -> None:
        nonlocal said_s
        if event["event"] == "progress" and event["seconds"] >= said_s + _PROGRESS_S:
            said_s = event["seconds"]
            say(_progress(event))

    return _outcome(words, "loaded", place.still_s, tell)


def check(place: AnyPlace, program: str, parameters: Parameters) -> None:
    """Check the data set in `place`. Errors: WaltaxError when it is not consistent."""
    threads = os.cpu_count() or 1
    words = place.command_line(
        proc.program(program), "check", threads=threads, parameters=parameters
    )
    checked = _outcome(words, "check", place.still_s)
    say(_check_line(checked))
    if not checked["ok"]:
        raise WaltaxError(_violated(checked))


def run(
    words: Sequence[str],
    command: Mapping[str, object],
    lines: Callable[[Event, Event], Iterable[str]],
    place: AnyPlace,
    *,
    checks: bool = True,
    judge: Callable[[Event], Iterable[str]] = lambda _: (),
) -> None:
    """Run the driver `words` for one slice, and show the `lines` of its `ready` and `slice`.

    `command` goes to the driver. With `checks`, no request may fail, and the data are checked
    afterwards. `judge` returns other faults of a slice. Errors: WaltaxError for any fault.
    """
    heard: dict[str, Event] = {}
    try:
        say(f"Running {shlex.join(words)}")
        with client.running(words) as driver:
            for event in driver.events():
                heard[event["event"]] = event
                match event["event"]:
                    case "ready":
                        for warning in (*event["warnings"], *_server(place, event)):
                            say(warning)
                        driver.send(cmd="run", progress_s=_PROGRESS_S, **command)
                    case "progress":
                        say(_progress(event))
                    case "slice":
                        for line in lines(heard["ready"], event):
                            show(line)
                        for line in rate_missed(event):
                            say(f"warning: {line}")
                        driver.send(cmd="check" if checks else "quit")
                    case "check":
                        say(_check_line(event))
                        driver.send(cmd="quit")
    except KeyboardInterrupt:
        say(_left(heard))
        raise
    except WaltaxError:
        if "progress" in heard:
            say(_left(heard))
        raise
    result = _require(heard.get("slice"), words)
    if not checks:
        return
    checked = _require(heard.get("check"), words)
    problems = [] if checked["ok"] else [_violated(checked)]
    if result["errors"]:
        samples = "; ".join(result["error_samples"][:3]) or "unknown"
        problems.append(f"{result['errors']} requests failed: {samples}")
    problems += judge(result)
    if problems:
        raise WaltaxError("; ".join(problems))


def latencies(operations: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Yield a line for each operation that happened; times are in microseconds."""
    for name, stats in operations.items():
        if stats["count"]:
            shown = (
                f"{key} {stats[f'{key}_us']:,.1f}" for key in ("mean", "p50", "p95", "p99", "max")
            )
            yield f"{name}: {stats['count']:,}, us: {', '.join(shown)}"


def rate_missed(result: Event) -> Iterator[str]:
    """Say that an open loop did not reach its rate, or left requests that were due."""
    if not result.get("rate"):
        return
    seconds, left = result["measure_s"], result["unserved"]
    due, done = result["rate"] * seconds, result["requests"] + result["errors"]
    if not left and done >= due - _SURE * math.sqrt(due):
        return
    said = f"asked for {result['rate']:,.0f} requests a second, of which {done / seconds:,.0f} were"
    if left:
        oldest = f"the oldest for {result['unserved_oldest_s']:.3g} s"
        yield f"{said} served: latencies are censored, {left:,} were due at the end ({oldest})"
    else:
        yield f"{said} served: latencies are of the backlog"


def _outcome(
    words: Sequence[str],
    wanted: str,
    still_s: float | None,
    tell: Callable[[Event], None] = lambda _: None,
) -> Event:
    """Run a driver to its end, and return its event `wanted`; others go to `tell`.

    `still_s` is how long nothing may happen, in seconds; None is for ever. Errors: WaltaxError with
    the driver's words, or when the event did not come. A check that fails is an event.
    """
    say(f"Running {shlex.join(words)}")
    result: Event | None = None
    with client.running(words) as driver:
        try:
            for event in driver.events(still_s):
                if event["event"] == wanted:
                    result = event
                else:
                    tell(event)
        except WaltaxError:
            if result is None or result.get("ok", True):  # a violation is its exit code, too
                raise
    return _require(result, words)


def _require(result: Event | None, words: Sequence[str]) -> Event:
    if result is None:
        phase = f"{Path(words[0]).name} {words[1]}"
        raise WaltaxError(f"{phase}: the driver ended without a result")
    return result


def _server(place: AnyPlace, ready: Event) -> Iterator[str]:
    """Yield a server's version and its durability, as the server reports them."""
    if isinstance(place, ServerPlace):
        engine = ready["engine"]
        yield f"{engine['name']} server {engine['server_version']}, {server_log_words(engine)}"


def _progress(event: Event) -> str:
    counts = {name: count for name, count in event.items() if isinstance(count, int)}
    counted = ", ".join(f"{count:,} {name}" for name, count in counts.items() if name != "of")
    return f"{event.get('elapsed_s', event.get('seconds', 0)):.0f} s: {counted}"


def _left(heard: Mapping[str, Event]) -> str:
    """Say how much of an interrupted run there is."""
    if "slice" in heard:
        return "The data was not checked after the run" if "check" not in heard else "Given up"
    if "progress" in heard:
        return f"Given up after {_progress(heard['progress'])}"
    return "Given up before anything was measured"


def _check_line(event: Event) -> str:
    counted = ", ".join(f"{count:,} {name}" for name, count in event["counted"].items())
    return f"The check {'passed' if event['ok'] else 'FAILED'}: looked at {counted}"


def _violated(event: Event) -> str:
    violations = event["violations"]
    count = event.get("violation_count", len(violations))
    return f"the data is not consistent: {count} violations: {'; '.join(violations[:3])}"
