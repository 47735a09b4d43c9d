"""A disk's state is mounted by this machine's kernel and opened by the real engine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from blocks import opened
from blocks.opened import Opened
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.driver.argv import command_line
from waltax.driver.client import Driver

_FOLDERS = ("db", "wal")
_NEVER_GIVEN = b"1 1 999999 1\n"


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file system with TPC-C of one warehouse, where this machine mounts one."""
    room = tmp_path_factory.mktemp("disk")
    db, wal = (room / "tree" / name for name in _FOLDERS)
    wal.mkdir(parents=True)
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    argv = command_line(proc.program("tpcc"), "load", {"db": db, "threads": 2, "warehouses": 1})
    loader = Driver("load", argv)
    loader.wait_for("loaded")
    loader.close()
    image = room / "image"
    mkfs = ["mkfs.ext4", "-q", "-F", "-b", "4096", "-d", str(room / "tree"), str(image), "256M"]
    subprocess.run(mkfs, check=True)
    copy = room / "copy"
    shutil.copyfile(image, copy)
    try:
        opened.require_mounts(copy, room)
    except WaltaxError as error:
        pytest.skip(f"no loop devices here: {error}")
    return image


def looked(disk: Path, room: Path, acks: list[bytes], harm: Callable[[Path], object]) -> Opened:
    def write(image: Path) -> None:
        shutil.copyfile(disk, image)
        harm(image)

    return opened.opened(write, acks, room, _FOLDERS)


def _unharmed(_image: Path) -> None:
    pass


def _without(name: str) -> Callable[[Path], object]:
    return lambda image: subprocess.run(
        ["debugfs", "-w", "-R", f"rm {name}", str(image)], check=True, capture_output=True
    )


def test_a_whole_disk_opens_and_an_order_that_is_not_there_is_lost(
    disk: Path, tmp_path: Path
) -> None:
    assert looked(disk, tmp_path, [], _unharmed) == Opened(True, True, True, 0, 0, None)
    found = looked(disk, tmp_path, [_NEVER_GIVEN], _unharmed)
    assert (found.opens, found.consistent, found.acknowledged, found.lost) == (True, True, 1, 1)
    assert "999999" in (found.problem or "")


def test_a_disk_without_a_file_of_the_database_is_sound_and_does_not_open(
    disk: Path, tmp_path: Path
) -> None:
    found = looked(disk, tmp_path, [_NEVER_GIVEN], _without("db/CURRENT"))
    assert (found.sound, found.opens, found.consistent) == (True, False, False)
    assert found.lost == found.acknowledged == 1
    assert found.problem


def test_a_file_system_that_has_a_fault_or_is_none_is_not_sound(disk: Path, tmp_path: Path) -> None:
    assert not looked(disk, tmp_path, [], lambda image: image.write_bytes(bytes(1 << 20))).sound
    freed = ["debugfs", "-w", "-R", "freei <2>"]
    found = looked(
        disk,
        tmp_path,
        [_NEVER_GIVEN],
        lambda image: subprocess.run([*freed, str(image)], check=True, capture_output=True),
    )
    assert (found.sound, found.opens, found.lost) == (False, False, 1)


def test_nothing_stays_mounted(disk: Path, tmp_path: Path) -> None:
    looked(disk, tmp_path, [], _unharmed)
    assert str(tmp_path) not in Path("/proc/mounts").read_text()
    assert (
        str(tmp_path)
        not in subprocess.run(
            ["losetup", "--list", "--output", "BACK-FILE"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
