"""What all rows of one cell must agree on: an estimate speaks of one thing only."""

from __future__ import annotations

from ..errors import WaltaxError
from ..row import Row

COLUMNS = (
    "cell",
    "engine",
    "workload",
    "profile",
    "device",
    "durability",
    "threads",
    "replica",
    "emulated",
    "device_kind",
    "throughput_unit",
)

# Rows of campaigns without any have no such columns.
VARIED = ("size", "knob")

# Beyond the names: what they stood for. Rows without these columns are not told apart by them.
_STOOD_FOR = {
    "placement_digest": "latency models, directories or disks",
    "profile_digest": "profiles",
    "isolation": "isolation levels",
    "paced": "pauses",
}


def require_one(rows: list[Row]) -> None:
    """Raises WaltaxError, naming cell and column, when two rows of a cell are of two things.

    A resumed campaign and several campaigns read as one can hold such rows: a device keeps its
    name, and so the cell its id, when it is emulated one day and real the next.
    """
    found: dict[tuple[str, str], object] = {}
    for one in rows:
        for column in (*COLUMNS, *VARIED, *_STOOD_FOR):
            value = one.get(column)
            if value is None:
                continue
            first = found.setdefault((one["cell"], column), value)
            if first != value:
                raise WaltaxError(
                    f"cell {one['cell']}: found {column} {first} and {value}; its slices were "
                    f"measured with different {_STOOD_FOR.get(column, 'settings')}; "
                    "report them separately"
                )
