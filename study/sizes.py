"""`waltax sizes`: what the same data takes on disk in each engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import strictjson
from ..cell import ENGINES, WORKLOADS
from ..errors import UsageError
from ..runners import folders, typed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from ..profiles import Profile

_TITLES = {"rocksdb": "RocksDB", "myrocks": "MyRocks", "innodb": "InnoDB"}
_WORKLOADS = {"linkbench": "LinkBench", "tpcc": "TPC-C"}
# Of a data set, which files hold the workload's rows and indexes, and which are logs: the
# engine's, and those that tell what it did. The rest is the server's own tables and metadata.
_DATA = {
    "rocksdb": ("*.sst", "*.blob"),
    "myrocks": ("#rocksdb/*.sst", "#rocksdb/*.blob"),
    "innodb": ("waltax/*.ibd",),
}
_LOGS = {
    "rocksdb": ("*.log", "LOG*"),
    "myrocks": ("#rocksdb/*.log", "#rocksdb/LOG*", "aria_log*", "ib_logfile*"),
    "innodb": ("ib_logfile*", "aria_log*", "undo*", "ib_buffer_pool"),
}
# What a load calls the things that a user counts its size in.
_UNITS = {"linkbench": ("id", "nodes"), "tpcc": ("warehouse", "warehouses")}


@dataclass(frozen=True)
class Size:
    """Bytes of one engine's data set, as its files' lengths."""

    engine: str
    release: str
    data: int
    logs: int
    rest: int
    units: int  # ids or warehouses


@click.command()
@click.option("--profile", default="quick", show_default=True, help="Size of the data.")
@typed.workloads(WORKLOADS, "Default: both.")
@click.option(
    "--engine", "engines", multiple=True, type=click.Choice(list(ENGINES)), help="Default: all."
)
@click.option("--share-machine", is_flag=True, help="Load beside a campaign all the same.")
@folders.option("--data-dir", "data", "Where data sets are.")
def command(**options: Any) -> None:
    """Bytes on disk of the same data in each engine, loaded now where it is not there yet."""
    from ..owned.machine import only_campaign
    from ..runners import dataset
    from ..terminal import Terminal
    from .campaigns import say

    console = Terminal()
    if not console.is_terminal:
        console.width = max(console.width, 100)
    with only_campaign("sizes", share=options["share_machine"]) as notes:
        say(console, *(f"warning: {note}" for note in notes))
        for workload in tuple(dict.fromkeys(options["workloads"])) or WORKLOADS:
            profiles = _profiles(options["profile"], options["engines"], workload)
            found = []
            for profile in profiles:
                path = dataset.prepare(
                    profile, workload, options["data_dir"].absolute(), lambda t: say(console, t)
                )
                found.append(measure(profile.engine, workload, path))
            _print(workload, profiles[0].name, found, console)


def _profiles(name: str, engines: Sequence[str], workload: str) -> list[Profile]:
    """The profile for each engine, each with the same load: that of the first.

    Errors: UsageError when no engine has it; one that lacks it is left out unless asked for.
    """
    from .. import profiles

    found: list[Profile] = []
    for engine in engines or [one for one in ENGINES if name in profiles.names(one)]:
        found.append(_with_load(profiles.load(name, engine), workload, found))
    if not found:
        raise UsageError(
            f"--profile: found {name!r}, of which no engine has a file; one of "
            f"{', '.join(profiles.names())}, or a TOML of yours beside its --engine"
        )
    return found


def _with_load(profile: Profile, workload: str, others: Sequence[Profile]) -> Profile:
    if not others:
        return profile
    load = others[0].workload(workload).load
    section = profile.workload(workload).model_copy(update={"load": load})
    return profile.model_copy(update={workload: section})


def measure(engine: str, workload: str, path: Path) -> Size:
    """The sizes of a data set that `dataset.prepare` returned."""
    data, logs = _bytes(path, _DATA[engine]), _bytes(path, _LOGS[engine])
    everything = _bytes(path, ("**/*",))
    units = _loaded(path, _UNITS[workload][1])
    return Size(engine, _release(engine, path), data, logs, everything - data - logs, units)


def _loaded(path: Path, what: str) -> int:
    """How many of `what` the load said that it wrote. Errors: UsageError for a broken record."""
    record = path.parent / "dataset.json"
    try:
        units: object = strictjson.loads(record.read_bytes())[what]
        if not isinstance(units, int) or units < 1:
            raise ValueError(f"{what} is {units!r}")
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise UsageError(
            f"{record}: not as a load wrote it ({error}); remove {path.parent} to load again"
        ) from error
    return units


def _bytes(path: Path, patterns: Sequence[str]) -> int:
    files = {file for pattern in patterns for file in path.glob(pattern) if file.is_file()}
    return sum(file.stat().st_size for file in files)


def _release(engine: str, path: Path) -> str:
    """RocksDB's, from the info log that it left; else nothing is said."""
    log = path / ("#rocksdb/LOG" if engine == "myrocks" else "LOG")
    if not log.is_file():
        return ""
    found = re.search(r"RocksDB version: (\d[\d.]*)", log.read_text(errors="replace"))
    if found is None:
        return ""
    return f" {found[1]}" if engine == "rocksdb" else f" (RocksDB {found[1]})"


def _print(workload: str, profile: str, sizes: Sequence[Size], console: Console) -> None:
    from .campaigns import say

    unit = _UNITS[workload][0]
    console.print(_table(workload, profile, sizes))
    say(
        console,
        f"  data: the files that hold the {_WORKLOADS[workload]} tables and their indexes, after "
        "a bulk load",
        f"  and a clean shutdown, compressed as the profile has it; ratio and bytes per {unit} are "
        "of it",
        "  logs: write-ahead and info logs; rest: a server's own tables and undo space, metadata",
        "",
    )


def _table(workload: str, profile: str, sizes: Sequence[Size]) -> Table:
    from rich import box
    from rich.table import Table

    unit, units = _UNITS[workload][0], sizes[0].units
    plural = "" if units == 1 else "s"
    title = f"{_WORKLOADS[workload]}, profile {profile}: {units:,} {unit}{plural}"
    table = Table(title=title, title_justify="left", title_style="", box=box.SIMPLE_HEAD)
    table.add_column("engine", overflow="fold")
    for header in ("data bytes", f"per {unit}", "ratio", "logs", "rest"):
        table.add_column(header, justify="right", no_wrap=True)
    smallest = min(one.data for one in sizes)
    for one in sorted(sizes, key=lambda one: one.data):
        table.add_row(
            _TITLES[one.engine] + one.release,
            f"{one.data:,}",
            f"{one.data / one.units:,.0f}",
            f"{one.data / smallest:.2f}" if smallest else "-",
            f"{one.logs:,}",
            f"{one.rest:,}",
        )
    return table
