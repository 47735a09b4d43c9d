"""The built recorder, preloaded over small programs: each call that changes files is in the log."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from recording import Room, kinds, only
from waltax.base.errors import UsageError
from waltax.crash import log
from waltax.crash.log import Kind
from waltax.devices.tap_page import create
from waltax.devices.tap_preload import recorder_environment, tap_environment


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_each_call_is_logged_in_its_order_and_with_its_data(room: Room) -> None:
    recorded = room.record("""
os.mkdir(DB + "/sub")
fd = os.open(DB + "/sub/a", RW)
os.write(fd, b"one")
os.pwrite(fd, b"two", 10)
os.writev(fd, [b"th", b"ree"])
os.pwritev(fd, [b"fo", b"ur"], 20)
os.posix_fallocate(fd, 0, 4096)
os.ftruncate(fd, 100)
os.fdatasync(fd)
os.fsync(fd)
folder = os.open(DB + "/sub", os.O_RDONLY)
os.fsync(folder)
os.rename(DB + "/sub/a", DB + "/b")
os.link(DB + "/b", DB + "/c")
os.unlink(DB + "/b")
os.rmdir(DB + "/sub")
os.open(DB + "/c", os.O_WRONLY | os.O_TRUNC)
os.sync()
""")
    assert kinds(recorded) == [
        *("MKDIR", "CREATE", "WRITE", "WRITE", "WRITE", "WRITE", "ALLOCATE", "TRUNCATE"),
        *("SYNC", "SYNC", "SYNC_DIR", "RENAME", "LINK", "UNLINK", "RMDIR", "TRUNCATE"),
        "SYNC_ALL",
    ]
    writes = [(one.offset, bytes(one.data), one.length) for one in only(recorded, Kind.WRITE)]
    assert writes == [(0, b"one", 3), (10, b"two", 3), (3, b"three", 5), (20, b"four", 4)]
    assert [one.flags for one in only(recorded, Kind.SYNC)] == [1, 0]
    (renamed,), db = only(recorded, Kind.RENAME), str(room.db)
    assert (renamed.text, renamed.other) == (f"{db}/sub/a", f"{db}/b")
    (synced,) = only(recorded, Kind.SYNC_DIR)
    assert synced.text == f"{db}/sub"
    for before, after in zip(recorded.calls, recorded.calls[1:], strict=False):
        assert before.end is not None
        assert before.begin <= before.end <= after.begin


def test_what_lies_elsewhere_and_what_only_reads_is_not_logged(room: Room) -> None:
    recorded = room.record("""
fd = os.open(DB + "/../elsewhere", RW)
os.write(fd, b"x")
os.fsync(fd)
os.rename(DB + "/../elsewhere", DB + "/../dbx")
os.close(os.open(DB + "/a", RW))
fd = os.open(DB + "/a", os.O_RDONLY)
os.read(fd, 1)
""")
    assert kinds(recorded) == ["CREATE"]


def test_a_call_that_failed_changed_nothing_and_is_not_there(room: Room) -> None:
    recorded = room.record("""
for fails in (lambda: os.rename(DB + "/a", DB + "/b"), lambda: os.unlink(DB + "/a"),
              lambda: os.open(DB + "/no/a", RW), lambda: os.mkdir(DB)):
    try:
        fails()
    except OSError:
        continue
    raise SystemExit("it did not fail")
""")
    assert kinds(recorded) == []


def test_a_file_keeps_its_number_through_its_names_and_gives_it_to_no_other(room: Room) -> None:
    """An inode's number is given out again as soon as a file is gone: CURRENT is made that way."""
    recorded = room.record("""
for turn in range(50):
    fd = os.open(DB + "/new", RW | os.O_EXCL)
    os.write(fd, b"%d" % turn)
    os.close(fd)
    os.rename(DB + "/new", DB + "/CURRENT")
fd = os.open(DB + "/CURRENT", os.O_WRONLY)
os.write(fd, b"again")
""")
    numbers = [one.file for one in only(recorded, Kind.WRITE)]
    assert [one.file for one in only(recorded, Kind.CREATE)] == numbers[:50]
    assert len(set(numbers)) == 50
    assert numbers[50] == numbers[49]


def test_a_file_that_was_there_before_is_named_when_it_is_first_seen(room: Room) -> None:
    room.db.mkdir()
    (room.db / "old").write_bytes(b"12345")
    recorded = room.record("""
fd = os.open(DB + "/old", os.O_WRONLY | os.O_APPEND)
os.write(fd, b"6")
""")
    seen, write = recorded.calls
    assert (seen.kind, seen.text) == (Kind.FILE, f"{room.db}/old")
    assert (write.file, write.offset) == (seen.file, 5)


def test_threads_that_append_to_one_file_are_told_apart(room: Room) -> None:
    recorded = room.record("""
import threading
fd = os.open(DB + "/a", RW)
def work(letter):
    for turn in range(200):
        os.write(fd, letter * (turn % 7 + 1))
threads = [threading.Thread(target=work, args=(letter,)) for letter in (b"a", b"b", b"c")]
for one in threads: one.start()
for one in threads: one.join()
""")
    writes = only(recorded, Kind.WRITE)
    assert len({one.thread for one in writes}) == 3
    content = bytearray((room.db / "a").stat().st_size)
    for one in writes:
        content[one.offset : one.offset + one.length] = one.data
    assert content == (room.db / "a").read_bytes()


def test_forked_and_executed_processes_have_one_log_with_one_number_a_file(room: Room) -> None:
    recorded = room.record("""
import subprocess, sys
fd = os.open(DB + "/a", RW)
os.write(fd, b"parent")
if os.fork() == 0:
    os.write(fd, b"child")
    os.rename(DB + "/a", DB + "/b")
    os._exit(0)
os.wait()
sync = f"import os; fd = os.open({DB!r} + '/b', os.O_RDWR); os.fsync(fd); os.write(fd, b'x')"
subprocess.run([sys.executable, "-c", sync], check=True)
os.unlink(DB + "/b")
os.write(os.open(DB + "/b", RW), b"new")
""")
    assert kinds(recorded) == [
        *("CREATE", "WRITE", "WRITE", "RENAME", "SYNC", "WRITE", "UNLINK", "CREATE", "WRITE")
    ]
    assert [call.offset for call in only(recorded, Kind.WRITE)] == [0, 6, 0, 0]
    assert [call.file for call in recorded.calls] == [1, 1, 1, 0, 1, 1, 0, 2, 2]
    assert len({call.thread for call in recorded.calls}) == 3


def test_processes_that_append_to_one_file_are_told_apart(room: Room) -> None:
    recorded = room.record("""
for letter in (b"a", b"b", b"c"):
    if os.fork() == 0:
        fd = os.open(DB + "/a", RW | os.O_APPEND)
        for turn in range(500):
            os.write(fd, letter * (turn % 7 + 1))
        os._exit(0)
for _ in range(3): os.wait()
""")
    writes = only(recorded, Kind.WRITE)
    assert (len({one.thread for one in writes}), {one.file for one in writes}) == (3, {1})
    content = bytearray((room.db / "a").stat().st_size)
    for one in writes:
        content[one.offset : one.offset + one.length] = one.data
    assert content == (room.db / "a").read_bytes()


def test_a_process_that_is_killed_at_any_moment_stops_no_other(room: Room) -> None:
    recorded = room.record("""
import signal, time
signal.alarm(60)
for turn in range(40):
    pid = os.fork()
    if pid == 0:
        fd = os.open(DB + "/a", RW | os.O_APPEND)
        while True:
            os.write(fd, b"x")
            os.close(os.open(DB + "/b", RW))
            os.unlink(DB + "/b")
    time.sleep(0.003)
    os.kill(pid, signal.SIGKILL)
    os.wait()
os.close(os.open(DB + "/last", RW))
""")
    assert recorded.calls[-1].text == f"{room.db}/last"
    assert len({one.file for one in only(recorded, Kind.WRITE)}) == 1


def test_the_log_survives_the_kill_of_its_process(room: Room) -> None:
    code = room.start("""
os.write(os.open(DB + "/a", RW), b"last words")
os.kill(os.getpid(), 9)
""")
    assert code == -signal.SIGKILL
    (write,) = only(log.read(room.log), Kind.WRITE)
    assert bytes(write.data) == b"last words"


def test_a_file_is_made_known_before_any_thread_writes_to_it(room: Room) -> None:
    room.db.mkdir()
    for number in range(300):
        (room.db / str(number)).write_bytes(b"old")
    recorded = room.record("""
import threading
meeting = threading.Barrier(4)
def write():
    for number in range(300):
        fd = os.open(f"{DB}/{number}", os.O_RDWR)
        meeting.wait()
        os.pwrite(fd, b"new", 0)
        os.close(fd)
threads = [threading.Thread(target=write) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
""")
    known = set()
    for call in recorded.calls:
        if call.kind == Kind.FILE:
            known.add(call.file)
        assert call.kind != Kind.WRITE or call.file in known


def test_acknowledgements_are_events_on_the_same_clock(room: Room) -> None:
    recorded = room.record("""
log = os.open(DB + "/000001.log", RW)
acks = os.open(ACKS, os.O_RDWR | os.O_CREAT | os.O_APPEND)
for order in range(3):
    os.write(log, b"order")
    os.fdatasync(log)
    os.write(acks, b"1 1 %d 7\\n" % order)
""")
    assert [bytes(one.data) for one in recorded.acks] == [b"1 1 %d 7\n" % n for n in range(3)]
    for sync, ack in zip(only(recorded, Kind.SYNC), recorded.acks, strict=True):
        assert sync.end is not None
        assert sync.end <= ack.begin
    assert "ACK" not in kinds(recorded)


def test_a_write_that_is_durable_by_itself_says_so(room: Room) -> None:
    recorded = room.record("""
os.write(os.open(DB + "/a", RW | os.O_DSYNC), b"x")
os.write(os.open(DB + "/a", RW), b"x")
""")
    assert [one.flags for one in only(recorded, Kind.WRITE)] == [1, 0]


def test_what_a_stream_of_c_writes_is_recorded(room: Room) -> None:
    recorded = room.record("""
import ctypes
C = ctypes.CDLL(None)
C.fopen.restype = C.fdopen.restype = ctypes.c_void_p
path = (DB + "/a").encode()
a = ctypes.c_void_p(C.fopen(path, b"w"))
C.fprintf(a, b"%s", b"one")
C.fflush(a)
os.fsync(C.fileno(a))
C.fseek(a, 1, 0)
C.fputs(b"two", a)
assert C.fclose(a) == 0
a = ctypes.c_void_p(C.fopen(path, b"a+"))
C.fputs(b"three", a)
C.rewind(a)
assert C.fgetc(a) == ord("o")
C.fclose(a)
acks = ctypes.c_void_p(C.fopen(ACKS.encode(), b"a"))
C.fputs(b"1\\n2\\n", acks)
C.fclose(acks)
assert C.fopen(path, b"wx") is None
b = ctypes.c_void_p(C.fdopen(os.open(DB + "/b", RW), b"w"))
C.fputs(b"at the end", b)
""")
    assert kinds(recorded) == ["CREATE", "WRITE", "SYNC", "WRITE", "WRITE", "CREATE", "WRITE"]
    writes = [(one.offset, bytes(one.data)) for one in only(recorded, Kind.WRITE)]
    assert writes == [(0, b"one"), (1, b"two"), (4, b"three"), (0, b"at the end")]
    assert [bytes(one.data) for one in recorded.acks] == [b"1\n2\n"]
    assert (room.db / "a").read_bytes() == b"otwothree"


def test_the_tap_sees_what_a_recorded_program_does(room: Room) -> None:
    room.db.mkdir()
    page = create(room.path / "page")
    recorded = room.record(
        """
fd = os.open(DB + "/000001.log", RW)
os.write(fd, bytes(100))
os.pwrite(fd, bytes(10), 0)
os.fdatasync(fd)
os.rename(DB + "/000001.log", DB + "/000002.log")
os.unlink(DB + "/000002.log")
""",
        tapped=tap_environment(room.db, room.path / "page"),
    )
    assert kinds(recorded) == ["CREATE", "WRITE", "WRITE", "SYNC", "RENAME", "UNLINK"]
    seen = page.snapshot()
    assert (seen.attached, seen.writes, seen.write_bytes, seen.syncs) == (1, 2, 110, 1)
    assert seen.opens == 1


def test_a_program_whose_log_is_none_does_not_start(room: Room) -> None:
    room.db.mkdir()
    log.create(room.log, capacity_mb=1)
    room.log.write_bytes(b"x" + room.log.read_bytes()[1:])
    env = recorder_environment(room.log, [room.db])
    done = subprocess.run(
        ["/bin/true"], env=os.environ | env, check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "waltax recorder:" in done.stderr
    assert "not a log of this version" in done.stderr


def test_a_root_with_a_line_break_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found a line break in its name"):
        recorder_environment(tmp_path / "log", [tmp_path / "a\nb"])
