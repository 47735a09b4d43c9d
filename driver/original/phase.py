"""One phase of a command line: a driver that is followed to its end, and files that it fills."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ...errors import UsageError, WaltaxError
from .. import client
from ..client import Event

_SURE = 5  # standard deviations of how many arrive


def outcome(
    argv: Sequence[str],
    wanted: str,
    still_s: float | None,
    tell: Callable[[Event], None] = lambda _: None,
) -> Event:
    """Run a driver to its end, and return its event `wanted`; the others go to `tell`.

    `still_s` is how long nothing may happen, in seconds; None is for ever. Errors: WaltaxError with
    the driver's words, or when the event did not come. A check that fails is an event.
    """
    result: Event | None = None
    with client.running(argv) as driver:
        try:
            for event in driver.events(still_s):
                if event["event"] == wanted:
                    result = event
                else:
                    tell(event)
        except WaltaxError:
            if result is None or result.get("ok", True):  # a violation is its exit code, too
                raise
    return require_result(result, f"{Path(argv[0]).name} {argv[1]}")


def require_result(result: Event | None, phase: str) -> Event:
    """Return the result of a driver that has ended. Errors: WaltaxError if there is none."""
    if result is None:
        raise WaltaxError(f"{phase}: the driver ended without a result")
    return result


def rate_missed(result: Event) -> Iterator[str]:
    """Say of an open loop that it did not reach its rate, or left requests that were due."""
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


@contextmanager
def output(flag: str, path: Path | None, mode: str = "w") -> Iterator[IO[str] | None]:
    """Open the file that a flag names for writing; None stays None. Errors: UsageError."""
    if path is None:
        yield None
        return
    try:
        file = path.open(mode, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{flag}: cannot write {path}: {error.strerror}") from error
    with file:
        yield file
