"""Which sweep a campaign is, by what only such campaigns ask for, as its folder says."""

from __future__ import annotations

from pathlib import Path

from ...cell import is_point
from . import recipes


def command_of(folder: Path) -> str | None:
    """The command that draws it again; None for what is no sweep, or does not say what it is."""
    asked = recipes.read(folder)
    if asked.knobs:
        return "sweep-knobs"
    if asked.sizes:
        return "sweep-sizes"
    if sum(is_point(Path(name).stem) for name in asked.devices) > 1:
        return "sweep-latency"
    return "sweep-threads" if len(asked.threads) > 1 else None
