"""The campaign that is meant where none was named."""

from __future__ import annotations

from pathlib import Path

from ..errors import UsageError


def campaign(results: Path) -> Path:
    """The newest campaign that has rows; their names sort by time. Errors: UsageError for none."""
    found = sorted(path.parent for path in results.glob("*/rows.jsonl"))
    if not found:
        raise UsageError(f"{results}: no campaign there yet; run: make run")
    return found[-1]
