"""Mounts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def mount() -> Iterator[Callable[..., Path]]:
    """Mount on a folder: another one (`bind`), or a new memory file system."""
    mounted: list[Path] = []

    def mount(on: Path, bind: Path | None = None) -> Path:
        what = ["-t", "tmpfs", "tmpfs"] if bind is None else ["--bind", str(bind)]
        subprocess.run(["mount", *what, str(on)], check=True, capture_output=True)
        mounted.append(on)
        return on

    yield mount
    for path in reversed(mounted):
        subprocess.run(["umount", "--lazy", str(path)], check=True)
