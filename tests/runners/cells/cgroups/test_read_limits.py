"""A limit of reads, by the kernel's block cgroup: held where this machine lets us, else refused."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.devices.emulation_memory import SHM
from waltax.runners.cells.cgroups import reads

_FLAG = "--read-mib-per-s"
_ON_DISK = Path(__file__).parent
_TOP = Path("/sys/fs/cgroup")
_BLKIO = _TOP / "blkio"
_HELD_HERE = os.geteuid() == 0 and (_BLKIO / "blkio.throttle.read_bps_device").exists()


def _groups() -> list[Path]:
    return list(_TOP.glob("**/waltax-reads-*"))


def _inside() -> tuple[str, str]:
    """What a program that is started within the limit is in, and the limit's own words."""
    with reads.limited(_ON_DISK, 7.5, _FLAG):
        words = ("cat", "/proc/self/cgroup")
        group = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        (folder,) = _groups()
        return group, (folder / "blkio.throttle.read_bps_device").read_text()


def test_what_is_started_within_it_is_held_and_nothing_is_left() -> None:
    before = Path("/proc/self/cgroup").read_text()
    if _HELD_HERE:
        group, limit = _inside()
        assert f"blkio:/waltax-reads-{os.getpid()}\n" in group
        assert limit.split()[1] == str(round(7.5 * (1 << 20)))
    elif os.geteuid():
        with pytest.raises(UsageError, match=_FLAG):
            _inside()
    assert Path("/proc/self/cgroup").read_text() == before
    assert _groups() == []


def test_a_group_of_a_command_that_was_killed_is_removed_by_the_next() -> None:
    left = _BLKIO / "waltax-reads-4194305"  # beyond the greatest pid
    if _HELD_HERE:
        left.mkdir()
        _inside()
    assert not left.exists()


def test_a_folder_in_memory_is_refused() -> None:
    found = r"--read-mib-per-s: found .* on no block device"
    with pytest.raises(UsageError, match=found), reads.limited(SHM, 7.5, _FLAG):
        pass
