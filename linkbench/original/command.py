"""The command `waltax linkbench`: the original's options, on an embedded store or a server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from ... import engines
from ...driver.argv import Scalar
from ...driver.original.phase import output
from ...driver.original.place import AnyPlace, Place, embedded, held, on_server
from ...errors import UsageError
from . import phases, report
from .keys import Phase
from .log import Log
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
@click.option("-L", "log_file", type=_FILE, help="Log here, and only warnings on the terminal.")
@click.option("-csvstats", "--csvstats", "stats", type=_FILE, help="Final statistics as CSV.")
@click.option("-csvstream", "--csvstream", "stream", type=_FILE, help="Statistics over time.")
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
    place = _place(options, settings.values)
    with ExitStack() as stack:
        log_file = stack.enter_context(output("-L", options["log_file"], "a"))
        out = phases.Outputs(
            Log(settings.whole("debuglevel"), log_file),
            stack.enter_context(output("-csvstats", options["stats"])),
            stack.enter_context(output("-csvstream", options["stream"])),
        )
        if out.stream is not None:
            print(report.STREAM_HEADER, file=out.stream, flush=True)
        _introduce(config, settings, place, out.log)
        fresh = Phase.LOAD in wanted and settings.values["linkstore"] != "memory"
        stack.enter_context(held(place, fresh=fresh, say=out.log.info))
        if Phase.LOAD in wanted:
            phases.load(settings, place, options["seed"], out)
        if Phase.RUN in wanted:
            phases.request(settings, place, options["seed"], out)


def _stock_config() -> Path:
    home = os.environ.get(HOME_VARIABLE)
    if not home or not Path(home).is_dir():
        raise UsageError(
            f"-c: found nothing, and {HOME_VARIABLE} is no directory; want a config file"
        )
    return Path(home) / "config" / "LinkConfigMysql.properties"


def _place(options: Mapping[str, Any], values: Mapping[str, Scalar]) -> AnyPlace:
    engine, socket = options["engine"], options["socket"]
    user, database = options["user"], options["database"]
    if engine in engines.SERVED:
        names = {"--db": "db", "--wal-dir": "wal_dir", "--durability": "durability"}
        beside = {flag: options[name] for flag, name in names.items()}
        return on_server(engine, "--socket", socket, user, database, beside)
    for flag, value in (("--socket", socket), ("--user", user), ("--database", database)):
        if value is not None:
            raise UsageError(
                f"{flag}: found {str(value)!r} with --engine rocksdb, which has no server; "
                "type --engine myrocks or --engine innodb, or leave it out"
            )
    durability = options["durability"] or _durability(values)
    return embedded(_DEFAULT_DB, options["db"], options["wal_dir"], durability)


def _durability(values: Mapping[str, Scalar]) -> str:
    """Return what the original's RocksDB configuration asks for; `sync` where it does not."""
    if values.get("write_options_disableWAL", False):
        return "off"
    return "sync" if values.get("write_options_sync", True) else "flush"


def _introduce(config: Config, settings: Settings, place: AnyPlace, log: Log) -> None:
    log.info(f"Config file: {config.path}")
    log.info(f"Workload config file: {config.workload_path}")
    if isinstance(place, Place):
        log.info(f"Data in {place.db}, WAL in {place.wal_dir}, durability {place.durability}")
    else:
        where = f"{place.socket}, user {place.user}, database {place.database}"
        log.info(f"Data on the {place.engine} server at {where}")
    for note in settings.notes:
        log.info(note)
    for warning in settings.warnings:
        log.warn(warning)
