"""The phases of the command line: load records, run operations on them, check them."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass

import click

from ... import proc
from ...driver import client
from ...driver.client import Driver, Event
from ...driver.original.phase import outcome, rate_missed, require_result
from ...driver.original.place import AnyPlace
from ...errors import WaltaxError
from . import report
from .settings import Settings

_PROGRAM = "ycsb"
_STATUS_S = 10.0


@dataclass(frozen=True)
class Told:
    """What a phase was told besides its properties."""

    place: AnyPlace
    seed: int
    threads: int
    rate: float = 0.0
    status: bool = False


def _say(line: str) -> None:
    """Beside the report, which is on standard output."""
    click.echo(line, err=True)


def load(settings: Settings, told: Told) -> None:
    """Write the records, and check them. Errors: WaltaxError."""
    words = told.place.command_line(
        proc.program(_PROGRAM),
        "load",
        threads=min(told.threads, os.cpu_count() or 1),
        seed=told.seed,
        parameters=settings.data(),
    )
    _say(f"Running {shlex.join(words)}")
    event = outcome(words, "loaded", told.place.still_s)
    check(settings, told)
    for line in report.loaded(event):
        print(line)


def check(settings: Settings, told: Told) -> None:
    """Check the records. Errors: WaltaxError when they are not consistent."""
    words = told.place.command_line(
        proc.program(_PROGRAM), "check", threads=os.cpu_count() or 1, parameters=settings.data()
    )
    _say(f"Running {shlex.join(words)}")
    _require_consistent(outcome(words, "check", told.place.still_s))


def _require_consistent(checked: Event) -> None:
    if not checked["ok"]:
        raise WaltaxError(f"the check found: {'; '.join(checked['violations'][:3])}")
    counted = ", ".join(f"{count:,} {name}" for name, count in checked["counted"].items())
    _say(f"The check passed: {counted}")


def run(settings: Settings, told: Told) -> None:
    """Run operations, print the original's report, and check what they left.

    Errors: WaltaxError, also when an operation failed or the records are not consistent.
    """
    words = told.place.command_line(
        proc.program(_PROGRAM),
        "run",
        threads=told.threads,
        seed=told.seed,
        # Failed operations are reported, and then end the command.
        parameters={**settings.requests(), "rate": told.rate, "max_failed_requests": -1},
    )
    _say(f"Running {shlex.join(words)}")
    follower = _Follower(settings, told)
    with client.running(words) as driver:
        for event in driver.events():
            follower.hear(event, driver)
    follower.close()


class _Follower:
    """A follower answers a driver's events, and keeps what it says at last."""

    def __init__(self, settings: Settings, told: Told) -> None:
        self._settings, self._told = settings, told
        self._since = (0.0, 0)
        self._slice: Event | None = None
        self._checked: Event | None = None

    def hear(self, event: Event, driver: Driver) -> None:
        match event["event"]:
            case "ready":
                for warning in event["warnings"]:
                    _say(warning)
                each, one_more = self._settings.operations_a_thread
                driver.send(
                    cmd="run",
                    measure_s=self._settings.longest_s,
                    requests=each,
                    one_more=one_more,
                    progress_s=_STATUS_S if self._told.status else 0,
                )
            case "progress":
                _say(report.status(event["elapsed_s"], event["requests"], self._since))
                self._since = (event["elapsed_s"], event["requests"])
            case "slice":
                self._slice = event
                for line in report.lines(event):
                    print(line)
                sys.stdout.flush()
                for line in rate_missed(event):
                    _say(f"warning: {line}")
                driver.send(cmd="check")
            case "check":
                self._checked = event
                driver.send(cmd="quit")

    def close(self) -> None:
        """Errors: WaltaxError for a failed operation, and for records that are not consistent."""
        result = require_result(self._slice, "ycsb run")
        _require_consistent(require_result(self._checked, "ycsb run"))
        if result["errors"]:
            samples = "; ".join(result["error_samples"][:3])
            raise WaltaxError(f"{result['errors']} operations failed: {samples}")
