"""The built tap, preloaded over small programs: what it follows and counts.

Nothing here depends on how fast the machine is.
"""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from tapped import FAST, command, environment, observe, only_file, room
from waltax.devices.tap_model import SyncLatency, packed
from waltax.devices.tap_page import create
from waltax.devices.tap_preload import binlog_environment

__all__ = ["room"]  # the fixture


def test_writes_bytes_and_syncs_are_counted_exactly(room: Path) -> None:
    seen = observe(
        room,
        """
fd = os.open(WAL + "/000007.log", RW | os.O_TRUNC)
for size in (10, 200, 3000):
    os.write(fd, bytes(size))
    os.fdatasync(fd)
os.writev(fd, [bytes(5), bytes(6)])
os.pwrite(fd, bytes(4), 1)
os.fsync(fd)
os.close(fd)
""",
    )
    assert (seen.attached, seen.emulated) == (1, 0)
    assert (seen.opens, seen.bypasses) == (1, 0)
    assert (seen.writes, seen.write_bytes, seen.syncs) == (5, 3225, 4)
    assert sum(seen.sync_achieved) == 4
    assert seen.sync_ns > 0
    file = only_file(seen)
    assert (file.name, file.writes, file.bytes, file.syncs) == ("000007.log", 5, 3225, 4)


def test_other_files_are_left_alone(room: Path) -> None:
    seen = observe(
        room,
        """
for path in (WAL + "/LOG", WAL + "/MANIFEST-000001", WAL + "/../000001.log", WAL + "x.log"):
    fd = os.open(path, RW)
    os.write(fd, b"x")
    os.fsync(fd)
    os.close(fd)
fd = os.open(WAL + "/../000001.log", os.O_RDONLY)
os.read(fd, 1)
""",
        FAST,
    )
    assert (seen.attached, seen.opens, seen.writes, seen.syncs) == (1, 0, 0, 0)


def test_logs_are_known_by_their_names(room: Path) -> None:
    seen = observe(
        room,
        """
for name in ("ib_logfile0", "ib_logfile101", "000012.log", "tc.log", "ddl_recovery.log",
             "error.log", "aria_log.00000001", "aria_log_control", "vm-relay-bin.000001",
             "ib_logfile", "ib_logfile0.bak", "12.log.old", ".log", "12log", "ibdata1"):
    os.write(os.open(WAL + "/" + name, RW), b"x")
os.rename(WAL + "/ib_logfile101", WAL + "/ib_logfile0")
""",
    )
    assert {file.name for file in seen.files} == {"000012.log", "ib_logfile0"}
    assert seen.writes == 3


def test_duplicated_descriptors_are_followed(room: Path) -> None:
    seen = observe(
        room,
        """
fd = os.open(WAL + "/1.log", RW)
others = [os.dup(fd), os.dup2(fd, 100), fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 200)]
os.close(fd)
for other in others:
    os.write(other, b"abc")
    os.fsync(other)
for other in others[:2]:
    os.close(other)
print(os.open("/dev/null", os.O_WRONLY), file=open("/dev/null", "w"))
""",
    )
    assert (seen.writes, seen.syncs, seen.opens) == (3, 3, 1)
    assert only_file(seen).bytes == 9


def test_a_descriptor_number_that_is_used_again_is_forgotten(room: Path) -> None:
    seen = observe(
        room,
        """
fd = os.open(WAL + "/1.log", RW)
os.close(fd)
assert os.open(WAL + "/other", RW) == fd
os.write(fd, b"abc")
os.fsync(fd)
""",
    )
    assert (seen.opens, seen.writes, seen.syncs) == (1, 0, 0)


def test_files_are_found_by_relative_paths_and_links(room: Path) -> None:
    (room / "link").symlink_to("wal")
    seen = observe(
        room,
        """
os.chdir(WAL)
os.write(os.open("1.log", RW), b"a")
os.write(os.open("../link/2.log", RW), b"a")
directory = os.open("..", os.O_RDONLY)
os.write(os.open("wal/3.log", RW, dir_fd=directory), b"a")
os.fsync(os.open(".", os.O_RDONLY))
os.fsync(os.open(WAL, os.O_RDONLY))
os.fsync(directory)
""",
        wal="link",
    )
    assert sorted(file.name for file in seen.files) == ["1.log", "2.log", "3.log"]
    assert (seen.writes, seen.syncs, seen.dir_syncs) == (3, 0, 2)


def test_a_log_that_is_made_anew_by_its_name_is_known_again(room: Path) -> None:
    seen = observe(
        room,
        """
def commit(name):
    fd = os.open(name, RW)
    os.write(fd, b"x")
    os.fsync(fd)
    os.close(fd)
for _ in range(3):
    commit(WAL + "/000001.log")
    os.unlink(WAL + "/000001.log")
    fd = os.open(WAL, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)
commit(WAL + "/000001.log")
os.rename(WAL + "/000001.log", WAL + "/000002.log")
commit(WAL + "/000001.log")
""",
    )
    assert (seen.opens, seen.syncs, seen.dir_syncs, seen.bypasses) == (5, 5, 3, 0)
    syncs = {file.name: file.syncs for file in seen.files}
    assert syncs == {"000002.log": 4, "000001.log": 1}


def test_a_recycled_log_goes_on_under_its_new_name(room: Path) -> None:
    seen = observe(
        room,
        """
fd = os.open(WAL + "/1.log", RW)
os.write(fd, bytes(500))
os.close(fd)
os.rename(WAL + "/1.log", WAL + "/2.log")
fd = os.open(WAL + "/2.log", os.O_WRONLY)
os.write(fd, bytes(30))
""",
    )
    file = only_file(seen)
    assert (file.name, file.writes, file.bytes) == ("2.log", 2, 530)


def test_the_last_of_many_files_are_named(room: Path) -> None:
    seen = observe(
        room,
        """
for number in range(1000):
    fd = os.open(WAL + f"/{number}.log", RW)
    os.write(fd, b"x")
    os.close(fd)
""",
    )
    assert seen.writes == 1000
    assert {file.name for file in seen.files} == {f"{n}.log" for n in range(489, 1000)}
    assert sum(file.bytes for file in seen.files) == 511


def test_files_beyond_the_table_still_count_in_the_sums(room: Path) -> None:
    seen = observe(
        room,
        """
for number in range(600):
    fd = os.open(WAL + f"/{number}.log", RW)
    os.write(fd, b"x")
    os.fsync(fd)
""",
    )
    assert (seen.writes, seen.syncs) == (600, 600)
    assert len(seen.files) == 511
    assert {file.syncs for file in seen.files} == {1}


def test_what_the_tap_cannot_see_is_counted(room: Path) -> None:
    seen = observe(
        room,
        """
fd = os.open(WAL + "/1.log", RW)
os.write(fd, bytes(4096))
mmap.mmap(fd, 4096)
mmap.mmap(fd, 4096, mmap.MAP_PRIVATE)
""",
    )
    assert seen.bypasses == 1


_WRITES_THROUGH = """
fd = os.open(WAL + "/1.log", RW | os.{})
for _ in range(3):
    os.write(fd, bytes(700))
os.close(fd)
fd = os.open(WAL + "/1.log", RW)
os.write(fd, bytes(100))
"""


@pytest.mark.parametrize("flag", ["O_DSYNC", "O_SYNC"])
def test_a_write_that_the_kernel_carries_through_is_a_sync(room: Path, flag: str) -> None:
    seen = observe(room, _WRITES_THROUGH.format(flag))
    assert (seen.writes, seen.syncs, seen.synced_writes, seen.bypasses) == (4, 3, 3, 0)
    assert only_file(seen).syncs == sum(seen.sync_achieved) == 3


def test_emulated_it_takes_the_time_of_the_device(room: Path) -> None:
    seen = observe(room, _WRITES_THROUGH.format("O_DSYNC"), FAST)
    assert (seen.syncs, seen.bypasses) == (3, 0)
    assert seen.achieved_ns >= seen.wanted_ns > 0


def test_it_is_left_out_with_the_syncs_where_that_is_possible(room: Path) -> None:
    script = _WRITES_THROUGH.format("O_DSYNC")
    left_out = observe(room, script, FAST, rung="sync-free")
    assert (left_out.syncs_at_once, left_out.wanted_ns, left_out.bypasses) == (3, 0, 0)
    real = observe(room, script, rung="sync-free")
    assert real.bypasses == 1


def test_a_mapping_that_the_kernel_refuses_is_none(room: Path) -> None:
    seen = observe(
        room,
        """
fd = os.open(WAL + "/1.log", RW)
os.write(fd, bytes(4096))
MAP_SHARED_VALIDATE, MAP_SYNC = 3, 0x80000
try:
    mmap.mmap(fd, 4096, MAP_SHARED_VALIDATE | MAP_SYNC)
except OSError:
    pass
else:
    raise SystemExit("memory file systems do not have it")
""",
    )
    assert (seen.writes, seen.bypasses) == (1, 0)


def test_a_writable_mapping_is_refused_when_emulating(room: Path) -> None:
    seen = observe(
        room,
        """
import errno
fd, other = os.open(WAL + "/ib_logfile0", RW), os.open(WAL + "/ibdata1", RW)
for file in (fd, other):
    os.write(file, bytes(4096))
mmap.mmap(other, 4096)
mmap.mmap(fd, 4096, prot=mmap.PROT_READ)
mmap.mmap(fd, 4096, mmap.MAP_PRIVATE)
try:
    mmap.mmap(fd, 4096)
except OSError as error:
    assert error.errno == errno.ENODEV
else:
    raise SystemExit("it was mapped")
""",
        FAST,
    )
    assert (seen.emulated, seen.bypasses) == (1, 0)


def test_a_program_that_names_no_page_is_left_alone(room: Path) -> None:
    create(room / "page")
    variables = environment(room, FAST, "wal")
    del variables["WALTAX_TAP_PAGE"]
    (room / "empty").write_bytes((room / "page").read_bytes())
    script = 'fd = os.open(WAL + "/1.log", RW); os.write(fd, b"x"); os.fsync(fd)'
    subprocess.run(command(room, script), env=variables, check=True)
    assert (room / "page").read_bytes() == (room / "empty").read_bytes()


def test_what_the_recorder_alone_looks_at_works_as_without_the_tap(room: Path) -> None:
    """Streams are opened by the C library, and rings by the liburing that the program has."""
    ring = "-shared", "-fPIC", "-Wl,-soname,liburing.so.2", "-o", room / "ring.so", "-xc", "-"
    source = b"int io_uring_queue_init(unsigned n, void* ring, unsigned flags) { return (int)n; }"
    subprocess.run(["cc", *ring], input=source, check=True)
    observe(
        room,
        """
import ctypes, errno
own = ctypes.CDLL(None)
for call, read in (("fopen", b"one"), ("fopen64", b"two")):
    stream = getattr(own, call)
    stream.restype = ctypes.c_void_p
    opened = ctypes.c_void_p(stream((WAL + "/" + call).encode(), b"w"))
    own.fputs(read, opened)
    own.fclose(opened)
    assert open(WAL + "/" + call, "rb").read() == read
os.truncate(WAL + "/fopen", 1)
os.link(WAL + "/fopen", WAL + "/linked")
os.sync()
assert os.stat(WAL + "/linked").st_size == 1
assert own.io_uring_queue_init(7, None, 0) == -errno.ENOSYS
ctypes.CDLL(WAL + "/../ring.so")
assert own.io_uring_queue_init(7, None, 0) == 7
""",
    )


def test_a_binlog_is_counted_in_a_page_of_its_own(room: Path) -> None:
    (room / "binlog").mkdir()
    page, second = create(room / "page"), create(room / "second")
    script = """
for path, size in ((WAL + "/000007.log", 10), (WAL + "/../binlog/binlog.000001", 300)):
    fd = os.open(path, RW)
    os.write(fd, bytes(size))
    os.fdatasync(fd)
    os.write(fd, bytes(size))
    os.close(fd)
for path in ("/binlog.000002", "/../binlog/binlog.index", "/../binlog/000001.log"):
    fd = os.open(WAL + path, RW)
    os.write(fd, b"x")
    os.fsync(fd)
"""
    told = environment(room, FAST, "wal")
    told |= binlog_environment(room / "binlog", room / "second", packed(FAST), room / "page")
    subprocess.run(command(room, script), env=told, check=True)
    wal, binlog = page.snapshot(), second.snapshot()
    assert (wal.attached, wal.emulated, binlog.attached, binlog.emulated) == (1, 1, 1, 1)
    assert (wal.opens, wal.writes, wal.write_bytes, wal.syncs) == (1, 2, 20, 1)
    assert (binlog.opens, binlog.writes, binlog.write_bytes, binlog.syncs) == (1, 2, 600, 1)
    assert only_file(wal).name == "000007.log"
    assert only_file(binlog).name == "binlog.000001"


@pytest.mark.parametrize("rung", ["", "sync-free"])
def test_a_binlog_has_a_rung_of_its_own(room: Path, rung: str) -> None:
    (room / "binlog").mkdir()
    page, second = create(room / "page"), create(room / "second")
    script = """
for path in (WAL + "/000007.log", WAL + "/../binlog/binlog.000001"):
    fd = os.open(path, RW)
    os.write(fd, b"x")
    os.fdatasync(fd)
"""
    told = environment(room, FAST, "wal", "" if rung else "sync-free")
    told |= binlog_environment(room / "binlog", room / "second", packed(FAST), room / "page", rung)
    subprocess.run(command(room, script), env=told, check=True)
    at_once = [seen.snapshot().syncs_at_once for seen in (page, second)]
    assert at_once == ([0, 1] if rung else [1, 0])


def test_a_binlog_beside_an_emulated_wal_may_be_real(room: Path) -> None:
    (room / "binlog").mkdir()
    page, second = create(room / "page"), create(room / "second")
    told = environment(room, FAST, "wal")
    told |= binlog_environment(room / "binlog", room / "second", None)
    script = """
fd = os.open(WAL + "/../binlog/binlog.000001", RW)
os.write(fd, b"x")
os.fsync(fd)
"""
    subprocess.run(command(room, script), env=told, check=True)
    assert (page.snapshot().emulated, second.snapshot().emulated) == (1, 0)
    assert (page.snapshot().syncs, second.snapshot().syncs) == (0, 1)


def test_syncs_that_overlap_do_not_count_apart(room: Path) -> None:
    """They wait for one device, so that those behind the first begin before it ends."""
    script = """
import threading
fd = os.open(WAL + "/1.log", RW)
begin = threading.Barrier(8)
def sync():
    begin.wait()
    os.fdatasync(fd)
threads = [threading.Thread(target=sync) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
"""
    seen = observe(room, script, replace(FAST, sync=(SyncLatency(100, ((50, 50_000.0),)),)))
    assert seen.syncs == 8
    assert 1 <= seen.syncs_apart < 8


def test_syncs_that_no_device_can_have_answered_are_counted(room: Path) -> None:
    script = """
fd = os.open(WAL + "/1.log", RW)
for _ in range(100): os.fdatasync(fd)
"""
    in_memory, slower = observe(room, script), observe(room, script, FAST)
    below = in_memory.sync_achieved
    assert sum(below[: 3 * 64 + 61]) <= in_memory.syncs_unwaited <= sum(below[: 4 * 64])
    assert (in_memory.syncs_apart, slower.syncs_apart, slower.syncs_unwaited) == (100, 100, 0)
