"""`waltax sweep statements`: its plan on both engines, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
import sweeping
from sweeping import Said
from waltax.studies import frame


def _waltax(*words: object) -> Said:
    return sweeping.said(frame.command("sweep statements"), *words)


def test_each_engine_has_a_campaign_of_the_statements_in_each_mode() -> None:
    done = _waltax("--plan", "--statements=insert,update-hot")
    assert done.code == 0, done.text
    cells = [line.split()[0] for line in done.text.splitlines() if "  myrocks-" in line]
    assert {cell.removeprefix("myrocks-sqlops-") for cell in cells} == {
        f"{statement}-ci-{mode}-t10"
        for statement in ("insert", "update-hot")
        for mode in ("off-off", "nvme-flush", "nvme-sync")
    }
    cells = [line.split()[0] for line in done.text.splitlines() if "  innodb-" in line]
    assert {cell.removeprefix("innodb-sqlops-") for cell in cells} == {
        f"{statement}-ci-nvme-{mode}-t10"
        for statement in ("insert", "update-hot")
        for mode in ("delayed", "flush", "sync")
    }


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--statements", "select-all"), "--statements: found 'select-all'"),
        (("--profile", "huge"), "--profile: found 'huge' with --engine"),
        (("--wal-dir", "/mnt/x", "--device", "nvme ssd"), "it is the directory of one device"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_loaded(
    place: Path, words: tuple[str, ...], why: str
) -> None:
    done = _waltax(*words, f"--results={place}/results", f"--data-dir={place}/data")
    assert done.code == 2
    assert why in done.flowing
    assert not (place / "results").exists()
    assert not (place / "data").exists()
