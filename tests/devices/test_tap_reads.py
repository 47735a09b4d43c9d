"""The built tap delays reads of data files, and only what no page cache holds.

Times are asked for the least that they may be: nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tapped import FAST, observe, room, slow_reads
from waltax.devices.tap_page import TapCounters, percentile

__all__ = ["room"]  # the fixture

_US = 2_000
_BLOCK = 4096


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    """A folder on a disk whose kernel tells what of a file is cached, and that takes O_DIRECT."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parents[2] / "build") as folder:
        probe = Path(folder) / "probe"
        probe.write_bytes(bytes(_BLOCK))
        try:
            fd = os.open(probe, os.O_RDONLY | os.O_DIRECT)
            os.close(fd)
            fd = os.open(probe, os.O_RDONLY)
            os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT)
            os.close(fd)
        except BlockingIOError:
            pass
        except OSError as error:
            pytest.skip(f"{folder}: {error.strerror}: no disk to read from directly")
        yield Path(folder)


def _seen(room: Path, data: Path, script: str) -> TapCounters:
    """What the tap counts while `script` runs, with `size` and `path` of a file of 16 blocks."""
    start = f"""
import time
size = 16 * {_BLOCK}
path = {str(data)!r} + "/000012.sst"
fd = os.open(path, RW)
os.write(fd, bytes(range(256)) * (size // 256))
os.fsync(fd)
def uncached():
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
"""
    return observe(room, start + script, reads=slow_reads(data, _US))


def test_what_is_not_cached_waits_for_the_whole_latency(room: Path, disk: Path) -> None:
    seen = _seen(
        room,
        disk,
        """
for offset in range(3):
    uncached()
    before = time.monotonic()
    assert os.pread(fd, 100, offset) == bytes(range(offset, offset + 100))
    assert time.monotonic() - before >= 0.002
""",
    )
    assert (seen.data_reads, seen.data_read_bytes, seen.data_reads_unasked) == (3, 300, 0)
    assert sum(seen.data_read_achieved) == 3
    assert seen.data_read_ns >= 3 * _US * 1000
    least = percentile(seen.data_read_achieved, 0)
    assert least is not None
    assert least >= 0.99 * _US
    assert seen.data_read_latency_ns == _US * 1000


def test_what_is_cached_does_not_wait(room: Path, disk: Path) -> None:
    seen = _seen(
        room,
        disk,
        """
for _ in range(50):
    assert len(os.pread(fd, size, 0)) == size
assert len(os.pread(fd, 2 * size, size - 10)) == 10  # to the file's end
assert os.pread(fd, 10, size) == b""
""",
    )
    assert (seen.data_reads, seen.data_reads_cached) == (0, 51)


def test_a_direct_read_always_waits(room: Path, disk: Path) -> None:
    """Also where O_DIRECT came by fcntl, as InnoDB has it."""
    seen = _seen(
        room,
        disk,
        f"""
block = mmap.mmap(-1, {_BLOCK})
direct = os.open(path, os.O_RDONLY | os.O_DIRECT)
assert os.preadv(direct, [block], 0) == {_BLOCK}
later = os.open(path, os.O_RDONLY)
fcntl.fcntl(later, fcntl.F_SETFL, os.O_DIRECT)
assert os.preadv(later, [block], {_BLOCK}) == {_BLOCK}
""",
    )
    assert (seen.data_reads, seen.data_reads_cached) == (2, 0)


def test_every_call_that_reads_is_seen_and_reads_the_same(room: Path, disk: Path) -> None:
    seen = _seen(
        room,
        disk,
        """
want = bytes(range(256))
os.lseek(fd, 0, os.SEEK_SET)
parts = [bytearray(3), bytearray(4)]
uncached()
assert os.read(fd, 5) == want[:5]
assert os.read(fd, 5) == want[5:10]
assert os.readv(fd, parts) == 7
assert b"".join(parts) == want[10:17]
assert os.preadv(fd, parts, 1) == 7
assert b"".join(parts) == want[1:8]
assert os.preadv(fd, parts, 2, os.RWF_HIPRI) == 7
assert b"".join(parts) == want[2:9]
assert os.lseek(fd, 0, os.SEEK_CUR) == 17
other = os.dup(fd)
assert os.pread(other, 3, 0) == want[:3]
try:
    os.pread(fd, 3, -1)
except OSError:
    pass
else:
    raise AssertionError("an offset below 0")
""",
    )
    assert seen.data_reads + seen.data_reads_cached == 6
    assert seen.data_reads >= 1


def test_a_read_that_is_cached_in_part_waits(room: Path, disk: Path) -> None:
    seen = _seen(
        room,
        disk,
        f"""
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)  # nothing is read ahead
uncached()
os.pread(fd, 1, 0)
assert os.pread(fd, 2 * {_BLOCK}, 0) == bytes(range(256)) * (2 * {_BLOCK} // 256)
""",
    )
    assert (seen.data_reads, seen.data_reads_cached) == (2, 0)


def test_a_mapping_of_a_data_file_is_refused(room: Path, disk: Path) -> None:
    _seen(
        room,
        disk,
        """
try:
    mmap.mmap(fd, size, prot=mmap.PROT_READ)
except OSError as error:
    assert error.errno == 19, error
else:
    raise AssertionError("mapped")
""",
    )


def test_files_that_are_no_data_do_not_wait(room: Path, disk: Path) -> None:
    elsewhere = room / "elsewhere"
    elsewhere.mkdir()
    names = ("000001.log", "MANIFEST-000005", "ib_logfile0", "ibdata", "undo", "x.sst.trash")
    seen = _seen(
        room,
        disk,
        f"""
for path in [{str(disk)!r} + "/" + name for name in {names!r}] + [{str(elsewhere / "1.sst")!r}]:
    other = os.open(path, RW)
    os.write(other, b"abc")
    os.fsync(other)
    os.posix_fadvise(other, 0, 0, os.POSIX_FADV_DONTNEED)
    assert os.pread(other, 3, 0) == b"abc"
""",
    )
    assert (seen.data_reads, seen.data_reads_cached) == (0, 0)


def test_data_files_of_both_engines_are_known(room: Path, disk: Path) -> None:
    names = ("000001.sst", "000002.blob", "t.ibd", "ibdata1", "undo001", "ibtmp1")
    seen = _seen(
        room,
        disk,
        f"""
for name in {names!r}:
    other = os.open({str(disk)!r} + "/" + name, RW)
    os.write(other, b"abc")
    assert os.pread(other, 3, 0) == b"abc"
""",
    )
    assert seen.data_reads_cached == len(names)


def test_unless_it_is_asked_for_no_read_waits(room: Path, disk: Path) -> None:
    script = f"""
fd = os.open({str(disk)!r} + "/000009.sst", RW)
os.write(fd, b"abc")
assert os.pread(fd, 3, 0) == b"abc"
mmap.mmap(fd, 3, prot=mmap.PROT_READ)
"""
    seen = observe(room, script, FAST)
    assert (seen.data_reads, seen.data_reads_cached, seen.data_read_latency_ns) == (0, 0, 0)
