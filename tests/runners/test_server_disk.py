"""A disk under a server's log that fails: the cells of that device fail, the others go on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import failing_disk
import pytest


@pytest.mark.parametrize(
    ("engine", "file", "error"),
    [
        pytest.param("myrocks", ".log", errno.ENOSPC, marks=pytest.mark.nightly),
        ("innodb", "ib_logfile0", errno.EIO),
    ],
)
def test_the_server_ends_and_its_own_words_name_the_file(
    served: Any,
    tiny_of: Callable[..., Path],
    reachable: Path,
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
    file: str,
    error: int,
) -> None:
    folder = reachable / f"{engine}-disk"
    folder.mkdir(mode=0o755)
    disk = failing_disk.plant(folder, monkeypatch, "write", file, error)
    plain = served.argv
    planted = lambda *words: failing_disk.around(plain(*words), disk, "nvram")  # noqa: E731
    monkeypatch.setattr(served, "argv", planted)
    # One session: to begin another takes longer than to measure.
    profile = tiny_of(engine, time_budget_s="4.0", rounds_per_session="6")
    # What a server tells of its own stack takes it longer than the rest of this.
    profile.write_text(profile.read_text().replace("[server]", "[server]\nstack_trace = false"))
    told = ("--engine", engine, "--device", "nvram", "--device", "nvme", "--wal", "sync")
    campaign = served.start("--profile", profile, *told)
    served.wait_for_rows(campaign, 3)
    disk.begin()
    out, err = campaign.communicate(timeout=300)
    assert "Traceback" not in err
    failed = {row["cell"]: row["failure"] for row in served.rows() if row["status"] == "failed"}
    synced = failed[f"{engine}-linkbench-tiny-nvram-sync-t2"]
    assert "the server died" in synced, out + err
    assert file in synced
    assert os.strerror(error) in synced or f"error {error}" in synced
    assert all("-nvram-" in cell for cell in failed)
    (*_, last) = [row for row in served.rows() if "-nvme-" in row["cell"]]
    assert last["status"] == "ok"
    assert last["slice"] > max(row["slice"] for row in served.rows() if row["status"] == "failed")
