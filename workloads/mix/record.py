"""The record of a mix, a workload that a TOML file describes.

What a file may hold stands in `file`, and what is wrong in one in `judge`. Here is what a campaign
and its report need to know of a file that was read already.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...engines import EMBEDDED, SERVED
from ...workload import Event, Parameter, Scale, Table, Unit, Workload
from . import ROWS

if TYPE_CHECKING:
    from .file import Mix

PROGRAM = "mix"
FILES = Path(__file__).parent / "files"
_WRITES = frozenset({"insert", "put", "update", "delete"})
_TABLES = re.compile(r"^\s*(?:\[|tables|operations)", re.MULTILINE)


def is_mix(text: str) -> bool:
    """Return whether a text is a mix's, and not a workload file of YCSB's."""
    return _TABLES.search(text) is not None


def name_of(path: Path) -> str:
    """Return the workload's name for a file: its stem in small letters, digits and `-`."""
    return re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-") or PROGRAM


def record(name: str, text: str, group: str = "") -> Workload:
    """Make the record of a mix from its text. REQUIRES: `read.read` accepts it.

    `group` is the word for it and others. It makes no model of the file, because every command's
    help needs the table of workloads.
    """
    mix = tomllib.loads(text)
    operations: Mapping[str, Any] = mix["operations"]
    tables: Mapping[str, Any] = mix["tables"]
    load: Mapping[str, Any] = mix.get("load", {})
    unit = str(mix.get("unit", "operations/s"))
    request = "operation" if unit == "ops/s" else unit.removesuffix("/s").removesuffix("s")
    two_phase = any(
        described.get("transaction") == "two-phase" for described in operations.values()
    )
    engines, why_engines = _engines(operations.values(), tables)
    return Workload(
        name=name,
        title=str(mix.get("title", name)),
        unit=Unit(unit, 1.0, request),
        section=str(mix.get("sized_by", PROGRAM)),
        group=group or name,
        program=PROGRAM,
        engines=engines,
        why_engines=why_engines,
        text=text,
        driver_file=partial(compiled_file, name, text),
        own_clients=load.get("clients"),
        data_mb=partial(_data_mib, name, text),
        asked_only=True,
        # The default, and one for each table and each index.
        sharded=_is_of_single_rows(operations.values(), tables),
        column_families=1
        + sum(1 + len(described.get("indexes", {})) for described in tables.values()),
        writes=tuple(name for name, described in operations.items() if _WRITES & _verbs(described)),
        records_a_commit=2 if two_phase else 1,
        smallest_commit_bytes=20.0,  # the record of a deleted row: its key and a header
        scale=Scale("scale", "time its file's rows", "rows", _shrink, in_bytes=True),
        data_digest=hashlib.sha256(json.dumps([ROWS, tables], sort_keys=True).encode()).hexdigest()[
            :12
        ],
        clone_growth=4.0,
        written_mib_per_s=60,
        data=partial(_data, [table for table in tables.values() if table.get("loaded", True)]),
        progress=_progress,
        loaded=_loaded,
    )


def shipped() -> dict[str, Path]:
    """Return each file of ours by its workload's name, which begins with the folder's."""
    paths = sorted(FILES.rglob("*.toml"))
    return {"-".join(path.relative_to(FILES).with_suffix("").parts): path for path in paths}


def workloads() -> Iterator[Workload]:
    """Return the record of each file of ours."""
    for name, path in shipped().items():
        group = "" if path.parent == FILES else path.parent.name
        yield record(name, path.read_text(encoding="utf-8"), group)


@cache
def compiled_file(name: str, text: str) -> str:
    """Return the path of a mix in the program's form, which exists as long as this process.

    A campaign uses the text that the file had when it began. Errors: as `read.read`.
    """
    from . import compiled

    descriptor = os.memfd_create(f"{name}.json")
    os.write(descriptor, compiled.compiled(_model(name, text)).encode())
    return f"/proc/{os.getpid()}/fd/{descriptor}"


def _data_mib(name: str, text: str) -> int:
    """Return the MiB that a mix's loaded rows take. Errors: as `read.read`."""
    from . import explain

    return math.ceil(explain.loaded_bytes(_model(name, text)) / 2**20)


@cache
def _model(name: str, text: str) -> Mix:
    from . import read

    return read.read(Path(name), text.encode())


def _engines(
    operations: Collection[Mapping[str, Any]], tables: Mapping[str, Any]
) -> tuple[tuple[str, ...] | None, str]:
    """Return the engines that a mix runs on, None for all, and why it needs these."""
    for described in operations:
        if described.get("transaction") in ("optimistic", "two-phase"):
            return (
                EMBEDDED,
            ), f"transactions that are {described['transaction']} are RocksDB's own"
        for step in described["steps"]:
            indexes = tables[step["scan"]].get("indexes", {}) if "scan" in step else {}
            if step.get("by", "key") not in ("key", *indexes):
                return SERVED, f"a scan by {step['by']}, which has no index, takes SQL"
    unordered = [
        step
        for described in operations
        for step in described["steps"]
        if "scan" in step
        and (described.get("transaction") or not tables[step["scan"]].get("ordered"))
    ]
    if unordered or any(described.get("indexes") for described in tables.values()):
        return (EMBEDDED, *SERVED), "a server of the Redis protocol has no order and no index"
    return None, ""


def _is_of_single_rows(
    operations: Collection[Mapping[str, Any]], tables: Mapping[str, Any]
) -> bool:
    """Return whether the only table can be dealt out to nodes by its keys, and each operation be
    done by one of them.
    """
    (table, *others) = tables.values()
    draws = [
        [
            draw
            for draw in described.get("draw", {}).values()
            if isinstance(draw, str) or "row" in draw
        ]
        for described in operations
    ]
    steps = [step for described in operations for step in described["steps"]]
    return (
        not others
        and table.get("key", {}).get("order") == "fnv"
        and all(len(of) <= 1 for of in draws)
        and not any({"batch", "scan"} & step.keys() for step in steps)
        and not any("count" in draw for of in draws for draw in of)
    )


def _verbs(operation: Mapping[str, Any]) -> set[str]:
    return {verb for step in operation["steps"] for verb in step}


def _shrink(
    load: Table, run: Table, share: float, _threads: int
) -> tuple[dict[str, Parameter], Table]:
    return {**load, "scale": float(load.get("scale", 1.0)) * share}, run


def _data(tables: Sequence[Mapping[str, Any]], load: Table) -> str:
    scale = float(load.get("scale", 1.0))
    times = "" if scale == 1 else f"{scale:g} times "
    if any("rows" not in table for table in tables):
        return f"{times}the rows of its file"
    rows = sum(int(table["rows"]) for table in tables)
    if rows == 0:
        return "tables that begin empty"
    return f"{round(rows * scale):,} rows, {times}those of its file"


def _progress(event: Event) -> str:
    return f"{event['rows']:,} rows in {event['seconds']:.0f} s"


def _loaded(event: Event) -> str:
    return f"{event['rows']:,} rows in {event['seconds']:.1f} s"
