"""A disk under the results that fails in a campaign: the place is named, and no row is lost."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import failing_disk
import psutil
import pytest


def _require_named_and_resumed(
    waltax: Any, campaign: subprocess.Popen[str], kept: bytes, why: str, mend: Callable[[], None]
) -> None:
    """`kept` was in the rows before the disk failed."""
    out, err = campaign.communicate(timeout=300)
    path = waltax.folder() / "rows.jsonl"
    assert campaign.returncode == 1, out + err
    assert f"{path}: cannot append the row: {why}" in err
    assert "not kept: rocksdb-linkbench-tiny-" in err
    assert f"--resume {waltax.folder()}" in err
    assert "Traceback" not in err
    left = path.read_bytes()
    assert left.startswith(kept)
    mend()
    done = waltax.run("--resume", waltax.folder())
    assert done.returncode == 0, done.stdout + done.stderr
    assert path.read_bytes().startswith(left.rpartition(b"\n")[0])
    assert [row["slice"] for row in waltax.rows()] == list(range(len(waltax.rows())))


@pytest.mark.parametrize(
    ("call", "error"),
    [("write", errno.ENOSPC), ("write", errno.EIO), ("sync", errno.EIO), ("open", errno.EROFS)],
)
def test_a_row_that_cannot_be_kept_is_told_and_the_campaign_goes_on_later(
    waltax: Any,
    tiny: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    error: int,
) -> None:
    disk = failing_disk.plant(tmp_path, monkeypatch, call, "/rows.jsonl", error)
    monkeypatch.setenv("LD_PRELOAD", str(disk.library))
    campaign = waltax.start("--profile", tiny(measure_s="0.2", time_budget_s="3.0"))
    waltax.wait_for_rows(campaign, 3)
    kept = b"".join(
        line + b"\n" for line in (waltax.folder() / "rows.jsonl").read_bytes().split(b"\n")[:3]
    )
    disk.begin()
    _require_named_and_resumed(waltax, campaign, kept, os.strerror(error), disk.end)


def test_a_row_of_which_half_fits_leaves_no_half_line(
    waltax: Any, tiny: Callable[..., Path]
) -> None:
    campaign = waltax.start("--profile", tiny(measure_s="0.2", time_budget_s="3.0"))
    waltax.wait_for_rows(campaign, 3)
    path = waltax.folder() / "rows.jsonl"
    limit = path.stat().st_size + 100  # of any file, which the kernel cuts there
    psutil.Process(campaign.pid).rlimit(psutil.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    kept = path.read_bytes().rpartition(b"\n")[0]
    _require_named_and_resumed(waltax, campaign, kept, os.strerror(errno.EFBIG), lambda: None)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts: only root may")
def test_results_that_become_read_only_are_named(
    waltax: Any, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = waltax.argv
    mounts = ("unshare", "--mount", "--propagation", "private")
    with monkeypatch.context() as patch:
        patch.setattr(waltax, "argv", lambda *words: [*mounts, *plain(*words)])
        campaign = waltax.start("--profile", tiny(measure_s="0.2", time_budget_s="3.0"))
        waltax.wait_for_rows(campaign, 3)
    folder = waltax.folder()
    kept = (folder / "rows.jsonl").read_bytes().rpartition(b"\n")[0]
    inside = ("nsenter", f"--mount=/proc/{campaign.pid}/ns/mnt")
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"'
    subprocess.run([*inside, "sh", "-c", script, folder], check=True)
    _require_named_and_resumed(waltax, campaign, kept, os.strerror(errno.EROFS), lambda: None)
