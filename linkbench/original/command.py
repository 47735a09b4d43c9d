"""The command `waltax linkbench`: the original's options, on an embedded store or a server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ... import engines
from ...driver.argv import Scalar
from ...driver.original.phase import say, show
from ...driver.original.place import AnyPlace, Place, chosen, held
from ...errors import UsageError
from ...printable import one_line
from . import phases
from .keys import Phase
from .properties import HOME_VARIABLE, Config, read_config
from .settings import Settings, check

_DEFAULT_DB = "data/linkbench-cli/db"
_ENGINE = click.Choice(engines.PLACED)
_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command(name="linkbench", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-c",
    "config",
    type=_FILE,
    help=f"Config file. [${HOME_VARIABLE}/config/LinkConfigMysql.properties]",
)
@click.option("-l", "do_load", is_flag=True, help="Execute the load phase.")
@click.option("-r", "do_request", is_flag=True, help="Execute the request phase, after -l.")
@click.option("-D", "overrides", multiple=True, metavar="KEY=VALUE", help="Override the files.")
@click.option("-L", "log_file", type=_FILE, help="Append the results to this file, too.")
@click.option("-csvstats", "--csvstats", "stats", hidden=True)
@click.option("-csvstream", "--csvstream", "stream", hidden=True)
@click.option("--engine", type=_ENGINE, default=engines.EMBEDDED, show_default=True)
@click.option("--socket", type=click.Path(path_type=Path), help="Unix socket of its server.")
@click.option("--user", help="Account on the server, without a password. [your name]")
@click.option("--database", help="Database on the server. [waltax]")
@click.option("--db", type=_FOLDER, help=f"Where the graph is. [{_DEFAULT_DB}]")
@click.option("--wal-dir", type=_FOLDER, help="Where its WAL is. [beside the graph]")
@click.option(
    "--durability",
    type=click.Choice(["sync", "flush", "off"]),
    help="When a commit is acknowledged. [sync, or what write_options_* say]",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Of both phases.")
def command(**options: Any) -> None:
    """The LinkBench benchmark by its original command line and configuration files.

    Exits with 1 when a phase failed, also when too many requests did; with 2 when the
    command line or a file cannot be used.
    """
    wanted = [
        phase
        for phase, flag in ((Phase.LOAD, "do_load"), (Phase.RUN, "do_request"))
        if options[flag]
    ]
    if not wanted:
        raise UsageError("linkbench: found neither -l nor -r, want one of them or both")
    config = read_config(options["config"] or _stock_config(), options["overrides"])
    settings = check(config, wanted, options["engine"])
    durability = options["durability"] or _durability(settings.values)
    place = chosen(options, _DEFAULT_DB, durability)
    for name in ("stats", "stream"):
        if options[name] is not None:
            say(f"-csv{name}: no effect: percentiles of each operation are printed at the end")
    _introduce(config, settings, place)
    fresh = Phase.LOAD in wanted
    with _teller(options["log_file"]) as tell, held(place, fresh=fresh, say=say):
        if Phase.LOAD in wanted:
            phases.load(settings, place, options["seed"], tell)
        if Phase.RUN in wanted:
            phases.request(settings, place, options["seed"], tell)


@contextmanager
def _teller(path: Path | None) -> Iterator[Callable[[str], None]]:
    """Yield what prints a line of a result, and adds it to the file of -L. Errors: UsageError."""
    if path is None:
        yield show
        return
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"-L: cannot write {path}: {error.strerror}") from error

    def tell(line: str) -> None:
        show(line)
        print(one_line(line), file=file, flush=True)

    with file:
        yield tell


def _stock_config() -> Path:
    home = os.environ.get(HOME_VARIABLE)
    if not home or not Path(home).is_dir():
        raise UsageError(
            f"-c: found nothing, and {HOME_VARIABLE} is no directory; want a config file"
        )
    return Path(home) / "config" / "LinkConfigMysql.properties"


def _durability(values: Mapping[str, Scalar]) -> str:
    """Return what the original's RocksDB configuration asks for; `sync` where it does not."""
    if values.get("write_options_disableWAL", False):
        return "off"
    return "sync" if values.get("write_options_sync", True) else "flush"


def _introduce(config: Config, settings: Settings, place: AnyPlace) -> None:
    say(f"Config file: {config.path}")
    say(f"Workload config file: {config.workload_path}")
    if isinstance(place, Place):
        say(f"Data in {place.db}, WAL in {place.wal_dir}, durability {place.durability}")
    else:
        where = f"{place.socket}, user {place.user}, database {place.database}"
        say(f"Data on the {place.engine} server at {where}")
    for note in settings.notes:
        say(note)
    for warning in settings.warnings:
        say(f"warning: {warning}")
