"""A log is read strictly: what is torn, foreign or not whole is refused by name."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from recording import Room
from waltax.base.errors import WaltaxError
from waltax.crash import log

_WRITES = """
fd = os.open(DB + "/a", RW)
for turn in range(10):
    os.write(fd, b"some words")
"""
_USED = 24  # offset of its end in the header


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _patched(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"not a log" * 1000)
    with pytest.raises(WaltaxError, match=r"log: found no log of the recorder"):
        log.read(path)
    path.write_bytes(b"")
    with pytest.raises(WaltaxError, match="cannot be read as a log"):
        log.read(path)


def test_a_log_without_a_process_is_refused(tmp_path: Path) -> None:
    log.create(tmp_path / "log", capacity_mb=1)
    with pytest.raises(WaltaxError, match="no process was recorded"):
        log.read(tmp_path / "log")


def test_a_torn_record_is_refused(room: Room) -> None:
    room.record(_WRITES)
    _patched(room.log, 4096, struct.pack("<I", 12))
    with pytest.raises(WaltaxError, match="the record at byte 4096 is none; the log is torn"):
        log.read(room.log)


def test_an_end_within_a_record_is_refused(room: Room) -> None:
    room.record(_WRITES)
    used = struct.unpack_from("<Q", room.log.read_bytes(), _USED)[0]
    _patched(room.log, _USED, struct.pack("<Q", used - 8))
    with pytest.raises(WaltaxError, match="the log is torn"):
        log.read(room.log)


def test_a_log_that_was_cut_short_is_refused(room: Room) -> None:
    room.record(_WRITES)
    with room.log.open("r+b") as file:
        file.truncate(8192)
    with pytest.raises(WaltaxError, match="another release, or cut short"):
        log.read(room.log)


def test_a_log_that_ran_full_is_refused_and_its_program_goes_on(room: Room) -> None:
    code = room.start("""
fd = os.open(DB + "/a", RW)
for turn in range(20):
    os.write(fd, bytes(1 << 20))
assert os.fstat(fd).st_size == 20 << 20
""")
    assert code == 0
    with pytest.raises(WaltaxError, match="the log's 16 MiB were full"):
        log.read(room.log)
