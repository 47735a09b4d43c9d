"""Whether a cell can be within a bound at all, and who holds it on what machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_machine import Recorded
from waltax import profiles
from waltax.base.errors import UsageError
from waltax.runners.cells.cell_memory import (
    cache_within,
    means,
    require_room,
)
from waltax.runners.recipe.parts import CGROUP, DIRECT, Bound


@pytest.mark.parametrize(("engine", "least"), [("rocksdb", 816), ("myrocks", 644), ("innodb", 694)])
def test_a_bound_smaller_than_caches_says_what_is_the_least(engine: str, least: int) -> None:
    quick = profiles.load("quick", engine)
    found = rf"--memory: found 100 MiB, .*type --memory {least}MiB or more"
    with pytest.raises(UsageError, match=found):
        require_room(quick, "ycsb-a", Bound(100, CGROUP, 1.0))
    with pytest.raises(UsageError, match=rf"--memory {least}MiB"):
        require_room(quick, "ycsb-a", Bound(least - 1, CGROUP, 1.0))
    require_room(quick, "ycsb-a", Bound(least, CGROUP, 1.0))


def test_past_the_page_cache_an_engine_caches_what_is_left_of_the_bound() -> None:
    memory = profiles.load("memory")
    assert cache_within(memory, "ycsb-a", Bound(128, DIRECT, 1.0)) == 128 - 32 - 24 - 16 - 8
    with pytest.raises(UsageError, match=r"--memory: found 64 MiB, .*type --memory 88MiB or more"):
        cache_within(memory, "ycsb-a", Bound(64, DIRECT, 1.0))


@pytest.mark.parametrize(
    ("fs_type", "file", "text"),
    [
        ("cgroup", "memory.limit_in_bytes", ""),
        ("cgroup2", "cgroup.subtree_control", "cpu memory"),
    ],
)
def test_a_group_is_taken_where_either_version_bounds_memory(
    fs_type: str, file: str, text: str, tmp_path: Path
) -> None:
    machine = Recorded(tmp_path)
    machine.mount("/sys/fs/cgroup", fs_type, fs_type)
    assert means("auto", machine.kernel) == DIRECT
    machine.file(f"/sys/fs/cgroup/{file}", text)
    assert means("auto", machine.kernel) == means("cgroup", machine.kernel) == CGROUP
    assert means("direct", machine.kernel) == DIRECT


def test_a_group_that_is_asked_for_and_not_to_be_had_is_refused(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    machine.mount("/sys/fs/cgroup", "cgroup2", "cgroup2")
    machine.file("/sys/fs/cgroup/cgroup.subtree_control", "hugetlb")
    found = r"--memory-by: found cgroup, but no control group here .*type --memory-by direct"
    with pytest.raises(UsageError, match=found):
        means("cgroup", machine.kernel)


def test_who_may_make_no_group_is_told_to_be_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Recorded(tmp_path)
    machine.mount("/sys/fs/cgroup", "cgroup", "cgroup")
    machine.file("/sys/fs/cgroup/memory.limit_in_bytes", "0")
    monkeypatch.setattr("os.access", lambda *_: False)  # as root, too
    assert means("auto", machine.kernel) == DIRECT
    with pytest.raises(UsageError, match=r"may make no group in .*: run as root; or type"):
        means("cgroup", machine.kernel)
