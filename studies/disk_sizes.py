"""`waltax paper sizes`: the bytes that the same data takes on disk in each engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base import strictjson
from ..base.errors import UsageError
from ..base.terminal import say
from ..engines import ENGINES, WHOLE, Engine
from ..runners.recipe import command_line
from ..workload import Workload
from . import options

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis.report import Table
    from ..profiles import Profile


@dataclass(frozen=True)
class Size:
    """Bytes of one engine's data set, by the lengths of its files."""

    engine: str
    release: str
    data: int
    logs: int
    rest: int
    units: int  # ids or warehouses


@click.command()
@options.profile("quick", "Size of the data.")
@command_line.workloads(
    workloads.DEFAULT, "Workloads, separated by blanks. Default: both.", *workloads.DEFAULT
)
@click.option("--engine", "engines", multiple=True, type=click.Choice(WHOLE), help="Default: all.")
@options.share_machine("Load although a campaign is running.")
@options.data_dir("Where data sets are.")
def command(
    *,
    profile: str,
    workloads: tuple[str, ...],
    engines: tuple[str, ...],
    share_machine: bool,
    data_dir: Path,
) -> None:
    """How many bytes the same data take on disk in each engine; loads what is missing."""
    from ..base.folders.machine import only_campaign
    from ..base.terminal import Terminal
    from ..runners.cells.driver import loading

    console, of_engines = Terminal(), _profiles(profile, engines)
    with only_campaign("sizes", share=share_machine) as notes:
        say(console, *(f"warning: {note}" for note in notes))
        for workload in dict.fromkeys(workloads):
            sizes = []
            for sized_for in of_engines:
                path = loading.prepare(
                    sized_for, workload, data_dir.absolute(), lambda text: say(console, text)
                )
                sizes.append(measure(sized_for.engine, workload, path))
            _print(workload, of_engines[0].name, sizes, console)


def _profiles(name: str, engines: Sequence[str]) -> list[Profile]:
    """Return the profile for each engine; those that lack it are skipped unless they are named.

    Errors: UsageError when all lack it.
    """
    from .. import profiles

    wanted = engines or [engine for engine in WHOLE if name in profiles.names(engine)]
    if not wanted:
        raise UsageError(
            f"--profile: found {name!r}, which is a profile of no engine; type one of "
            f"{', '.join(profiles.names())}, or a TOML file of yours and its --engine"
        )
    return [profiles.load(name, engine) for engine in wanted]


def measure(engine: str, workload: str, path: Path) -> Size:
    """Return the sizes of a data set that `loading.prepare` returned."""
    record = ENGINES[engine]
    data, logs = _bytes(path, record.data_files), _bytes(path, record.all_logs)
    everything = _bytes(path, ("**/*",))
    recorded = strictjson.read_object(path.parent / "dataset.json")
    units = recorded[workloads.WORKLOADS[workload].scale.loaded]
    return Size(engine, _release(record, path), data, logs, everything - data - logs, units)


def _bytes(path: Path, patterns: Sequence[str]) -> int:
    files = {file for pattern in patterns for file in path.glob(pattern) if file.is_file()}
    return sum(file.stat().st_size for file in files)


def _release(engine: Engine, path: Path) -> str:
    """Return RocksDB's release from its info log, or "" for other engines."""
    if engine.info_log is None or not (path / engine.info_log).is_file():
        return ""
    log = (path / engine.info_log).read_text(errors="replace")
    release = re.search(r"RocksDB version: (\d[\d.]*)", log)
    if release is None:
        return ""
    return f" (RocksDB {release[1]})" if engine.on_server else f" {release[1]}"


def _print(workload: str, profile: str, sizes: Sequence[Size], console: Console) -> None:
    from ..analysis import publish
    from ..analysis.report import Lines, Report

    record = workloads.WORKLOADS[workload]
    legend = [
        f"data: the files that hold the {record.title} tables and their indexes, after a bulk load",
        "and a clean shutdown, compressed as the profile has it; ratio and bytes per "
        f"{record.scale.thing} are of it",
        "logs: write-ahead and info logs; rest: a server's own tables and undo space, metadata",
    ]
    publish(Report("sizes", [_table(record, profile, sizes), Lines(legend)]), console)


def _table(record: Workload, profile: str, sizes: Sequence[Size]) -> Table:
    from ..analysis.series import Column, table

    unit, units = record.scale.thing, sizes[0].units
    smallest = min(size.data for size in sizes)
    columns: list[Column[Size]] = [
        Column("engine", "engine", "text", lambda size: ENGINES[size.engine].title + size.release),
        Column("data", "data bytes", "whole"),
        Column("each", f"per {unit}", "whole", lambda size: size.data / size.units),
        Column(
            "ratio", "ratio", text=lambda size: f"{size.data / smallest:.2f}" if smallest else "-"
        ),
        Column("logs", "logs", "whole"),
        Column("rest", "rest", "whole"),
    ]
    title = f"{record.title}, profile {profile}: {units:,} {unit}{'' if units == 1 else 's'}"
    return table(title, sorted(sizes, key=lambda size: size.data), columns)
