from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import recorded
from recorded import STACKS, Recorded
from waltax.devices.check import describe
from waltax.devices.facts import DirectoryFacts, read_facts


def facts_of(
    tmp_path: Path, build: Callable[[Recorded], None], directory: str = "/wal"
) -> DirectoryFacts:
    machine = Recorded(tmp_path)
    build(machine)
    return read_facts(Path(directory), machine.kernel)


@pytest.mark.parametrize(
    ("build", "directory", "device_class"), STACKS, ids=[s[0].__name__ for s in STACKS]
)
def test_a_stack_is_classed_by_the_disk_at_its_bottom(
    tmp_path: Path, build: Callable[[Recorded], None], directory: str, device_class: str
) -> None:
    assert facts_of(tmp_path, build, directory).device_class == device_class


def test_a_partition_is_reported_as_its_whole_disk(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.nvme)
    assert [disk.name for disk in facts.disks] == ["nvme0n1"]
    assert facts.layers == ("nvme0n1p1 (partition of nvme0n1)",)


def test_an_encrypted_volume_names_every_layer_down_to_the_disk(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.dm_crypt_on_nvme)
    assert facts.layers == ("dm-0 (CRYPT luks)", "nvme0n1p1 (partition of nvme0n1)")


def test_a_raid_reports_all_its_disks(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.md_over_nvme_and_sata)
    assert {disk.name for disk in facts.disks} == {"nvme0n1", "sda"}


def test_btrfs_reports_the_members_that_mountinfo_hides(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.btrfs_on_two)
    assert {disk.name for disk in facts.disks} == {"nvme0n1", "sda"}


def test_rotational_is_unknown_where_the_kernel_only_guesses(tmp_path: Path) -> None:
    assert facts_of(tmp_path, recorded.virtio).disks[0].rotational is None


def test_rotational_of_a_usb_bridge_is_not_believed(tmp_path: Path) -> None:
    assert facts_of(tmp_path, recorded.usb).disks[0].rotational is None


def test_disk_facts_come_from_the_queue(tmp_path: Path) -> None:
    disk = facts_of(tmp_path, recorded.sata).disks[0]
    assert disk.model == "Crucial_CT250MX200SSD1"
    assert disk.write_cache == "write back"
    assert disk.fua is None


def test_an_nvme_disk_says_whether_it_has_fua(tmp_path: Path) -> None:
    assert facts_of(tmp_path, recorded.nvme).disks[0].fua is False


def test_ext4_without_a_journal_is_seen(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.virtio)
    assert facts.filesystem.journal == "no (ext4 without a journal)"
    assert facts.filesystem.barriers == "yes"


def test_ext4_with_a_journal_and_no_barriers_is_seen(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.sata)
    assert facts.filesystem.journal == "yes (data=ordered)"
    assert facts.filesystem.barriers == "no (nobarrier)"


def test_the_journal_is_unknown_where_proc_fs_is_hidden(tmp_path: Path) -> None:
    assert facts_of(tmp_path, recorded.null_blk).filesystem.journal == "unknown"


def test_a_journal_on_another_disk_is_said_to_be_there(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.journal_on_another_disk, "/split")
    assert facts.filesystem.journal == "yes (data=ordered, on another device)"


def test_an_overlay_has_the_journal_of_the_file_system_it_writes_to(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.overlay_on_sata, "/merged")
    assert facts.filesystem.journal == "yes (data=ordered)"
    assert facts.filesystem.barriers == "yes"


def test_a_volatile_overlay_drops_syncs_whatever_is_below(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.volatile_overlay, "/merged")
    assert facts.filesystem.barriers == "no (overlay mounted volatile)"


def test_an_overlay_whose_upper_directory_is_out_of_sight_has_an_unknown_journal(
    tmp_path: Path,
) -> None:
    facts = facts_of(tmp_path, recorded.overlay_in_container, "/etc")
    assert (facts.filesystem.journal, facts.filesystem.barriers) == ("unknown", "unknown")


def test_a_loop_device_over_a_disk_names_the_disk_and_not_the_memory_of_dev(
    tmp_path: Path,
) -> None:
    facts = facts_of(tmp_path, recorded.loop_on_disk, "/loop")
    assert facts.layers == ("loop0 (loop device over /dev/sda)",)
    assert [disk.name for disk in facts.disks] == ["sda"]


def test_a_loop_device_over_a_loop_device_names_every_layer(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.loop_on_loop, "/deeper")
    assert facts.layers == (
        "loop1 (loop device over /dev/loop0)",
        "loop0 (loop device over /data/disk.img)",
        "/data/disk.img on ext4 at /data",
        "sda2 (partition of sda)",
    )


def test_rotational_of_a_controller_that_names_no_bus_is_not_believed(tmp_path: Path) -> None:
    assert facts_of(tmp_path, recorded.parallel_scsi).disks[0].rotational is None


def test_dax_is_read_from_the_mount_and_the_queue(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, recorded.pmem)
    assert facts.filesystem.dax == "yes"
    assert facts.disks[0].dax is True


def test_the_longest_mount_point_wins_and_the_last_of_equals(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    recorded.nvme(machine)
    machine.mount("/wal", "tmpfs", "tmpfs")
    assert read_facts(Path("/wal/deeper"), machine.kernel).fs_type == "tmpfs"


def test_a_mount_covers_no_sibling_with_a_longer_name(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    machine.mount("/wal", "tmpfs", "tmpfs")
    assert read_facts(Path("/walnut"), machine.kernel).fs_type == "ext4"


def test_a_mount_point_with_a_space_is_found(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    machine.mount("/my\\040wal", "tmpfs", "tmpfs")
    assert read_facts(Path("/my wal"), machine.kernel).mount_point == "/my wal"


def test_what_the_kernel_repeats_of_others_is_on_one_line(tmp_path: Path) -> None:
    """Whoever may mount, or plugs a disk in, chooses these words."""
    machine = Recorded(tmp_path)
    machine.mount("/wal", "ext4\x1b[2J", "/dev/x\\012warning:")
    facts = read_facts(Path("/wal"), machine.kernel)
    assert (facts.fs_type, facts.source) == ("ext4?[2J", "/dev/x warning:")
    recorded._nvme_disk(machine, device__model="Fast\x1b]0;x\x07\nwarning: forged")
    machine.mount("/disk\\012warning:", "ext4", "/dev/nvme0n1", "259:0")
    facts = read_facts(Path("/disk\nwarning:"), machine.kernel)
    assert facts.mount_point == "/disk warning:"
    assert all(text.isprintable() for _, text in describe(facts)[1:])


def test_a_link_is_followed_to_the_directory_it_names(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    recorded.nvme(machine)
    machine.link("/home/wal", "/wal")
    assert read_facts(Path("/home/wal"), machine.kernel).device_class == "nvme"


def test_without_proc_everything_is_unknown(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    machine.file("/proc/self/mountinfo")
    facts = read_facts(Path("/wal"), machine.kernel)
    assert (facts.fs_type, facts.device_class) == ("unknown", "unknown")


def test_this_machine_s_shared_memory_is_ram() -> None:
    assert read_facts(Path("/dev/shm")).device_class == "ram"
