"""What a campaign was asked for, as its folder says, read leniently: to find it, not to resume it.

Campaigns of other releases are asked too, and one that cannot be read is as good as none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import strictjson
from ...runners.kept import RECIPE


@dataclass(frozen=True)
class Asked:
    """Empty where the folder does not say, or says what no campaign does."""

    engine: str = ""
    workloads: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    knobs: tuple[str, ...] = ()


def read(folder: Path) -> Asked:
    """As a campaign keeps it."""
    try:
        found: Any = strictjson.loads((folder / RECIPE).read_bytes())
    except (OSError, ValueError):
        return Asked()
    if not isinstance(found, dict):
        return Asked()
    lists = ("workloads", "devices", "threads", "sizes", "knobs")
    return Asked(str(found.get("engine", "")), *(_words(found.get(name)) for name in lists))


def _words(found: object) -> tuple[str, ...]:
    return tuple(str(one) for one in found) if isinstance(found, list) else ()
