"""A disk under a cell's log or data that fails: that cell fails by name, the others go on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import failing_disk
import pytest
from waltax.devices import tap_preload
from waltax.devices.tap_preload import tap_environment

_FAULTS = [
    ("write", ".log", errno.ENOSPC),
    ("write", ".log", errno.EIO),
    ("sync", ".log", errno.EIO),
    ("open", ".log", errno.EROFS),
    ("write", ".sst", errno.ENOSPC),
    ("sync", ".sst", errno.EIO),
]


def _cell(number: int) -> str:
    """Of the cell with this fault: each is a replica of the one before."""
    return "rocksdb-linkbench-tiny-nvram-sync-t2" + (f"-r{number + 1}" if number else "")


def test_each_cell_whose_disk_fails_names_the_file_and_the_others_go_on(
    waltax: Any,
    tiny: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    at_row: Any,
) -> None:
    disk = failing_disk.built(tmp_path)
    faults = {_cell(number): fault for number, fault in enumerate(_FAULTS)}

    def planted(wal_dir: Path, *others: Any, **named: Any) -> dict[str, str]:
        env = tap_environment(wal_dir, *others, **named)
        if wal_dir.name not in faults:
            return env
        return {**env, **disk.environment(env["LD_PRELOAD"], *faults[wal_dir.name])}

    monkeypatch.setattr(tap_preload, "tap_environment", planted)
    at_row(1 + len(_FAULTS), disk.begin)
    # It ends when only the baseline is left.
    profile = tiny(measure_s="0.2", time_budget_s="100.0", write_buffer_size="65536")
    done = waltax.run("--profile", profile, "--device", " ".join(["nvram"] * len(_FAULTS)))
    assert done.returncode == 1, done.stdout + done.stderr
    failed = {row["cell"]: row for row in waltax.rows() if row["status"] == "failed"}
    assert failed.keys() == faults.keys(), done.stdout + done.stderr
    for cell, (_, file, error) in faults.items():
        assert os.strerror(error) in failed[cell]["failure"], cell
        assert file in failed[cell]["failure"], cell
    # That all of them failed by name shows that the campaign went on after the first.
    others = [row for row in waltax.rows() if row["cell"] not in failed]
    assert {row["status"] for row in others} == {"ok"}
