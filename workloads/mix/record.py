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
from collections.abc import Collection, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from ...engines import EMBEDDED, SERVED
from ...workload import Event, Parameter, Scale, Table, Unit, Workload

PROGRAM = "mix"
FILES = Path(__file__).parent / "files"
_WRITES = frozenset({"insert", "put", "update", "delete"})
_BYTES = re.compile(r"([0-9.]+) ?([kMGT]?)(i?)B?")
_POWERS = " kMGT"
_TABLES = re.compile(r"^\s*(?:\[|tables|operations)", re.MULTILINE)
_TEXT_BYTES = 100  # of a column that does not say its size


def is_mix(text: str) -> bool:
    """Return whether a text is a mix's, and not a workload file of YCSB's."""
    return _TABLES.search(text) is not None


def name_of(path: Path) -> str:
    """Return what the workload of a file is called: its name in small letters, digits and `-`."""
    return re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-") or PROGRAM


def record(name: str, text: str, group: str = "") -> Workload:
    """Make the record of a mix from its text. REQUIRES: `read.read` accepts it.

    `group` is the word for it and others. No model of the file is made here: the table of workloads
    is there for every command's help.
    """
    mix = tomllib.loads(text)
    operations: Mapping[str, Any] = mix["operations"]
    tables: Mapping[str, Any] = mix["tables"]
    load: Mapping[str, Any] = mix.get("load", {})
    unit = str(mix.get("unit", "operations/s"))
    request = unit.removesuffix("/s").removesuffix("s")
    two_phase = any(one.get("transaction") == "two-phase" for one in operations.values())
    engines, why_engines = _engines(operations.values(), tables)
    return Workload(
        name=name,
        title=str(mix.get("title", name)),
        unit=Unit(unit, 1.0, request),
        section=PROGRAM,
        group=group or name,
        program=PROGRAM,
        engines=engines,
        why_engines=why_engines,
        text=text,
        driver_file=partial(compiled_file, name, text),
        own_clients=load.get("clients"),
        data_mb=math.ceil(sum(map(_bytes, tables.values())) / 2**20),
        asked_only=True,
        # The default, and one for each table and each index.
        column_families=1 + sum(1 + len(one.get("indexes", {})) for one in tables.values()),
        writes=tuple(name for name, one in operations.items() if _WRITES & _verbs(one)),
        records_a_commit=2 if two_phase else 1,
        smallest_commit_bytes=20.0,  # the record of a deleted row: its key and a header
        scale=Scale("scale", "time its file's rows", "rows", _shrink, in_bytes=True),
        data_digest=hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()[:12],
        epoch_s=1.0,
        clone_growth=4.0,
        written_mib_per_s=60,
        data=_data,
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
    """Return the path of what the program takes of a mix, which is there as long as this process.

    A campaign is measured by what its file said when it began, wherever that is by now. Errors: as
    `read.read`.
    """
    from . import compiled, read

    descriptor = os.memfd_create(f"{name}.json")
    os.write(descriptor, compiled.compiled(read.read(Path(name), text.encode())).encode())
    return f"/proc/{os.getpid()}/fd/{descriptor}"


def _engines(
    operations: Collection[Mapping[str, Any]], tables: Mapping[str, Any]
) -> tuple[tuple[str, ...] | None, str]:
    """Those that it runs on, and why not on all."""
    for one in operations:
        if one.get("transaction") in ("optimistic", "two-phase"):
            return (EMBEDDED,), f"transactions that are {one['transaction']} are RocksDB's own"
        for step in one["steps"]:
            indexes = tables[step["scan"]].get("indexes", {}) if "scan" in step else {}
            if step.get("by", "key") not in ("key", *indexes):
                return SERVED, f"a scan by {step['by']}, which has no index, takes SQL"
    if any("scan" in step for one in operations for step in one["steps"]) or any(
        one.get("indexes") for one in tables.values()
    ):
        return (EMBEDDED, *SERVED), "a server of the Redis protocol has no order and no index"
    return None, ""


def _verbs(operation: Mapping[str, Any]) -> set[str]:
    return {verb for step in operation["steps"] for verb in step}


def _bytes(table: Mapping[str, Any]) -> float:
    """What the rows of a table take, about."""
    if not table.get("loaded", True):
        return 0
    if "bytes" in table:
        return _number(table["bytes"])
    columns = table.get("columns", {}).values()
    row = table.get("key", {}).get("bytes", 8) + sum(map(_mean, columns))
    return float(table["rows"] * row)


def _number(said: int | str) -> float:
    found = _BYTES.fullmatch(str(said))
    assert found is not None
    power = _POWERS.index(found[2] or " ")
    each: int = (1024 if found[3] else 1000) ** power
    return float(found[1]) * each


def _mean(column: Mapping[str, Any]) -> float:
    """Bytes of a column's values."""
    if column.get("type") == "int":
        return float(column.get("size", 8))
    size = column.get("size", _TEXT_BYTES)
    if isinstance(size, list):
        return sum(size) / 2
    if isinstance(size, dict):
        steps = size.get("histogram", [[size.get("mean", _TEXT_BYTES), 1]])
        return float(sum(bytes * weight for bytes, weight in steps) / sum(w for _, w in steps))
    return float(size)


def _shrink(
    load: Table, run: Table, share: float, _threads: int
) -> tuple[dict[str, Parameter], Table]:
    return {**load, "scale": float(load.get("scale", 1.0)) * share}, run


def _data(load: Table) -> str:
    scale = float(load.get("scale", 1.0))
    return "the rows of its file" if scale == 1 else f"{scale:g} times the rows of its file"


def _progress(event: Event) -> str:
    return f"{event['rows']:,} rows in {event['seconds']:.0f} s"


def _loaded(event: Event) -> str:
    return f"{event['rows']:,} rows in {event['seconds']:.1f} s"
