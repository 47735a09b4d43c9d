"""Which block devices below a directory are asked what reached them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import recorded
from recorded import Recorded
from waltax.devices.witness import Watched, Witness, witness

_ATA = "pci0000:00/ata1"


def seen(tmp_path: Path, build: Callable[[Recorded], None], directory: str = "/wal") -> Witness:
    machine = Recorded(tmp_path)
    build(machine)
    return witness(Path(directory), machine.kernel)


def _cached_nvme(machine: Recorded) -> None:
    machine.block("nvme0n1", "259:0", "pci0/nvme/nvme0", queue__write_cache="write back")
    machine.partition("nvme0n1", "nvme0n1p1", "259:1", "pci0/nvme/nvme0")


def _disk(machine: Recorded, name: str, number: str, **attributes: str) -> None:
    machine.block(name, number, _ATA, **{"queue__write_cache": "write back", **attributes})


def test_a_partition_s_disk_counts_since_flushes_are_counted_there(tmp_path: Path) -> None:
    def on_a_partition(machine: Recorded) -> None:
        _cached_nvme(machine)
        machine.mount("/wal", "xfs", "/dev/nvme0n1p1", "259:1")

    found = seen(tmp_path, on_a_partition)
    assert found.below == "counted: nvme0n1"
    assert found.devices == (Watched("nvme0n1", 0, "nvme0n1", flushed=True),)
    counted = found.counters()["nvme0n1"]
    wanted = {"writes": 100, "write_bytes": 800 * 512, "write_ms": 10, "flushes": 90}
    assert counted == wanted | {"flush_ms": 20}


@pytest.mark.parametrize(
    ("attributes", "options"),
    [({"queue__write_cache": "write through"}, "rw"), ({}, "rw,nobarrier")],
)
def test_no_flush_is_expected_without_a_volatile_cache_or_without_barriers(
    attributes: dict[str, str], options: str, tmp_path: Path
) -> None:
    def mounted(machine: Recorded) -> None:
        _disk(machine, "sda", "8:0", **attributes)
        machine.mount("/wal", "ext4", "/dev/sda", "8:0", options)

    assert seen(tmp_path, mounted).devices == (Watched("sda", 0, "sda", flushed=False),)


def test_each_disk_of_a_volume_on_a_raid_is_asked(tmp_path: Path) -> None:
    def volume(machine: Recorded) -> None:
        _disk(machine, "sda", "8:0")
        _disk(machine, "sdb", "8:16")
        machine.stacked("md0", "9:0", ["sda", "sdb"], md__level="raid1")
        machine.stacked("dm-0", "252:0", ["md0"], dm__name="vg-wal", dm__uuid="LVM-abc")
        machine.mount("/wal", "ext4", "/dev/dm-0", "252:0")

    found = seen(tmp_path, volume).devices
    assert found == (Watched("sda", 0, "sda", True), Watched("sdb", 0, "sdb", True))


def test_the_paths_of_a_multipath_device_count_together(tmp_path: Path) -> None:
    def multipath(machine: Recorded) -> None:
        _disk(machine, "sda", "8:0")
        _disk(machine, "sdb", "8:16")
        machine.stacked("dm-0", "252:0", ["sda", "sdb"], dm__name="mpatha", dm__uuid="mpath-36")
        machine.mount("/wal", "ext4", "/dev/dm-0", "252:0")

    assert [one.path_of for one in seen(tmp_path, multipath).devices] == ["dm-0", "dm-0"]


def test_behind_nvme_s_own_multipath_the_hidden_disks_count(tmp_path: Path) -> None:
    def native(machine: Recorded) -> None:
        machine.block("nvme0n1", "259:0", "virtual/nvme-subsystem/nvme-subsys0")
        for path in ("nvme0c0n1", "nvme0c1n1"):
            machine.block(path, f"259:{path[6]}9", f"pci0/nvme/{path}")
        machine.block("nvme1c0n1", "259:8", "pci0/nvme/nvme1")
        machine.mount("/wal", "xfs", "/dev/nvme0n1", "259:0")

    found = [(one.name, one.path_of) for one in seen(tmp_path, native).devices]
    assert found == [("nvme0c0n1", "nvme0n1"), ("nvme0c1n1", "nvme0n1")]


def _loop(machine: Recorded, options: str) -> None:
    _disk(machine, "sda", "8:0")
    machine.mount("/wal", "ext4", "/dev/sda", "8:0")
    machine.file("/wal/image")
    told = {"loop__backing_file": "/wal/image", "queue__write_cache": "write back"}
    machine.block("loop0", "7:0", "virtual/block", **told)
    machine.mount("/loop", "ext4", "/dev/loop0", "7:0", options)


def test_a_loop_device_and_what_its_file_is_on_are_both_asked(tmp_path: Path) -> None:
    devices = seen(tmp_path, lambda machine: _loop(machine, "rw"), "/loop").devices
    assert devices == (Watched("loop0", 0, "loop0", True), Watched("sda", 1, "sda", True))


def test_below_a_loop_device_that_nobody_flushes_nothing_is_expected(tmp_path: Path) -> None:
    devices = seen(tmp_path, lambda machine: _loop(machine, "rw,barrier=0"), "/loop").devices
    assert devices == (Watched("loop0", 0, "loop0", False),)


def test_an_overlay_is_seen_through_to_the_disk_that_it_writes_to(tmp_path: Path) -> None:
    assert seen(tmp_path, recorded.overlay_on_nvme, "/merged").below == "counted: nvme0n1"


@pytest.mark.parametrize(
    ("build", "directory", "below"),
    [
        (recorded.tmpfs, "/wal", "memory: tmpfs"),
        (recorded.volatile_overlay_of_today, "/merged", "memory: an overlay mounted volatile"),
        (recorded.pmem, "/wal", "memory: /dev/pmem0 is mounted with DAX"),
        (recorded.overlay_in_container, "/", "uncounted: an overlay whose upper directory"),
        (recorded.nfs, "/wal", "uncounted: nfs4, another machine's"),
    ],
)
def test_what_cannot_say_is_said(
    tmp_path: Path, build: Callable[[Recorded], None], directory: str, below: str
) -> None:
    found = seen(tmp_path, build, directory)
    assert found.below.startswith(below)
    assert found.devices == ()


@pytest.mark.parametrize("attributes", [{"queue__iostats": "0"}, {"stat": "0 " * 17}])
def test_a_disk_that_counts_nothing_is_no_witness(
    attributes: dict[str, str], tmp_path: Path
) -> None:
    def mounted(machine: Recorded) -> None:
        _disk(machine, "sda", "8:0", **attributes)
        machine.mount("/wal", "ext4", "/dev/sda", "8:0")

    assert seen(tmp_path, mounted).below == "uncounted: sda counts no requests"


def test_a_disk_without_queues_of_requests_counts_no_flushes(tmp_path: Path) -> None:
    def without_queues(machine: Recorded) -> None:
        _disk(machine, "drbd0", "147:0")
        (tmp_path / "sys/devices" / _ATA / "drbd0/mq").rmdir()
        machine.mount("/wal", "ext4", "/dev/drbd0", "147:0")

    (found,) = seen(tmp_path, without_queues).devices
    assert (found.name, found.flushed) == ("drbd0", False)
