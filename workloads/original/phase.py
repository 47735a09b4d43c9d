"""Run a driver to its end, for the phases of an original's command line.

What scripts read from the original goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ...base import proc
from ...base.errors import WaltaxError
from ...base.printable import one_line
from ...driver import client
from ...driver.argv import Parameters, command_line
from ...driver.client import Event
from .place import Place, server_log_words

_PROGRESS_S = 10.0


def say(line: str) -> None:
    """Print for a person on standard error; scripts read standard output."""
    print(one_line(line), file=sys.stderr, flush=True)


def show(line: str) -> None:
    """Print for a script, and flush, since it may be waiting."""
    print(one_line(line), flush=True)


def load(place: Place, program: str, parameters: Parameters) -> Event:
    """Write a data set into `place`, and return the event `loaded`. Errors: WaltaxError."""
    words = command_line(proc.program(program), "load", place.flags("load"), parameters)
    said_s = 0.0

    def tell(event: Event) -> None:
        nonlocal said_s
        if event["event"] == "progress" and event["seconds"] >= said_s + _PROGRESS_S:
            said_s = event["seconds"]
            say(_progress(event))

    return _outcome(words, "loaded", place.still_s, tell)


def check(place: Place, program: str, parameters: Parameters) -> None:
    """Check the data set in `place`. Errors: WaltaxError when it is not consistent."""
    flags = {**place.flags("check"), "threads": os.cpu_count() or 1, **parameters}
    words = command_line(proc.program(program), "check", flags)
    checked = _outcome(words, "check", place.still_s)
    say(_check_line(checked))
    if not checked["ok"]:
        raise WaltaxError(_violated(checked))


def run(
    place: Place,
    program: str,
    parameters: Parameters,
    command: Mapping[str, object],
    lines: Callable[[Event, Event], Iterable[str]],
    *,
    checks: bool = True,
) -> None:
    """Run a driver for one slice, and show the `lines` of its `ready` and `slice`.

    `command` goes to the driver. With `checks`, no request may fail, and the data are checked
    afterwards. Errors: WaltaxError for any fault.
    """
    words = command_line(proc.program(program), "run", place.flags("run"), parameters)
    heard: dict[str, Event] = {}
    say(f"Running {shlex.join(words)}")
    with client.Driver(None, words) as driver:
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
                    for line in unserved(event):
                        say(f"warning: {line}")
                    driver.send(cmd="check" if checks else "quit")
                case "check":
                    say(_check_line(event))
                    driver.send(cmd="quit")
    result = _require(heard.get("slice"), words)
    if not checks:
        return
    checked = _require(heard.get("check"), words)
    problems = [] if checked["ok"] else [_violated(checked)]
    if result["errors"]:
        samples = "; ".join(result["error_samples"][:3]) or "unknown"
        problems.append(f"{result['errors']} requests failed: {samples}")
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


def unserved(result: Event) -> Iterator[str]:
    """Say that an open loop left requests that were due, so that its rate was not reached."""
    if left := result.get("unserved"):
        yield (
            f"asked for {result['rate']:,.0f} requests a second, and {left:,} that were due had "
            f"not begun at the end, the oldest for {result['unserved_oldest_s']:.3g} s: latencies "
            "are censored"
        )


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
    with client.Driver(None, words) as driver:
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


def _server(place: Place, ready: Event) -> Iterator[str]:
    """Yield a server's version and its durability, as the server reports them."""
    if place.db is None:
        engine = ready["engine"]
        yield f"{engine['name']} server {engine['server_version']}, {server_log_words(engine)}"


def _progress(event: Event) -> str:
    counts = {name: count for name, count in event.items() if isinstance(count, int)}
    counted = ", ".join(f"{count:,} {name}" for name, count in counts.items() if name != "of")
    return f"{event.get('elapsed_s', event.get('seconds', 0)):.0f} s: {counted}"


def _check_line(event: Event) -> str:
    counted = ", ".join(f"{count:,} {name}" for name, count in event["counted"].items())
    return f"The check {'passed' if event['ok'] else 'FAILED'}: looked at {counted}"


def _violated(event: Event) -> str:
    violations = event["violations"]
    count = event.get("violation_count", len(violations))
    return f"the data is not consistent: {count} violations: {'; '.join(violations[:3])}"
