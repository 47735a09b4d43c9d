"""The phases of the command line: load records, run operations on them, check them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ... import proc
from ...driver.original import phase
from ...driver.original.place import AnyPlace
from . import report
from .settings import Settings

_PROGRAM = "ycsb"


@dataclass(frozen=True)
class Told:
    """What a phase was told besides its properties."""

    place: AnyPlace
    seed: int
    threads: int
    rate: float = 0.0


def load(settings: Settings, told: Told) -> None:
    """Write the records, and check them. Errors: WaltaxError."""
    threads = min(told.threads, os.cpu_count() or 1)
    parameters = settings.data()
    loaded = phase.load(
        told.place, _PROGRAM, threads=threads, seed=told.seed, parameters=parameters
    )
    check(settings, told)
    for line in report.loaded(loaded):
        phase.show(line)


def check(settings: Settings, told: Told) -> None:
    """Check the records. Errors: WaltaxError when they are not consistent."""
    phase.check(told.place, _PROGRAM, settings.data())


def run(settings: Settings, told: Told) -> None:
    """Run operations, print the original's report, and check what they left.

    Errors: WaltaxError, also when an operation failed or the records are not consistent.
    """
    # Failed operations are reported, and then end the command.
    parameters = {**settings.requests(), "rate": told.rate, "max_failed_requests": -1}
    words = told.place.command_line(
        *(proc.program(_PROGRAM), "run"),
        threads=told.threads,
        seed=told.seed,
        parameters=parameters,
    )
    each, one_more = settings.operations_a_thread
    command = {"measure_s": settings.longest_s, "requests": each, "one_more": one_more}
    phase.run(words, command, lambda _, result: report.lines(result), told.place)
