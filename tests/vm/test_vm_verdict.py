from __future__ import annotations

from typing import Any

import pytest
from placements import RUNS, Run
from stack import Stack
from stacks import STACKS
from verdict import run_faults, stack_faults

DISKS = {"nvme": "nvme0n1", "sata": "sdb"}
STACK = Stack(
    "sata",
    "a partition",
    ":",
    "sata",
    layers=("{sata}1 (partition of {sata})",),
    says=("bus sata",),
    never=("volatile",),
)
SAID = """\
directory    /mnt/sata
layer        sdb1 (partition of sdb)
disk         sdb: class sata, bus sata, write cache write back, FUA no
class        sata
"""
PLACED = Run("nvme", "on the drive", "nvme", "/mnt/nvme/wal", block="{nvme}")
REFUSED = Run("other", "on another", "nvme", "/mnt/sata/wal", refused="is on sata")


def seen(text: str = SAID, **other: Any) -> dict[str, Any]:
    return {"problem": None, "exit": 0, "stdout": text, "stderr": "", **other}


def row(**other: Any) -> dict[str, Any]:
    return {
        "status": "ok",
        "failure": None,
        "device": "nvme",
        "device_kind": "real",
        "emulated": False,
        "allowed_mismatch": False,
        "durability": "sync",
        "wal_files": ["/mnt/nvme/wal/cell/000004.log"],
        "wal_bytes": 1000,
        "wal_syncs": 10,
        "tap_write_bytes": 1070,
        "tap_syncs": 10,
        "tap_bypasses": 0,
        "diskstats_wal_writes": 20.0,
        **other,
    }


def ran(*rows: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {"exit": 0, "stderr": "", "rows": [row(device="off"), *rows], **other}


def test_a_stack_that_is_as_expected_has_no_faults() -> None:
    assert stack_faults(STACK, seen(), DISKS) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (SAID.replace("class        sata", "class        nvme"), "class nvme, want sata"),
        (SAID.replace("sdb1 (", "sdc1 ("), "layers sdc1 (partition of sdb), want sdb1"),
        (SAID + "layer        another\n", "layers sdb1 (partition of sdb); another, want"),
        (SAID.replace("bus sata", "bus sas"), "no line with 'bus sata'"),
        (SAID + "warning: volatile: sdb\n", "found 'warning: volatile: sdb'"),
        ("", "class missing"),
    ],
)
def test_a_stack_that_differs_says_in_what(text: str, fault: str) -> None:
    found = stack_faults(STACK, seen(text), DISKS)
    assert any(fault in one for one in found)


def test_a_stack_that_could_not_be_made_counts_as_different() -> None:
    assert "no such disk" in stack_faults(STACK, seen(problem="no such disk"), DISKS)[0]


def test_a_refused_check_counts_as_different() -> None:
    assert "exit code 2" in stack_faults(STACK, seen(exit=2), DISKS)[0]


def test_rows_with_their_wal_on_the_device_have_no_faults() -> None:
    assert run_faults(PLACED, ran(row(), row()), DISKS) == []


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"status": "failed"}, "status failed"),
        ({"device_kind": "estimate"}, "device_kind estimate, want real"),
        ({"allowed_mismatch": True}, "allowed_mismatch True"),
        ({"tap_bypasses": 1}, "tap_bypasses 1"),
        ({"wal_files": []}, "WAL files none"),
        ({"wal_files": ["/mnt/other/000004.log"]}, "all below /mnt/nvme/wal"),
        ({"tap_syncs": 9}, "9 syncs by the tap, 10 by the engine"),
        ({"tap_syncs": 0, "wal_syncs": 0}, "0 syncs"),
        ({"tap_write_bytes": 999}, "999 bytes by the tap"),
        ({"diskstats_wal_writes": 0.0}, "no writes to nvme0n1"),
        ({"diskstats_wal_writes": None}, "no writes to nvme0n1"),
    ],
)
def test_one_row_that_contradicts_its_label_is_enough(other: dict[str, Any], fault: str) -> None:
    found = run_faults(PLACED, ran(row(), row(**other)), DISKS)
    assert any(fault in one for one in found)


def test_a_run_without_rows_of_its_device_differs() -> None:
    assert run_faults(PLACED, ran(), DISKS)


def test_a_refusal_is_exit_code_2_and_says_what_is_there() -> None:
    refused = {"exit": 2, "stderr": "waltax: should be on nvme, but is on sata", "rows": []}
    assert run_faults(REFUSED, refused, DISKS) == []
    assert run_faults(REFUSED, refused | {"exit": 1}, DISKS)
    assert run_faults(REFUSED, refused | {"stderr": "waltax: no"}, DISKS)
    assert run_faults(REFUSED, ran(row()), DISKS)


def test_names_of_stacks_and_runs_are_used_once() -> None:
    for names in ([one.name for one in STACKS], [one.name for one in RUNS]):
        assert len(names) == len(set(names))
