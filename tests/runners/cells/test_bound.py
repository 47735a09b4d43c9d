"""Whether a cell can be within a bound at all, and what its programs took of it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from waltax import profiles
from waltax.base import proc
from waltax.base.errors import UsageError
from waltax.cell import Cell
from waltax.evidence import axes
from waltax.evidence.slice import Slice
from waltax.runners.cells.cell_memory import cache_within
from waltax.runners.recipe.axes.memory_bound import Bounded
from waltax.runners.recipe.parts import Bound

_MIB = 1 << 20
# For each line that it is sent, takes so much memory for a moment.
_TAKER = """
import sys
for line in sys.stdin:
    print(len(bytearray(int(line) << 20)), flush=True)
"""


def test_an_engine_caches_what_is_left_of_the_bound() -> None:
    memory = profiles.load("memory")
    assert cache_within(memory, "ycsb-a", Bound(128, 1.0)) == 128 - 32 - 24 - 16 - 8


@pytest.mark.parametrize(("engine", "least"), [("rocksdb", 312), ("myrocks", 396), ("innodb", 190)])
def test_a_bound_that_leaves_nothing_to_a_cache_says_what_is_the_least(
    engine: str, least: int
) -> None:
    quick = profiles.load("quick", engine)
    found = rf"--memory: found {least - 1} MiB, .*type --memory {least}MiB or more"
    with pytest.raises(UsageError, match=found):
        cache_within(quick, "ycsb-a", Bound(least - 1, 1.0))
    assert cache_within(quick, "ycsb-a", Bound(least, 1.0)) in (7, 8)


def test_a_row_has_the_most_that_the_programs_took_in_the_slice() -> None:
    pipe, bounded = subprocess.PIPE, Bounded(Bound(256, 1.5))
    with proc.launch([sys.executable, "-c", _TAKER], stdin=pipe, stdout=pipe) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"64\n")
        child.stdin.flush()
        assert child.stdout.readline()
        bounded.begin([child.pid])
        told = bounded.counted([child.pid])
        child.kill()
    assert told["memory_bound"] == "direct I/O"
    assert 0 < told["memory_used_bytes_max"] < 64 * _MIB  # not what it had before
    cell = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4)
    assert list(axes.memory_bound(Slice(cell, {**told, "emulated": False}))) == []
