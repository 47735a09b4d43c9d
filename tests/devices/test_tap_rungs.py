"""The tap where it leaves something of a device out, for `waltax why`.

Nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tapped import FAST, command, environment, observe, only_file, room
from waltax.devices.tap_model import DeviceModel, SyncLatency
from waltax.devices.tap_page import create

__all__ = ["room"]  # the fixture

SLOW = DeviceModel((SyncLatency(100, ((50, 3_000_000.0),)),), 0, 0, 0, 64, 0, 0, 3_000_000.0)
COMMITS = """
fd = os.open(WAL + "/1.log", RW)
for _ in range(20):
    os.write(fd, bytes(100))
    os.fdatasync(fd)
"""


def test_encode_takes_every_write_and_keeps_nothing(room: Path) -> None:
    seen = observe(
        room,
        COMMITS
        + """
os.writev(fd, [bytes(5), bytes(6)])
os.pwrite(fd, bytes(4), 5000)
os.posix_fallocate(fd, 0, 1 << 20)
os.fsync(os.open(WAL, os.O_RDONLY))
""",
        rung="encode",
    )
    assert (seen.rung, seen.writes, seen.write_bytes) == (1, 22, 2015)
    assert seen.bytes_not_kept == 2015
    assert (seen.syncs, seen.syncs_at_once, seen.dir_syncs) == (20, 20, 1)
    assert only_file(seen).bytes == 2015
    assert (room / "wal/1.log").stat().st_size == 0
    assert (room / "wal/1.log").stat().st_blocks == 0


def test_other_files_keep_what_is_written(room: Path) -> None:
    observe(room, 'os.write(os.open(WAL + "/LOG", RW), bytes(7))', rung="encode")
    assert (room / "wal/LOG").stat().st_size == 7


@pytest.mark.parametrize("model", [None, SLOW])
def test_a_free_sync_is_answered_at_once_and_its_write_is_kept(
    room: Path, model: DeviceModel | None
) -> None:
    script = COMMITS + "os.fsync(os.open(WAL, os.O_RDONLY))"
    seen = observe(room, script, model, rung="sync-free")  # or it would take a minute
    assert (seen.rung, seen.syncs, seen.syncs_at_once, seen.dir_syncs) == (2, 20, 20, 1)
    assert (seen.bytes_not_kept, seen.wanted_ns) == (0, 0)
    assert (room / "wal/1.log").stat().st_size == 2000


@pytest.mark.parametrize("model", [None, SLOW])
def test_syncs_are_answered_at_once_while_the_reader_hurries_them(
    room: Path, model: DeviceModel | None
) -> None:
    page = create(room / "page")
    with page.hurrying():
        done = subprocess.run(
            command(room, COMMITS), env=environment(room, model, "wal", ""), check=True
        )
    assert done.returncode == 0  # after a minute, or at once
    assert (page.snapshot().syncs, page.snapshot().syncs_at_once) == (20, 20)
    subprocess.run(
        command(room, COMMITS.replace("20", "1")), env=environment(room, FAST, "wal"), check=True
    )
    assert (page.snapshot().syncs, page.snapshot().syncs_at_once) == (21, 20)


@pytest.mark.parametrize("us", [30.0, 1000.0])
def test_a_wait_takes_the_device_s_time_and_burns_none_of_it(room: Path, us: float) -> None:
    model = DeviceModel((SyncLatency(100, ((50, us),)),), 0, 0, 0, 64, us, us, 0)
    seen = observe(room, COMMITS, model, rung="wait")
    assert (seen.rung, seen.syncs, seen.syncs_at_once) == (3, 20, 0)
    assert seen.achieved_ns >= seen.wanted_ns >= 20 * us * 1000
    assert seen.burn_ns == 0
