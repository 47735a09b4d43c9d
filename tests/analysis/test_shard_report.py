"""The report of a study of shards, from rows whose truth is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shard_rows import shard_row, shard_rows
from synthetic import make_row, published
from waltax import row
from waltax.analysis import reports
from waltax.analysis.reports.cell_sweeps import shard_sweeps
from waltax.base.errors import UsageError
from waltax.row import Row


@pytest.fixture
def rows() -> list[Row]:
    return shard_rows()


@pytest.fixture
def campaign(tmp_path: Path, rows: list[Row]) -> Path:
    for one in rows:
        row.append(tmp_path / "rows.jsonl", one)
    return tmp_path


def test_each_cut_is_compared_with_its_own_off_and_with_other_cuts(campaign: Path) -> None:
    text = " ".join(published(reports.shards([campaign]), width=120).split())
    assert "nvme (emulated): the log costs 20.0 %" in text
    assert "with 1 node and 33.3 %" in text
    assert " 0.600 " in text  # syncs a commit
    assert "2 cores cannot show how 2 nodes scale" in text


def test_shares_and_hashes_are_in_the_file_for_programs(campaign: Path) -> None:
    published(reports.shards([campaign]))
    (sweep,) = json.loads((campaign / "shards.json").read_text())["sweeps"]
    points = {(one["shards"], one["device"]): one for one in sweep["points"]}
    hashed = points["n2-hash", "nvme"]
    assert hashed["imbalance"] == pytest.approx(1.2)
    assert points["n2", "nvme"]["imbalance"] == pytest.approx(1.0)
    for name in ("shards.csv", "shards.png", "shards.svg"):
        assert (campaign / name).stat().st_size


def test_a_cut_that_failed_is_left_out_by_name(rows: list[Row]) -> None:
    failed = shard_row("n2-hash", "nvme", 540, 0, 3)
    failed |= {"status": "failed", "throughput": None, "failure": "node 1: the server died"}
    (sweep,) = shard_sweeps([*rows, failed])
    assert len(sweep.points) == 5
    assert failed["cell"] not in {point.cell for point in sweep.points}


def test_a_study_of_which_every_cell_failed_says_so(tmp_path: Path, rows: list[Row]) -> None:
    for one in rows:
        gone = {"status": "failed", "throughput": None, "failure": "node 1: the server died"}
        row.append(tmp_path / "rows.jsonl", one | gone)
    text = published(reports.shards([tmp_path]), width=200)
    assert f"FAILED {rows[0]['cell']}: node 1: the server died" in text
    (sweep,) = json.loads((tmp_path / "shards.json").read_text())["sweeps"]
    assert (sweep["points"], sweep["sentences"]) == ([], [])


def test_rows_of_one_store_are_no_study_of_shards(tmp_path: Path) -> None:
    row.append(tmp_path / "rows.jsonl", make_row("off", 10.0))
    with pytest.raises(UsageError, match="found no cell with several nodes"):
        reports.shards([tmp_path])
