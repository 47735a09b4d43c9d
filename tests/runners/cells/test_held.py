"""A bound that holds around a real program and the pages that it reads, where root may set one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.cell import Cell
from waltax.evidence import axes
from waltax.evidence.slice import Slice
from waltax.row import Row
from waltax.runners.cells.cell_memory import means
from waltax.runners.recipe.axes.slice_bounds import evict, held
from waltax.runners.recipe.parts import CGROUP, DIRECT, Bound
from with_server import open_folder

_MIB = 1 << 20
_GROUPS = Path("/sys/fs/cgroup")
_can_bound = pytest.mark.skipif(
    os.geteuid() != 0 or means("auto") != CGROUP, reason="this machine lets nobody bound memory"
)
# For each line that it is sent, reads a file twice; then it takes memory, where it is told to. With
# a second file, which is a log, it first writes as much to that instead.
_READER = """
import sys
for line in sys.stdin:
    if len(sys.argv) > 2:
        with open(sys.argv[2], "ab", buffering=0) as log:
            log.write(bytes(int(line) << 20))
        line = "0"
    for _ in range(2):
        with open(sys.argv[1], "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass
    taken = len(bytearray(int(line) << 20))
    print(taken, flush=True)
"""


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder on a disk with a file of 48 MiB."""
    with open_folder(Path("/var/tmp")) as folder:
        (folder / "data").mkdir()
        (folder / "data" / "file").write_bytes(os.urandom(_MIB) * 48)
        yield folder / "data"


def contradictions(emulated: bool, told: Row) -> list[str]:
    cell = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4)
    return list(axes.memory_bound(Slice(cell, {**told, "emulated": emulated})))


def _started(data: Path, groups: tuple[Path, ...], *log: Path) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    words = [sys.executable, "-c", _READER, str(data / "file"), *map(str, log)]
    return proc.launch(words, stdin=pipe, stdout=pipe, groups=groups)


def _read(child: subprocess.Popen[bytes], mib: int = 0) -> bytes:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"%d\n" % mib)
    child.stdin.flush()
    return child.stdout.readline()


@_can_bound
def test_pages_that_a_program_reads_count_and_never_exceed_the_bound(data: Path) -> None:
    evict(data)
    with held(Bound(32, CGROUP, 1.5), "test-held") as within:
        child = _started(data, within.groups)
        within.begin([child.pid])
        assert _read(child)
        told = within.counted([child.pid])
        assert contradictions(False, told) == []
        assert told["memory_used_bytes_max"] <= told["memory_limit_bytes"] == 32 * _MIB
        assert told["memory_page_cache_bytes"] > 8 * _MIB
        assert told["memory_outside"] == 0
        assert within.group is not None
        assert ("cell_psi_io_some_s" in told) == within.group.modern
        assert within.counted([child.pid, os.getpid()])["memory_outside"] == 1
        child.kill()
        child.wait()
    assert list(_GROUPS.glob("**/waltax-*-test-held")) == []


@_can_bound
def test_a_log_in_memory_that_grows_takes_nothing_from_the_data(data: Path) -> None:
    evict(data)
    with (
        open_folder(Path("/dev/shm")) as memory,
        held(Bound(64, CGROUP, 1.5), "test-log") as within,
    ):
        child = _started(data, within.groups, memory / "log")
        within.begin([child.pid])
        assert _read(child, mib=40)
        told = within.counted([child.pid])
        assert contradictions(True, told) == []
        assert told["memory_log_bytes"] == 40 * _MIB
        assert told["memory_limit_bytes"] == (64 + 40) * _MIB
        assert told["memory_page_cache_bytes"] > 40 * _MIB
        child.kill()
        child.wait()


@_can_bound
def test_a_program_that_does_not_fit_is_named(data: Path) -> None:
    with held(Bound(32, CGROUP, 1.5), "test-killed") as within:
        child = _started(data, within.groups)
        within.require_alive()
        assert _read(child, mib=64) == b""
        with pytest.raises(WaltaxError, match=r"more than the 32 MiB .* type a larger --memory"):
            within.require_alive()
        child.wait()


@_can_bound
def test_a_group_of_a_command_that_was_killed_is_removed_by_the_next() -> None:
    left = _GROUPS / "memory" / "waltax-memory-4194305-cell"  # beyond the greatest pid
    if left.parent.exists():
        left.mkdir()
    with held(Bound(32, CGROUP, 1.5), "test-swept"):
        assert not left.exists()


def test_a_program_past_the_page_cache_counts_alone(data: Path) -> None:
    with held(Bound(256, DIRECT, 1.5), "test-direct") as within:
        child = _started(data, within.groups)
        assert _read(child, mib=64)
        within.begin([child.pid])
        told = within.counted([child.pid])
        assert told["memory_bound"] == "direct I/O"
        assert 0 < told["memory_used_bytes_max"] < 64 * _MIB  # not what it had before
        assert contradictions(False, told) == []
        child.kill()
        child.wait()
