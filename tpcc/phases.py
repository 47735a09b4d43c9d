"""The three commands, each a driver whose events are followed to the end."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from .. import proc
from ..driver import client, patience
from ..driver.output import output
from ..driver.place import AnyPlace
from ..errors import WaltaxError
from . import closing
from .follow import Files, Follower
from .plan import Plan
from .screen import say

_PROGRAM = "tpcc"


def load(place: AnyPlace, warehouses: int, threads: int, seed: int) -> None:
    """Write a data set into `place`, and check it. Errors: WaltaxError."""
    words = place.load_argv(
        proc.program(_PROGRAM),
        threads=threads,
        seed=seed,
        parameters={"warehouses": warehouses},
    )
    loaded = None
    for event in _events(words, patience.of(place)):
        if event["event"] == "progress":
            say([closing.load_progress(event)])
        elif event["event"] == "loaded":
            loaded = event
    if loaded is None:
        raise WaltaxError("tpcc load: the driver ended without a result")
    say(closing.load_completed(loaded))
    say(["", "...DATA LOADING COMPLETED SUCCESSFULLY.", ""])
    check(place, warehouses, None)


def run(plan: Plan, report: Path | None, series: Path | None) -> None:
    """Run transactions, print the result, and check what they left behind.

    `report` and `series`: the files of -f and -t. Errors: WaltaxError, also when a
    transaction failed for good, the data is not consistent afterwards, or the inputs were not
    those of the specification.
    """
    words = plan.place.run_argv(
        proc.program(_PROGRAM),
        threads=plan.connections,
        seed=plan.seed,
        parameters=plan.parameters(),
    )
    say([f"Running {shlex.join(words)}", ""])
    with ExitStack() as stack:

        def open_files() -> Files:
            opened = [("-f", report), ("-t", series)]
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
    words = place.check_argv(
        proc.program(_PROGRAM),
        threads=os.cpu_count() or 1,
        parameters={"warehouses": warehouses or 0, **({"acks": str(acks)} if acks else {})},
    )
    found = None
    try:
        for event in _events(words, patience.of(place)):
            if event["event"] == "check":
                found = event
    except WaltaxError:
        if found is None or found["ok"]:  # a violation is its exit code, too
            raise
    if found is None:
        raise WaltaxError("tpcc check: the driver ended without a result")
    say(closing.check_lines(found))
    if not found["ok"]:
        raise WaltaxError(closing.violated(found))


def _events(words: list[str], still_s: float | None) -> Iterable[dict[str, Any]]:
    say([f"Running {shlex.join(words)}", ""])
    with client.running(words) as driver:
        yield from driver.events(still_s)
