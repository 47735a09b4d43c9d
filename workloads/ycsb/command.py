"""The command `waltax ycsb`: the original's letters and workload files, on any engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from ... import engines
from ...base.errors import UsageError
from ...driver.original.phase import say
from ...driver.original.place import Command, chosen
from . import phases
from .phases import Options
from .settings import Settings, require_end, settle

_ENGINE = click.Choice(engines.PLACED)
_FILE = click.Path(path_type=Path, dir_okay=False)
_PATH = click.Path(path_type=Path)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_HELP = {"help_option_names": ["-h", "--help"]}
_Command = TypeVar("_Command", bound=Callable[..., Any])


def _of_all(command: _Command) -> _Command:
    """Add the options that load, run and check share."""
    for option in reversed(
        (
            click.argument("binding", required=False),
            click.option("-P", "files", type=_FILE, multiple=True, help="Workload file."),
            click.option("-p", "words", multiple=True, metavar="KEY=VALUE", help="Wins over -P."),
            click.option("--engine", type=_ENGINE, default=engines.EMBEDDED, show_default=True),
            click.option("--socket", type=_PATH, help="Unix socket of its server."),
            click.option("--user", help="Account on the server, without a password. [your name]"),
            click.option("--database", help="Database on the server. [waltax]"),
            click.option("--db", type=_FOLDER, help="Where the records are."),
            click.option("--wal-dir", type=_FOLDER, help="Where their WAL is. [beside them]"),
        )
    ):
        command = option(command)
    return command


def _of_work(command: _Command) -> _Command:
    """Add the options of load and run."""
    threads = click.IntRange(1, 1024)
    for option in reversed(
        (
            click.option("-threads", type=threads, help="[threadcount, or 1]"),
            click.option("-target", type=click.FloatRange(0), help="Operations a second. [all]"),
            click.option("-s", "status", is_flag=True, hidden=True, expose_value=False),
            click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True),
        )
    ):
        command = option(command)
    return command


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
    settings, chosen_options = _typed(options, "load")
    phases.load(settings, chosen_options)


@command.command(name="run", context_settings=_HELP)
@_of_all
@_of_work
@click.option(
    "--durability",
    type=click.Choice(["sync", "flush", "off"]),
    help="When a commit is acknowledged. [flush: the original's binding does not sync]",
)
def run(**options: Any) -> None:
    """Run the operations of a workload file, print the original's report, and check."""
    settings, chosen_options = _typed(options, "run")
    require_end(settings)
    phases.run(settings, chosen_options)


@command.command(name="check", context_settings=_HELP)
@_of_all
def check(**options: Any) -> None:
    """Check that all records are there, and hold what was written."""
    settings, chosen_options = _typed(options, "check")
    phases.check(settings, chosen_options)


def _typed(options: dict[str, Any], command: Command) -> tuple[Settings, Options]:
    """Read what was typed. Errors: UsageError."""
    if options["binding"] not in (None, "rocksdb", "jdbc"):
        raise UsageError(
            f"ycsb: found the binding {options['binding']!r}, want rocksdb, jdbc, or none: where "
            "the records are is said by --engine; for a server that speaks the Redis protocol type "
            "waltax run --workload ycsb-a --endpoint sync=redis:///SOCKET --endpoint off=..."
        )
    settings = settle(options["files"], options["words"])
    if options.get("threads"):
        settings = replace(settings, values={**settings.values, "threadcount": options["threads"]})
    for note in settings.notes:
        say(note)
    rate = options.get("target")
    chosen_options = Options(
        place=chosen(options, options.get("durability") or "flush", command),
        seed=options.get("seed", 1),
        threads=settings.threads,
        rate=settings.number("target") if rate is None else float(rate),
    )
    return settings, chosen_options
