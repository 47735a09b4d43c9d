"""`waltax compare` of two campaigns: a table, or with --gate an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from paired import write
from waltax.base.errors import UsageError
from waltax.studies.compare import command


def _compared(*words: object) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words])


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A campaign, and one whose nvme is a tenth slower."""
    return write(tmp_path / "a", 2), write(tmp_path / "b", 3, slower={"nvme": 0.9})


def test_without_the_gate_a_regression_is_said_and_the_exit_code_is_0(
    folders: tuple[Path, Path],
) -> None:
    done = _compared(*folders)
    assert done.exit_code == 0
    assert done.output.startswith("REGRESSED (overhead): LinkBench on RocksDB, nvme")
    assert "the log's cost rose from" in done.output


@pytest.mark.parametrize(("turned", "code"), [(False, 3), (True, 0)])
def test_the_gate_exits_with_3_where_the_second_is_worse(
    folders: tuple[Path, Path], turned: bool, code: int
) -> None:
    base, new = reversed(folders) if turned else folders
    assert _compared(base, new, "--gate").exit_code == code


def test_a_gate_judges_only_the_devices_that_are_named(folders: tuple[Path, Path]) -> None:
    assert _compared(*folders, "--gate", "--device", "nvme").exit_code == 3
    done = _compared(*folders, "--gate", "--json", "--device", "nvram")
    assert done.exit_code == 0
    (cell,) = json.loads(done.output)["cells"]
    assert "-nvram-" in cell["cell"]


def test_a_device_that_neither_campaign_has_is_refused(folders: tuple[Path, Path]) -> None:
    refused = _compared(*folders, "--gate", "--device", "ssd-plp")
    assert isinstance(refused.exception, UsageError)
    assert str(refused.exception) == "--device: found ssd-plp; both have nvme, nvram, off"


def test_a_floor_that_is_not_there_is_refused_by_its_flag(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    refused = _compared(*folders, "--gate", "--against-floor", tmp_path / "none.json")
    assert isinstance(refused.exception, UsageError)
    assert str(refused.exception).startswith("--against-floor: ")


@pytest.mark.parametrize("flags", [(), ("--gate",)])
def test_both_are_printed_for_programs(folders: tuple[Path, Path], flags: tuple[str, ...]) -> None:
    done = _compared(*folders, "--json", *flags)
    cells = json.loads(done.output)["cells"]
    assert any(cell["overhead_difference"] for cell in cells)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--json", "--markdown"), "--json: found --markdown as well"),
        (("--campaign", "results/x"), "--campaign: found beside the folders"),
    ],
)
def test_a_flag_that_would_be_dropped_is_refused(
    folders: tuple[Path, Path], flags: tuple[str, ...], said: str
) -> None:
    assert str(_compared(*folders, *flags).exception).startswith(said)


@pytest.mark.parametrize(
    "flag", ["--gate", "--markdown", "--json", "--allow=program", "--on=overhead", "--device=ssd"]
)
def test_what_is_of_two_campaigns_is_refused_of_two_devices(flag: str) -> None:
    said = str(_compared("nvme", "ssd", flag).exception)
    assert said.startswith(
        f"{flag.partition('=')[0]}: it compares two campaigns; found the devices nvme"
    )
