"""A small real probe in memory, and what becomes of facts in its file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from probing import facts, small_rounds
from recorded import Recorded
from waltax.base.errors import WaltaxError
from waltax.base.kernel import Kernel
from waltax.devices import Device, load
from waltax.devices.check import check
from waltax.devices.device_file import toml
from waltax.devices.probe import measure, record
from waltax.devices.probe.measure import Measured
from waltax.devices.resolve import resolve
from waltax.devices.tap_model import mean_sync_us


@pytest.fixture(scope="module")
def memory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def seen(memory: Path) -> Measured:
    return measure.measure(small_rounds(), memory, lambda _: None)


@pytest.fixture(scope="module")
def device(memory: Path, seen: Measured) -> Device:
    return record.device("mine", check(memory), None, seen)


def written(tmp_path: Path, device: Device) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(toml(device, record.ABOUT))
    return path


def test_a_file_says_what_the_device_says(tmp_path: Path, device: Device) -> None:
    assert load(written(tmp_path, device)) == device


def test_a_probe_of_memory_is_called_that(device: Device) -> None:
    assert (device.device_class, device.kind, device.power_loss_protection) == (
        "ram",
        "measured",
        "no",
    )
    assert "; tmpfs, journal no (memory), " in device.sources["probe"]
    assert device.probe is not None
    (said,) = (text for text in device.probe.warnings if "not durable" in text)
    assert said.startswith("not durable: volatile: ")


def test_a_device_has_the_sizes_that_were_measured(device: Device) -> None:
    assert device.model is not None
    assert [row.bytes for row in device.model.sync] == [1032, 10032]


def test_the_tap_gets_the_mean_that_fio_measured(device: Device, seen: Measured) -> None:
    assert device.model is not None
    model = device.model.tap_model()
    for size, (one,) in seen.of("sync").items():
        assert mean_sync_us(model, size) == pytest.approx(one.answer.synced.mean_us, rel=0.03)


def test_the_file_names_no_directory_of_this_machine(memory: Path, device: Device) -> None:
    text = toml(device, record.ABOUT)
    assert str(memory) not in text
    assert "/dev/shm" not in text
    assert device.path is None


def test_a_replay_of_memory_is_refused_with_what_to_do(device: Device) -> None:
    with pytest.raises(WaltaxError) as caught:
        resolve(device)
    assert "is under the tap's floor of 0.5 us; where the device itself is at hand" in str(
        caught.value
    )


def probed(directory: str, kernel: Kernel, seen: Measured) -> tuple[str, str]:
    """Return the evidence of a recorded machine's directory, and the file's text."""
    made = record.device("mine", check(Path(directory), kernel=kernel), None, seen)
    return made.sources["probe"], toml(made, record.ABOUT)


@pytest.mark.parametrize(
    "server", ["nas.secret:/secret", "[fe80::5ec]:/secret\\040x", "//secret/x"]
)
def test_a_server_its_users_and_its_addresses_stay_at_home(
    server: str, tmp_path: Path, seen: Measured
) -> None:
    tree = Recorded(tmp_path)
    options = "rw,hard,vers=4.2,proto=tcp6,username=secret,addr=fe80::5ec,clientaddr=10.255.255.9"
    tree.mount("/wal", "nfs4", server, options=options)
    evidence, text = probed("/wal", tree.kernel, seen)
    assert "; nfs4, journal unknown, " in evidence
    assert not any(word in text for word in ("secret", "fe80::", "10.255.255", "/wal"))


def test_volumes_and_directories_keep_their_names_to_themselves(
    tmp_path: Path, seen: Measured
) -> None:
    tree = Recorded(tmp_path)
    at = "pci0000:00/ata1/block"
    tree.block("sda", "8:0", at, queue__rotational="0")
    tree.partition("sda", "sda1", "8:1", at)
    tree.stacked("dm-0", "253:1", ["sda1"], dm__name="secret-home", dm__uuid="LVM-x")
    tree.stacked("dm-1", "253:2", ["dm-0"], dm__name="secret", dm__uuid="secret-x")
    options = (
        "rw,data=ordered,context=secret_u,logdev=/dev/mapper/secret-log,nobarrier,logbsize=32k"
    )
    tree.mount("/my\\040secret", "xfs", "/dev/mapper/secret", "253:2", options)
    tree.file("/my secret/an image")
    tree.block("loop0", "7:0", "virtual/block", loop__backing_file="/my secret/an image")
    tree.mount("/wal", "xfs", "/dev/loop0", "7:0", options)
    evidence, text = probed("/wal", tree.kernel, seen)
    assert "; xfs, journal yes (xfs log on another device), " in evidence
    assert not any(word in text for word in ("secret", "image", "/my", "/dev/"))


def test_odd_letters_of_a_disk_s_model_do_not_break_the_file(
    tmp_path: Path, seen: Measured
) -> None:
    disk = replace(facts().disks[0], model='X"\\1\x1b\x7f \N{DEGREE SIGN}')
    made = record.device("mine", replace(facts(), disks=(disk,)), None, seen)
    assert load(written(tmp_path, made)) == made
    assert made.title == 'X"\\1?? \N{DEGREE SIGN} (virtio), ext4'


def test_a_class_that_nobody_says_is_virtual(seen: Measured) -> None:
    unknown = facts("unknown")
    assert record.device("mine", unknown, None, seen).device_class == "virtual"
    assert record.device("mine", unknown, "nvme", seen).device_class == "nvme"
