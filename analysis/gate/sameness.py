"""What two campaigns must share before their difference means anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...base import strictjson
from ...base.errors import UsageError
from ...base.printable import shorten
from ...cell import COLUMNS, Cell
from ...row import Row
from ..results import Source, read
from ..results.hosts import Machine, machine_of
from ..results.identity import behind
from ..results.source import CAMPAIGN

ALLOWED = ("program", "profile", "device", "tool")
"""What may be allowed to differ. The workload never may: its requests would be other requests."""


@dataclass(frozen=True)
class Side:
    """A campaign to compare: its folder, its rows, and its machine if there is only one."""

    folder: Path
    source: Source
    machine: Machine | None

    @property
    def rows(self) -> list[Row]:
        return self.source.rows

    def is_machine_of(self, other: Side) -> bool:
        """Return whether both are known to come from one machine."""
        return self.machine is not None and self.machine == other.machine


def side(folder: Path) -> Side:
    """Read the campaign in a folder. Errors: as `load`."""
    source = read([folder])
    return Side(folder, source, machine_of(source.rows))


def require_same(
    base: Side, new: Side, allow: Collection[str] = (), devices: Sequence[str] = ()
) -> list[str]:
    """Check that cells of one name are the same thing in both campaigns.

    Return a sentence for each allowed difference. Errors: UsageError that names the key and both
    values, for a difference that was not allowed, for campaigns without a common cell, and for one
    of `devices` that neither has.
    """
    if base.folder.resolve() == new.folder.resolve():
        raise UsageError(f"B: {new.folder}: found A itself; name two campaigns")
    there = sorted({row["device"] for row in base.rows} & {row["device"] for row in new.rows})
    for device in devices:
        if device not in there:
            raise UsageError(f"--device: found {device}; both have {', '.join(there) or 'none'}")
    ours, theirs = _by_cell(base.rows), _by_cell(new.rows)
    common = [name for name in ours if name in theirs]
    if not common:
        raise UsageError(f"B: {new.folder}: {_disjoint(base.rows, new.rows)}")
    _require_command(base, new)
    remarks = []
    for name in common:
        mine = behind(theirs[name])
        differing = [
            (key[0], key[1], " and ".join(values), " and ".join(mine[key]))
            for key, values in behind(ours[name]).items()
            if key in mine and {*values} != {*mine[key]}
        ]
        refused = [each for each in differing if each[0] not in allow]
        for _, key, a, b in refused:
            words = list(dict.fromkeys(word for word, *_ in refused))
            flags = " ".join(f"--allow {word}" for word in words)
            or_allow = f", or type {flags} where that difference is the question"
            raise UsageError(
                f"B: cell {name}: found {key} {b}, and {a} in A; measure both alike"
                + or_allow * (set(words) <= set(ALLOWED))
            )
        for _, key, a, b in differing:
            remarks.append(f"{key} differs, as allowed: {a} in base, {b} in new")
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


def _require_command(base: Side, new: Side) -> None:
    """Check that `waltax try` had the same command, which is the workload."""
    a, b = _command(base.folder), _command(new.folder)
    for key in sorted({*a, *b}):
        if a and b and a.get(key) != b.get(key):
            found, other = shorten(str(b.get(key))), shorten(str(a.get(key)))
            raise UsageError(
                f"B: {new.folder}: found command.{key} {found}, and {other} in A; measure "
                "both alike"
            )


def _command(folder: Path) -> Mapping[str, Any]:
    """Return what a campaign keeps about a user's command; empty if there is none."""
    command = strictjson.read_object(folder / CAMPAIGN).get("command")
    return command if isinstance(command, dict) else {}
