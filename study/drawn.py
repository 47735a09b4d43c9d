"""What the reports of db_bench's sweeps print around their tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..terminal import say

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 112  # columns


def say_files(written: Sequence[Path], console: Console) -> None:
    if written:
        names = ", ".join(path.name for path in written)
        say(console, f"In {written[0].parent}: {names}")


def widen(console: Console) -> None:
    """A pipe has no width of its own; the widest table has this one."""
    if not console.is_terminal:
        console.width = max(console.width, _WIDTH)
