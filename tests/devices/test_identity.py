"""Two disks are told apart, and one that was mounted again is known again."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import recorded
from recorded import Recorded
from waltax.devices.identity import identity


def _nvme(folder: Path, **ids: str) -> str:
    """What an xfs on a partition of an NVMe disk is called."""
    machine = Recorded(folder)
    recorded._nvme_disk(machine, **ids)
    machine.mount("/wal", "xfs", "/dev/nvme0n1p1", "259:1")
    return identity(Path("/wal"), machine.kernel)


def test_disks_of_one_name_are_told_apart_by_what_their_makers_gave_them(tmp_path: Path) -> None:
    found = [
        _nvme(tmp_path / "a", wwid="eui.1", device__serial="S1"),
        _nvme(tmp_path / "again", wwid="eui.1", device__serial="S1"),
        _nvme(tmp_path / "b", wwid="eui.2", device__serial="S1"),
        _nvme(tmp_path / "c", wwid="eui.1", device__serial="S2"),
    ]
    assert found[0] == found[1]
    assert len(set(found)) == 3
    assert "eui" not in found[0]
    assert len(found[0]) == 16


def test_partitions_of_one_disk_are_told_apart(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    recorded.sata(machine)
    for name in ("sda1", "sda2"):
        machine.file(f"/sys/class/block/{name}/uevent", f"DEVNAME={name}\nPARTUUID=of-{name}")
    assert identity(Path("/wal"), machine.kernel) != identity(Path("/data"), machine.kernel)


def test_a_mapped_device_is_told_apart_by_its_uuid_and_by_what_is_below(tmp_path: Path) -> None:
    found = []
    for number, (uuid, serial) in enumerate((("LVM-1", "S1"), ("LVM-2", "S1"), ("LVM-1", "S2"))):
        machine = Recorded(tmp_path / str(number))
        recorded._nvme_disk(machine, device__serial=serial)
        machine.stacked("dm-0", "253:5", ["nvme0n1p1"], dm__name="x", dm__uuid=uuid)
        machine.mount("/wal", "xfs", "/dev/mapper/x", "253:5")
        found.append(identity(Path("/wal"), machine.kernel))
    assert len(set(found)) == 3


def test_the_kernel_s_numbers_of_a_disk_do_not_count_where_it_has_a_serial_number(
    tmp_path: Path,
) -> None:
    found = []
    for name, number in (("sda", "8:0"), ("sdb", "8:16")):
        machine = Recorded(tmp_path / name)
        machine.block(name, number, "pci0000:00/ata1/block", device__serial="S1")
        machine.mount("/wal", "xfs", f"/dev/{name}", number)
        found.append(identity(Path("/wal"), machine.kernel))
    assert found[0] == found[1]


@pytest.mark.parametrize(("make", "directory", "_class"), recorded.STACKS)
def test_every_stack_has_an_identity(
    tmp_path: Path, make: object, directory: str, _class: str
) -> None:
    machine = Recorded(tmp_path)
    assert callable(make)
    make(machine)
    machine.directory(directory)
    assert len(identity(Path(directory), machine.kernel)) == 16


def _command(*words: object) -> str:
    argv = [str(word) for word in words]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def _mounted(directory: Path, *words: object) -> Iterator[None]:
    _command("mount", *words, directory)
    try:
        yield
    finally:
        _command("umount", directory)


def test_a_mounted_tmpfs_is_another_each_time(tmp_path: Path) -> None:
    directory = tmp_path / "wal"
    directory.mkdir()
    found = [identity(directory)]
    # Both at a time: the kernel may give the number of a file system that is gone to the next.
    with _mounted(directory, "-t", "tmpfs", "tmpfs"):
        found.append(identity(directory))
        with _mounted(directory, "-t", "tmpfs", "tmpfs"):
            found.append(identity(directory))
    assert len(set(found)) == 3
    assert identity(directory) == found[0]


@pytest.fixture
def images(tmp_path: Path) -> tuple[Path, Path]:
    """Two disks, the second a copy of the first to the last byte; and where to mount them."""
    first, second = tmp_path / "a.img", tmp_path / "b.img"
    first.write_bytes(bytes(16 << 20))
    _command("mkfs.ext4", "-q", first)
    second.write_bytes(first.read_bytes())
    (tmp_path / "wal").mkdir()
    return first, second


def _mounted_identity(image: Path) -> str:
    directory = image.parent / "wal"
    with _mounted(directory, "-o", "loop", image):
        return identity(directory)


def test_a_disk_s_copy_and_a_disk_that_was_formatted_anew_are_others(
    images: tuple[Path, Path],
) -> None:
    found = [_mounted_identity(image) for image in images]
    _command("mkfs.ext4", "-q", "-F", images[0])
    found.append(_mounted_identity(images[0]))
    assert len(set(found)) == 3


def test_a_disk_that_was_mounted_again_is_known_though_its_number_is_another(
    images: tuple[Path, Path],
) -> None:
    directory, found = images[0].parent / "wal", []
    devices = [_command("losetup", "--find", "--show", images[0]) for _ in range(2)]
    try:
        for device in devices:
            with _mounted(directory, device):
                found.append(identity(directory))
    finally:
        _command("losetup", "--detach", *devices)
    assert found[0] == found[1]
