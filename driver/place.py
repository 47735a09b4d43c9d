"""Where a command line keeps its data set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError


@dataclass(frozen=True)
class Place:
    """Where the data is, and how commits to it are acknowledged."""

    db: Path
    wal_dir: Path
    durability: str
    ours: bool  # nobody chose `db`: a new load may replace what is there


def refuse_foreign_wal(place: Place) -> None:
    """Before a load: an old WAL would be replayed into the new data set when that is opened.

    Errors: UsageError.
    """
    old = sorted(place.wal_dir.glob("*.log")) if place.wal_dir != place.db else []
    if old:
        raise UsageError(
            f"--wal-dir: {place.wal_dir} holds the WAL of another database ({old[0].name}); "
            "empty it, or name another directory"
        )
