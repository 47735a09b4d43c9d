"""The command `waltax ycsb`: the original's letters and workload files, on any engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from ...base.errors import UsageError
from ...driver.argv import Command, Scalar
from ...driver.client import Event
from ..mix import record
from ..original import letters, phase
from ..original.place import Place, chosen
from . import translate
from .settings import Settings, require_end, settle

_FILE = click.Path(path_type=Path, dir_okay=False)
_HELP = {"help_option_names": ["-h", "--help"]}
_Command = TypeVar("_Command", bound=Callable[..., Any])


def _of_all(command: _Command) -> _Command:
    """Add the options that load, run and check share."""
    for option in reversed(
        (
            click.argument("binding", required=False),
            click.option("-P", "files", type=_FILE, multiple=True, help="Workload file."),
            click.option("-p", "words", multiple=True, metavar="KEY=VALUE", help="Wins over -P."),
            letters.of_place({}),
        )
    ):
        command = option(command)
    return command


def _of_work(command: _Command) -> _Command:
    """Add the options of load and run."""
    seeds, target = click.IntRange(0, 2**63 - 1), "Operations a second. [all]"
    command = click.option("--seed", type=seeds, default=1, show_default=True)(command)
    command = click.option("-s", "status", is_flag=True, hidden=True, expose_value=False)(command)
    command = click.option("-target", type=click.FloatRange(0), help=target)(command)
    threads = click.IntRange(1, 1024)
    return click.option("-threads", type=threads, help="[threadcount, or 1]")(command)


@click.group(name="ycsb", context_settings=_HELP)
def command() -> None:
    """The YCSB benchmark by its own letters and workload files.

    Exits with 1 when an operation failed or the records are not consistent; with 2 when the
    command line or a file cannot be used.
    """


@command.command(name="load", context_settings=_HELP)
@_of_all
@_of_work
def load(**options: Any) -> None:
    """Write the records of a workload file, and check them."""
    settings, place = typed(options, "load")
    threads = min(settings.threads, os.cpu_count() or 1)
    flags = {"threads": threads, "seed": options["seed"], **_parameters(settings)}
    loaded = phase.load(place, record.PROGRAM, flags)
    _check(settings, place)
    for line in _overall(loaded["seconds"], loaded["rows"]):
        phase.show(line)


@command.command(name="run", context_settings=_HELP)
@_of_all
@_of_work
@letters.durability("flush: the original's binding does not sync")
def run(**options: Any) -> None:
    """Run the operations of a workload file, print the original's throughput, and check."""
    settings, place = typed(options, "run")
    require_end(settings)
    rate = options["target"]
    flags = {
        **{"threads": settings.threads, "seed": options["seed"], **_parameters(settings)},
        "rate": settings.number("target") if rate is None else rate,
        "max_failed_requests": -1,  # which are reported, and then end the command
    }
    each, one_more = settings.operations_a_thread
    asked = {"measure_s": settings.longest_s, "requests": each, "one_more": one_more}
    with _explaining():
        phase.run(place, record.PROGRAM, flags, asked, lambda _, result: _report(result))


@command.command(name="check", context_settings=_HELP)
@_of_all
def check(**options: Any) -> None:
    """Check that all records are there, and hold what was written."""
    _check(*typed(options, "check"))


def typed(options: dict[str, Any], phase_of: Command) -> tuple[Settings, Place]:
    """Return what was typed: the settings of a workload, and where its records are.

    Errors: UsageError.
    """
    if options["binding"] not in (None, "rocksdb", "jdbc"):
        raise UsageError(
            f"ycsb: found the binding {options['binding']!r}, want rocksdb, jdbc, or none: where "
            "the records are is said by --engine; for a server that speaks the Redis protocol type "
            "waltax run --workload ycsb-a --endpoint sync=redis:///SOCKET --endpoint off=..."
        )
    settings = settle(options["files"], options["words"])
    if threads := options.get("threads"):
        settings = replace(settings, values={**settings.values, "threadcount": threads})
    for note in settings.notes:
        phase.say(note)
    return settings, chosen(options, options.get("durability") or "flush", phase_of)


def _parameters(settings: Settings) -> dict[str, Scalar]:
    """Return the flag that names the mix of these properties."""
    return {"file": record.compiled_file("ycsb", translate.mix(settings))}


def _check(settings: Settings, place: Place) -> None:
    with _explaining():
        phase.check(place, record.PROGRAM, _parameters(settings))


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


def _report(result: Event) -> Iterator[str]:
    yield from _overall(result["measure_s"], result["requests"])
    yield from phase.latencies(result["operations"])


def _overall(seconds: float, operations: int) -> Iterator[str]:
    """Yield the lines by which scripts read the original's result."""
    yield f"[OVERALL], RunTime(ms), {round(1000 * seconds)}"
    yield f"[OVERALL], Throughput(ops/sec), {operations / seconds if seconds else 0.0}"
