"""A folder that somebody removes while a campaign runs is named in the message."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.devices.memory import SHM


@pytest.mark.parametrize("which", ["results", "work", "memory", "wal", "data set"])
def test_a_folder_that_is_removed_is_named(
    waltax_on: Callable[[Path], Any], tiny: Callable[..., Path], tmp_path: Path, which: str
) -> None:
    data, wal = tmp_path / "data", tmp_path / "wal"
    wal.mkdir()
    waltax = waltax_on(data)
    profile = tiny(measure_s="0.3", time_budget_s="7.0")
    words = ("--profile", profile, "--device", "nvme", "--wal-dir", wal, "--allow-mismatch")
    campaign = waltax.start(*words)
    waltax.wait_for_rows(campaign, 2)
    results = waltax.folder()
    removed = {
        "results": results,
        "work": next((data / "work").glob(f"{results.name}-*")),
        "memory": next(SHM.glob(f"waltax-{results.name}-*")),
        "wal": next(wal.iterdir()),
        "data set": next(path.parent for path in (data / "sets").glob("*/dataset.json")),
    }[which]
    while removed.exists():  # files may be made in it meanwhile
        shutil.rmtree(removed, ignore_errors=True)
    out, err = campaign.communicate(timeout=300)
    assert campaign.returncode == 1, out + err
    assert "[Errno" not in out + err
    assert "Traceback" not in err
    assert str(removed) in out + err
