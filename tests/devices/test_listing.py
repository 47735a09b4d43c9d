from __future__ import annotations

import io
from pathlib import Path

import pytest
from recorded import Recorded
from rich.console import Console
from waltax.base.errors import UsageError
from waltax.base.kernel import Kernel
from waltax.devices import names
from waltax.devices.listing import print_check, print_devices


@pytest.fixture(autouse=True)
def _no_devices_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def machine(tmp_path: Path, fs_type: str = "tmpfs") -> Kernel:
    tree = Recorded(tmp_path)
    tree.mount("/dev/shm", fs_type, fs_type)
    return tree.kernel


def _lines(on: Kernel) -> dict[str, list[str]]:
    """Return the words of each device's line by its name."""
    console = Console(record=True, width=250, file=io.StringIO())
    print_devices(console, on)
    lines = [line.split() for line in console.export_text().splitlines()]
    return {words[0]: words[1:] for words in lines}


def test_the_list_has_every_device_with_what_it_resolves_to(tmp_path: Path) -> None:
    listed = _lines(machine(tmp_path))
    assert set(names()) <= set(listed)
    assert listed["ssd"][:5] == ["emulated", "1,080", "us", "class-proxy", "Crucial"]
    assert listed["off"][:2] == ["off", "-"]


def test_a_device_that_cannot_be_placed_says_why(tmp_path: Path) -> None:
    words = " ".join(_lines(machine(tmp_path, fs_type="ext4"))["nvme"])
    assert words.startswith("refused: device nvme cannot be emulated here")


def test_a_check_prints_the_stack_and_its_warnings() -> None:
    console = Console(record=True, width=80, file=io.StringIO())
    print_check(console, Path("/dev/shm"))
    text = console.export_text()
    assert "class        ram" in text
    assert "warning: not durable: volatile: tmpfs loses the WAL with the power" in text


def test_a_check_of_a_missing_directory_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist; create it on"):
        print_check(Console(quiet=True), tmp_path / "absent")


def test_a_check_of_nothing_is_not_one_of_the_current_directory() -> None:
    with pytest.raises(
        UsageError, match="DIR: found nothing; name a directory: waltax devices che"
    ):
        print_check(Console(quiet=True), "")
