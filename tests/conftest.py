"""For all rooms. This file puts the helpers beside it on their path."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from with_server import open_folder


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that the servers' user can reach, which pytest's own is not."""
    with open_folder() as folder:
        yield folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mount a file system of so many MiB, to be filled; all but `left_kib` of it is, if given."""
    mounted: list[Path] = []

    def mount(mib: int, below: Path = tmp_path, left_kib: int | None = None) -> Path:
        path = below / f"disk{len(mounted)}"
        path.mkdir()
        argv = ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", str(path)]
        subprocess.run(argv, check=True, capture_output=True)
        mounted.append(path)
        if left_kib is not None:
            (path / "filler").write_bytes(bytes((mib << 20) - (left_kib << 10)))
        return path

    yield mount
    for path in mounted:
        subprocess.run(["umount", "--lazy", str(path)], check=True)
