"""A disk under a cell's log or data that fails: that cell fails by name, the others go on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import failing_disk
import pytest


@pytest.mark.parametrize(
    ("call", "file", "error"),
    [
        ("write", ".log", errno.ENOSPC),
        ("write", ".log", errno.EIO),
        ("sync", ".log", errno.EIO),
        ("open", ".log", errno.EROFS),
        ("write", ".sst", errno.ENOSPC),
        ("sync", ".sst", errno.EIO),
    ],
)
def test_the_cell_fails_and_names_the_file(
    waltax: Any,
    tiny: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    file: str,
    error: int,
) -> None:
    disk = failing_disk.plant(tmp_path, monkeypatch, call, file, error)
    plain = waltax.argv
    planted = lambda *words: failing_disk.around(plain(*words), disk, "nvram")  # noqa: E731
    monkeypatch.setattr(waltax, "argv", planted)
    profile = tiny(measure_s="0.3", time_budget_s="5.0", write_buffer_size="65536")
    campaign = waltax.start("--profile", profile)
    waltax.wait_for_rows(campaign, 3)
    disk.begin()
    out, err = campaign.communicate(timeout=300)
    assert "Traceback" not in err
    failed = [row for row in waltax.rows() if row["status"] == "failed"]
    assert [row["cell"] for row in failed] == ["rocksdb-linkbench-tiny-nvram-sync-t2"], out + err
    assert os.strerror(error) in failed[0]["failure"]
    assert file in failed[0]["failure"]
    after = [row for row in waltax.rows() if row["slice"] > failed[0]["slice"]]
    assert {row["status"] for row in after} == {"ok"}
