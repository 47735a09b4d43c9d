"""A campaign whose WAL or data would go to another disk than at its begin is not resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_cells import FakeCell, FakeCells
from waltax.base.errors import UsageError
from waltax.runners import campaign
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells.live import Position

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


@pytest.fixture
def interrupted(waltax: Any, tiny: Tiny, disk: Disk, at_once: FakeCells) -> Path:
    """The folder of a campaign on the disk that Ctrl-C ended after three rows."""

    def at_slice(_cell: FakeCell, at: Position) -> None:
        if at.slice == 2:
            os.kill(os.getpid(), signal.SIGINT)

    at_once.at_slice = at_slice
    words = ("--device", "nvme", "--wal-dir", disk.path, "--allow-mismatch")
    done = waltax.run("--profile", tiny(min_sessions=2), *words)
    assert done.returncode == 130, done.stdout + done.stderr
    assert len(waltax.rows()) == 3
    at_once.at_slice = lambda _cell, _at: None
    folder: Path = waltax.folder()
    return folder


def test_a_resume_where_the_wal_directory_is_on_another_disk_is_refused(
    waltax: Any, disk: Disk, interrupted: Path
) -> None:
    before = (interrupted / "rows.jsonl").read_bytes()
    words = (
        f"--resume: {interrupted.name}: device nvme: its directory {disk.path} is on another file "
        "system or disk than when the campaign began; mount it again, or start a new campaign"
    )
    for change in (disk.unmount, disk.mount):
        change()
        done = waltax.run("--resume", interrupted)
        assert done.returncode == 2, done.stdout + done.stderr
        assert words in done.stderr
    assert (interrupted / "rows.jsonl").read_bytes() == before


def test_a_resume_on_the_same_disk_goes_on(waltax: Any, interrupted: Path) -> None:
    done = waltax.run("--resume", interrupted)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {row["session"] for row in waltax.rows()} == {0, 1}


def test_another_latency_model_is_told_from_another_disk(waltax: Any, interrupted: Path) -> None:
    path = interrupted / "rows.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for kept in ("0123456789ab", "0123456789ab.0123456789abcdef"):
        changed = [r | {"placement_digest": kept} if r["device"] == "nvme" else r for r in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in changed))
        done = waltax.run("--resume", interrupted)
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


def test_a_disk_that_is_mounted_over_the_wal_in_a_campaign_fails_its_cell_by_name(
    waltax: Any, tiny: Tiny, disk: Disk, at_row: Any
) -> None:
    covered: list[Path] = []

    def mount() -> None:
        (folder,) = disk.path.glob("waltax-*")
        covered.append(folder / "rocksdb-linkbench-tiny-nvme-sync-t2")
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", covered[0]], check=True)

    at_row(2, mount)
    words = ("--device", "nvme", "--wal-dir", disk.path, "--allow-mismatch")
    try:
        done = waltax.run("--profile", tiny(time_budget_s="4.0"), *words)
    finally:
        for path in covered:
            subprocess.run(["umount", "--lazy", path], check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    (cell,) = covered
    named = f"FAILED {cell.name}: {cell} is on another file system than when the campaign was"
    assert named in done.stdout


def test_a_profile_s_file_is_kept_by_its_whole_path(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tiny()
    monkeypatch.chdir(path.parent)
    recipe = Recipe("rocksdb", ("linkbench",), path.name, ("nvme",))
    planned = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    assert planned.recipe.profile == str(path)
