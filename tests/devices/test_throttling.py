from __future__ import annotations

from pathlib import Path

from recorded_machine import Recorded
from waltax.devices.throttling import throttled_s


def test_a_quota_of_ours_or_above_is_seen(tmp_path: Path) -> None:
    new, old = Recorded(tmp_path / "new"), Recorded(tmp_path / "old")
    new.mount("/sys/fs/cgroup", "cgroup2", "cgroup2")
    new.file("/proc/self/cgroup", "0::/user/mine")
    new.file("/sys/fs/cgroup/user/cpu.stat", "nr_throttled 9\nthrottled_usec 250000")
    new.file("/sys/fs/cgroup/user/mine/cpu.stat", "nr_throttled 1\nthrottled_usec 1000")
    assert throttled_s((), new.kernel) == 0.25
    old.mount("/sys/fs/cgroup/cpu", "cgroup", "cgroup", options="rw,cpu")
    old.file("/proc/self/cgroup", "2:cpu,cpuacct:/mine")
    assert throttled_s((), old.kernel) is None


def test_a_quota_of_the_program_alone_is_seen(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    machine.mount("/sys/fs/cgroup", "cgroup2", "cgroup2")
    machine.file("/proc/self/cgroup", "0::/")
    machine.file("/proc/12/cgroup", "0::/slow")
    machine.file("/sys/fs/cgroup/slow/cpu.stat", "throttled_usec 500000")
    assert throttled_s((), machine.kernel) is None
    assert throttled_s([12], machine.kernel) == 0.5
