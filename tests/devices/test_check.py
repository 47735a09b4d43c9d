from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import recorded
from recorded import Recorded
from waltax.base.errors import UsageError
from waltax.devices.check import check, describe, mismatch, require_writable
from waltax.devices.facts import DirectoryFacts


def checked(
    tmp_path: Path,
    build: Callable[[Recorded], None],
    directory: str = "/wal",
    data: str | None = None,
) -> DirectoryFacts:
    machine = Recorded(tmp_path)
    build(machine)
    return check(Path(directory), None if data is None else Path(data), machine.kernel)


def warned(facts: DirectoryFacts, text: str) -> bool:
    return any(text in warning for warning in facts.warnings)


def test_an_nvme_disk_with_a_write_through_cache_needs_no_warning(tmp_path: Path) -> None:
    assert checked(tmp_path, recorded.nvme).warnings == ()


def test_memory_is_called_volatile(tmp_path: Path) -> None:
    assert warned(checked(tmp_path, recorded.tmpfs), "volatile: tmpfs")


def test_a_loop_file_on_memory_is_called_volatile(tmp_path: Path) -> None:
    assert warned(checked(tmp_path, recorded.loop_on_tmpfs), "volatile: tmpfs")


def test_barriers_that_are_off_are_warned_of(tmp_path: Path) -> None:
    assert warned(checked(tmp_path, recorded.sata), "barriers are off")


def test_barriers_that_are_off_below_an_overlay_are_warned_of(tmp_path: Path) -> None:
    facts = checked(tmp_path, recorded.overlay_without_barriers, "/merged")
    assert warned(facts, "barriers are off")


@pytest.mark.parametrize("mounted", [recorded.volatile_overlay, recorded.volatile_overlay_of_today])
def test_a_volatile_overlay_is_warned_of(
    tmp_path: Path, mounted: Callable[[Recorded], None]
) -> None:
    facts = checked(tmp_path, mounted, "/merged")
    assert warned(facts, "not durable: the overlay is mounted volatile: a sync does nothing")


def test_a_data_directory_in_memory_is_called_not_durable(tmp_path: Path) -> None:
    def log_on_a_disk(machine: Recorded) -> None:
        recorded.nvme(machine)
        machine.mount("/ram", "tmpfs", "tmpfs", "0:70", "rw")
        machine.directory("/ram/data")

    facts = checked(tmp_path, log_on_a_disk, data="/ram/data")
    said = "not durable: the data directory /ram/data: volatile: tmpfs loses the data"
    assert warned(facts, said)
    assert not warned(facts, "loses the WAL")


def test_a_data_directory_without_barriers_is_called_not_durable(tmp_path: Path) -> None:
    facts = checked(tmp_path, recorded.overlay_without_barriers, "/merged", "/wal")
    assert warned(facts, "not durable: the data directory /wal: barriers are off")


def test_persistent_memory_has_no_cache_of_a_drive(tmp_path: Path) -> None:
    assert checked(tmp_path, recorded.pmem).warnings == ()


def test_persistent_memory_without_dax_is_warned_of(tmp_path: Path) -> None:
    assert warned(checked(tmp_path / "a", recorded.pmem_without_dax), "mounted without DAX")
    assert not warned(checked(tmp_path / "b", recorded.pmem), "without DAX")


def test_a_missing_journal_is_warned_of(tmp_path: Path) -> None:
    assert warned(checked(tmp_path, recorded.virtio), "without a journal")


def test_a_write_back_cache_is_warned_of(tmp_path: Path) -> None:
    assert warned(checked(tmp_path, recorded.sata), "sda reports a write-back cache")


def test_overlays_and_loop_devices_are_warned_of(tmp_path: Path) -> None:
    assert warned(checked(tmp_path / "a", recorded.overlay_on_nvme, "/merged"), "overlay")
    assert warned(checked(tmp_path / "b", recorded.loop_on_sata, "/loop"), "loop device")


def test_two_partitions_of_one_disk_count_as_shared(tmp_path: Path) -> None:
    assert warned(checked(tmp_path, recorded.sata, data="/data"), "shares sda with the data")


def test_different_disks_do_not_count_as_shared(tmp_path: Path) -> None:
    def both(machine: Recorded) -> None:
        recorded.nvme(machine)
        machine.mount("/data", "tmpfs", "tmpfs")

    assert not warned(checked(tmp_path, both, data="/data"), "shares")


def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    facts = checked(tmp_path, recorded.overlay_in_container, "/proc", data="/wal")
    assert warned(facts, "cannot tell whether the WAL shares")


def test_the_description_says_unknown_where_the_kernel_is_silent(tmp_path: Path) -> None:
    lines = dict(describe(checked(tmp_path, recorded.overlay_in_container, "/proc")))
    assert lines["disk"] == "unknown"
    assert lines["class"] == "unknown"


def test_the_same_class_fits(tmp_path: Path) -> None:
    assert mismatch("nvme", checked(tmp_path, recorded.dm_crypt_on_nvme)) is None


def test_memory_does_not_pass_for_nvme(tmp_path: Path) -> None:
    assert "is on ram: tmpfs on tmpfs (ram)" in str(
        mismatch("nvme", checked(tmp_path, recorded.tmpfs))
    )


def test_a_virtual_disk_does_not_pass_for_nvme_unseen(tmp_path: Path) -> None:
    found = mismatch("nvme", checked(tmp_path, recorded.virtio))
    assert "the kernel does not say which class of device" in str(found)


def test_a_missing_directory_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="absent does not exist; create it"):
        check(tmp_path / "absent")


def test_a_file_is_no_directory_to_check(tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    with pytest.raises(UsageError, match=r"README\.md is not a directory; give one on the device"):
        check(tmp_path / "README.md")


def test_a_relative_directory_is_taken_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wal").mkdir()
    monkeypatch.chdir(tmp_path)
    assert check(Path("wal")).path == (tmp_path / "wal").resolve()


def test_a_file_is_no_wal_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file is not a directory; give one on the device to be"):
        require_writable(tmp_path / "file")


def test_a_read_only_directory_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="is not writable"):
        require_writable(Path("/proc/self"))  # nobody may write there, root neither
