"""Which sweep a campaign is, by what only such campaigns ask for, as its folder says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...cell import is_point


def command_of(folder: Path) -> str | None:
    """The command that draws it again; None for what is no sweep, or does not say what it is."""
    try:
        recipe: Any = json.loads((folder / "campaign.json").read_text())
    except (OSError, ValueError):
        return None
    if not isinstance(recipe, dict):
        return None
    if recipe.get("knobs"):
        return "sweep-knobs"
    if recipe.get("sizes"):
        return "sweep-sizes"
    if sum(is_point(Path(name).stem) for name in recipe.get("devices", ())) > 1:
        return "sweep-latency"
    return "sweep-threads" if len(recipe.get("threads", ())) > 1 else None
