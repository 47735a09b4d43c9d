"""A row that was changed after it was measured is refused, by the rules of measuring."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from waltax import analysis
from waltax.base.errors import WaltaxError
from waltax.evidence import judgement
from waltax.row import Row

GOLDEN = Path(__file__).parent.parent / "golden"


def _rows(folder: str) -> list[Row]:
    return [json.loads(line) for line in (GOLDEN / folder / "rows.jsonl").read_text().splitlines()]


def _one(folder: str, **which: Any) -> Row:
    """The first row with these values."""
    return next(one for one in _rows(folder) if which.items() <= one.items())


def _kept(place: Path, *rows: Row) -> Path:
    file = place / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return file


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in GOLDEN.glob("*/rows.jsonl")))
def test_rows_as_they_were_measured_are_read(folder: str) -> None:
    assert judgement.read(GOLDEN / folder / "rows.jsonl")


@pytest.mark.parametrize(
    ("which", "lie", "why"),
    [
        ({"durability": "sync"}, {"wal_syncs": 0}, "the engine counted 0 WAL syncs and the tap"),
        (
            {"durability": "sync"},
            {"wal_syncs": 0, "tap_syncs": 0},
            "commit groups had only 0 syncs",
        ),
        ({"durability": "sync"}, {"tap_write_bytes": 1}, "but only 1 reached the WAL directory"),
        ({"durability": "off"}, {"wal_bytes": 500_000}, "the engine wrote 500000 WAL bytes"),
        (
            {"durability": "off"},
            {"tap_write_bytes": 7},
            "off, but the tap saw 7 WAL bytes",
        ),
        ({"durability": "flush"}, {"tap_write_bytes": 0}, "but only 0 reached the WAL directory"),
        ({"durability": "sync"}, {"tap_bypasses": 5}, "5 WAL accesses went around the tap"),
    ],
)
def test_a_label_that_the_evidence_contradicts_is_refused_with_its_line(
    which: Row, lie: Row, why: str, tmp_path: Path
) -> None:
    true = _one("why", engine="rocksdb", workload="linkbench", rung="", **which)
    true |= {"commits": true["tap_writes"]}
    file = _kept(tmp_path, true, true | lie)
    with pytest.raises(WaltaxError) as refused:
        judgement.read(file)
    assert str(refused.value).startswith(f"{file}:2: cell {true['cell']}: ")
    assert why in str(refused.value)
    assert "restore the file" in str(refused.value)


def test_the_syncs_of_a_row_need_their_flushes() -> None:
    true = _one("why", engine="rocksdb", workload="linkbench", durability="sync", rung="")
    device = {"device": "vda", "level": 0, "path_of": "vda", "flushed": True, "writes": 10**6}
    seen = {"emulated": False, "wal_below": "counted: vda", "tap_sync_us_p50": 80.0}
    seen |= {"commits": true["tap_syncs"], "tap_syncs_apart": true["tap_syncs"]}
    row = {**true, **seen, "wal_devices": [device | {"flushes": true["tap_syncs"]}]}
    assert judgement.untrue(row) == []
    (why,) = judgement.untrue(row | {"wal_devices": [device | {"flushes": 0}]})
    assert why.startswith("not durable: of ")


def test_the_commits_of_a_row_need_their_syncs() -> None:
    true = _one("why", engine="rocksdb", workload="linkbench", durability="sync", rung="")
    commits = {"commits": true["requests"]}
    few = {"wal_syncs": 9, "tap_syncs": 9, "rocksdb_write_self": 9, "wal_bytes": 10**7}
    said = judgement.untrue(true | commits | few | {"tap_write_bytes": 10**7})
    assert any("clients had only 9 syncs" in one for one in said)


@pytest.mark.parametrize("folder", ["why", "devices", "myrocks", "innodb"])
def test_every_changed_digit_of_a_throughput_is_refused(folder: str) -> None:
    true = _rows(folder)[0]
    digits = f"{true['throughput']:.4f}"
    for at, digit in enumerate(digits[:6]):
        if digit == ".":
            continue
        lie = float(f"{digits[:at]}{(int(digit) + 1) % 10}{digits[at + 1 :]}")
        assert any("want" in one for one in judgement.untrue(true | {"throughput": lie})), lie


def test_new_orders_are_what_a_tpmc_counts() -> None:
    true = _one("why", engine="rocksdb", durability="sync") | {
        "throughput": 6000.0,
        "throughput_unit": "tpmC",
        "measure_s": 0.5,
        "op_NEW_ORDER_count": 50,
    }
    assert judgement.untrue(true) == []
    (said,) = judgement.untrue(true | {"throughput": 12000.0})
    assert said == (
        "throughput is 12000 tpmC, but op_NEW_ORDER_count is 50 in measure_s 0.5, want 6000"
    )


def test_a_column_that_a_row_does_not_have_is_no_contradiction() -> None:
    true = _one("why", engine="rocksdb", workload="linkbench", durability="sync", rung="")
    for name in ("requests", "measure_s", "wal_bytes", "tap_syncs", "tap_writes", "warmup_s"):
        assert judgement.untrue({key: value for key, value in true.items() if key != name}) == []


def test_a_mode_that_there_is_not_is_left_to_the_reports() -> None:
    true = _one("why", engine="rocksdb", workload="linkbench", durability="sync", rung="")
    assert judgement.untrue(true | {"durability": "nearly"}) == []


def test_a_failed_row_claims_nothing() -> None:
    failed = {"status": "failed", "failure": "the driver died", "throughput": None}
    assert judgement.untrue(_rows("why")[0] | failed | {"tap_bypasses": 3}) == []


def test_reports_read_no_such_row(tmp_path: Path) -> None:
    rows = _rows("why")
    _kept(tmp_path, *rows[:-1], rows[-1] | {"throughput": rows[-1]["throughput"] * 2})
    with pytest.raises(WaltaxError, match=rf"rows.jsonl:{len(rows)}: .* throughput is"):
        analysis.load([tmp_path])
