"""Until all callers publish reports."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from .. import publish, reports


def report(campaign: Path, console: Console) -> list[Path]:
    publish(reports.sizes(campaign), console)
    return []  # they are named already
