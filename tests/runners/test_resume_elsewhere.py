"""A campaign whose WAL or data would go to another disk than at its begin is not resumed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from waltax.errors import UsageError
from waltax.runners import campaign
from waltax.runners.campaign import Campaign, Recipe

Tiny = Callable[..., Path]


class Disk:
    """A directory with a file system of its own, or none, or another."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self._mounted = 0

    def mount(self) -> None:
        argv = ["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", str(self.path)]
        subprocess.run(argv, check=True, capture_output=True)
        self._mounted += 1

    def unmount(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.path)], check=True)
        self._mounted -= 1

    def clear(self) -> None:
        while self._mounted:
            self.unmount()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    one = Disk(tmp_path / "disk")
    one.mount()
    yield one
    one.clear()


def _killed(waltax: Any, profile: Path, wal_dir: Path) -> Path:
    """The folder of a campaign that was killed after its first session's rows."""
    words = ("--profile", profile, "--device", "nvme", "--wal-dir", wal_dir, "--allow-mismatch")
    begun = waltax.start(*words)
    waltax.wait_for_rows(begun, 3)
    begun.kill()
    begun.communicate()
    folder: Path = waltax.folder()
    return folder


def test_a_resume_where_the_wal_directory_is_on_another_disk_is_refused(
    waltax: Any, tiny: Tiny, disk: Disk
) -> None:
    folder = _killed(waltax, tiny(), disk.path)
    before = (folder / "rows.jsonl").read_bytes()
    words = (
        f"--resume: {folder.name}: device nvme: its directory {disk.path} is on another file "
        "system or disk than when the campaign began; mount it again, or start a new campaign"
    )
    for change in (disk.unmount, disk.mount):
        change()
        done = waltax.run("--resume", folder)
        assert done.returncode == 2, done.stdout + done.stderr
        assert words in done.stderr
    assert (folder / "rows.jsonl").read_bytes() == before


def test_a_resume_on_the_same_disk_goes_on(waltax: Any, tiny: Tiny, disk: Disk) -> None:
    done = waltax.run("--resume", _killed(waltax, tiny(), disk.path))
    assert done.returncode == 0, done.stdout + done.stderr


def test_another_latency_model_is_told_from_another_disk(
    waltax: Any, tiny: Tiny, disk: Disk
) -> None:
    folder = _killed(waltax, tiny(), disk.path)
    path = folder / "rows.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for kept in ("0123456789ab", "0123456789ab.0123456789abcdef"):
        changed = [r | {"placement_digest": kept} if r["device"] == "nvme" else r for r in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in changed))
        done = waltax.run("--resume", folder)
        assert done.returncode == 2
        assert "device nvme has changed since it began (its TOML, or your" in done.stderr


def _begun(data: Path, results: Path) -> Campaign:
    one = campaign.new(Recipe("rocksdb", ("linkbench",), "quick", ("nvme",)), results, data)
    one.save()
    return one


def test_a_resume_where_the_data_directory_is_on_another_disk_is_refused(
    tmp_path: Path, disk: Disk
) -> None:
    begun = _begun(disk.path / "data", tmp_path / "results")
    assert campaign.resume(begun.folder, None).cells == begun.cells
    (disk.path / "data").mkdir()  # it was not there yet
    assert campaign.resume(begun.folder, None).cells == begun.cells
    disk.unmount()
    named = rf"its data directory {disk.path}/data is on another file system or disk than when"
    with pytest.raises(UsageError, match=named):
        campaign.resume(begun.folder, None)


def test_a_campaign_that_did_not_keep_its_data_s_disk_is_resumed(
    tmp_path: Path, disk: Disk
) -> None:
    begun = _begun(disk.path / "data", tmp_path / "results")
    path = begun.folder / "campaign.json"
    saved = json.loads(path.read_text())
    del saved["data_identity"]
    path.write_text(json.dumps(saved))
    disk.unmount()
    assert campaign.resume(begun.folder, None).cells == begun.cells


def test_a_disk_that_is_mounted_over_the_wal_in_a_campaign_fails_its_cell_by_name(
    waltax: Any, tiny: Tiny, disk: Disk
) -> None:
    profile = tiny(measure_s="0.3", time_budget_s="7.0")
    words = ("--profile", profile, "--device", "nvme", "--wal-dir", disk.path, "--allow-mismatch")
    begun = waltax.start(*words)
    waltax.wait_for_rows(begun, 2)
    (folder,) = disk.path.glob("waltax-*")
    cell = folder / "rocksdb-linkbench-tiny-nvme-sync-t2"
    mount = ["mount", "-t", "tmpfs", "tmpfs", str(cell)]
    while subprocess.run(mount, check=False, capture_output=True).returncode:
        assert begun.poll() is None  # between two sessions it is not there
    try:
        out, err = begun.communicate(timeout=300)
    finally:
        subprocess.run(["umount", "--lazy", str(cell)], check=False)
    assert begun.returncode == 1, out + err
    named = f"FAILED {cell.name}: {cell} is on another file system than when the campaign was"
    assert named in out
