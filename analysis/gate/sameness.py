"""What two campaigns must share before their difference means anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...base import strictjson
from ...base.errors import UsageError
from ...base.printable import shorten
from ...cell import COLUMNS, Cell
from ...row import Row
from ..results import Source
from ..results.hosts import MACHINE, behind
from ..results.source import CAMPAIGN

ALLOWED = ("program", "profile", "device", "tool")
"""What may be allowed to differ. The workload never may: its requests would be other requests."""


def require_same(
    base: Source, new: Source, allow: Collection[str] = (), devices: Sequence[str] = ()
) -> list[str]:
    """Check that cells of one name are the same thing in both campaigns.

    Return a sentence for each allowed difference. Errors: UsageError that names the key and both
    values, for a difference that was not allowed, for campaigns without a common cell, and for one
    of `devices` that neither has.
    """
    if base.folder and new.folder and base.folder.samefile(new.folder):
        raise UsageError(f"B: {new.name}: found A itself; name two campaigns")
    there = sorted({row["device"] for row in base.rows} & {row["device"] for row in new.rows})
    for device in devices:
        if device not in there:
            raise UsageError(f"--device: found {device}; both have {', '.join(there) or 'none'}")
    ours, theirs = _by_cell(base.rows), _by_cell(new.rows)
    common = [name for name in ours if name in theirs]
    if not common:
        raise UsageError(f"B: {new.name}: {_disjoint(base.rows, new.rows)}")
    _require_command(base, new)
    remarks = []
    for name in common:
        mine, refused = behind(theirs[name]), dict[str, str]()
        for place, values in behind(ours[name]).items():
            (word, key, _), others = place, mine.get(place, values)
            if word == MACHINE or {*values} == {*others}:
                continue
            a, b = " and ".join(values), " and ".join(others)
            if word in allow:
                remarks.append(f"{key} differs, as allowed: {a} in base, {b} in new")
            else:
                refused.setdefault(word, f"found {key} {b}, and {a} in A; measure both alike")
        if refused:
            flags = " ".join(f"--allow {word}" for word in refused)
            or_allow = f", or type {flags} where that difference is the question"
            first = next(iter(refused.values()))
            raise UsageError(f"B: cell {name}: {first}{or_allow * (refused.keys() <= {*ALLOWED})}")
    return list(dict.fromkeys(remarks))


def _by_cell(rows: Iterable[Row]) -> dict[str, list[Row]]:
    cells: dict[str, list[Row]] = {}
    for row in rows:
        cells.setdefault(row["cell"], []).append(row)
    return cells


def _disjoint(base: Sequence[Row], new: Sequence[Row]) -> str:
    """Say why no cell is in both: the first of a cell's names without a shared value."""
    for name in COLUMNS:
        a, b = ({Cell.of_row(row).columns[name] for row in rows} for rows in (base, new))
        if not a & b:
            mine, other = (", ".join(sorted(map(str, values))) for values in (b, a))
            found = f"found {name} {shorten(mine)}, and {shorten(other)} in A"
            way = "; give both TOMLs one `name`, and add --allow profile" * (name == "profile")
            return f"{found}; no cell in common{way}"
    return "no cell in common with A; name two campaigns of one recipe"


def _require_command(base: Source, new: Source) -> None:
    """Check that `waltax try` had the same command, which is the workload."""
    a, b = _command(base.folder), _command(new.folder)
    for key in sorted({*a, *b}):
        if a and b and a.get(key) != b.get(key):
            found, other = shorten(str(b.get(key))), shorten(str(a.get(key)))
            raise UsageError(
                f"B: {new.name}: found command.{key} {found}, and {other} in A; measure both alike"
            )


def _command(folder: Path | None) -> Mapping[str, Any]:
    """Return what a campaign keeps about a user's command; empty if there is none."""
    command = strictjson.read_object(folder / CAMPAIGN).get("command") if folder else None
    return command if isinstance(command, dict) else {}
