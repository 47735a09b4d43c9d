"""A folder that somebody removes while a campaign runs is named in the message."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.devices.resolve import SHM


def _of_campaign(which: str, results: Path, data: Path, wal: Path) -> Path:
    if which == "work":
        return next((data / "work").glob(f"{results.name}-*"))
    if which == "memory":
        return next(SHM.glob(f"waltax-{results.name}-*"))
    if which == "data set":
        return next(path.parent for path in (data / "sets").glob("*/dataset.json"))
    return results if which == "results" else next(wal.iterdir())


@pytest.mark.parametrize("which", ["results", "work", "memory", "wal", "data set"])
def test_a_folder_that_is_removed_is_named(
    waltax_on: Callable[[Path], Any],
    tiny: Callable[..., Path],
    tmp_path: Path,
    at_row: Any,
    which: str,
) -> None:
    data, wal = tmp_path / "data", tmp_path / "wal"
    wal.mkdir()
    waltax = waltax_on(data)
    removed: list[Path] = []

    def remove() -> None:
        removed.append(_of_campaign(which, waltax.folder(), data, wal))
        while removed[0].exists():  # files may be made in it meanwhile
            shutil.rmtree(removed[0], ignore_errors=True)

    at_row(2, remove)
    # The data set is looked for in the next session, which has clones of it.
    words = ("--device", "nvme", "--wal-dir", wal, "--allow-mismatch")
    done = waltax.run("--profile", tiny(min_sessions=2), *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "[Errno" not in done.stdout + done.stderr
    assert str(removed[0]) in done.stdout + done.stderr
