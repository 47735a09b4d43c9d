"""A sweep of knobs: every setting beside the default and off."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from kv_rows import KNOBS, knob_row, knob_rows
from synthetic import published
from waltax.analysis import reports
from waltax.analysis.gate.difference import Compared
from waltax.analysis.reports.knobs import name, sentences, settings
from waltax.base.errors import UsageError
from waltax.row import Row, append


@pytest.fixture(scope="module")
def found() -> dict[str, Compared]:
    return {name(one): one for one in settings(knob_rows())}


def _report(rows: list[Row], folder: Path) -> str:
    for one in rows:
        append(folder / "rows.jsonl", one)
    return published(reports.knobs([folder]), 120)


def test_the_fastest_setting_comes_first() -> None:
    names = [name(one) for one in settings(knob_rows(sd=0.0))]
    assert names == [
        "off",
        "flush",
        "recycled-logs",
        "default",
        "pipelined-write",
        "wal-compression",
    ]


@pytest.mark.parametrize("knob", KNOBS)
def test_ratio_and_overhead_are_the_planted_ones(found: dict[str, Compared], knob: str) -> None:
    one = found[knob]
    assert one.ratio.value == pytest.approx(KNOBS[knob], rel=0.01)
    assert one.result.overhead == pytest.approx(1 - 0.4 * KNOBS[knob], abs=0.01)
    assert one.ratio.low is not None
    assert one.ratio.high is not None
    assert one.ratio.low < KNOBS[knob] < one.ratio.high


def test_only_what_is_resolvably_different_is_called_so(found: dict[str, Compared]) -> None:
    verdicts = {knob: one.faster for knob, one in found.items()}
    assert verdicts["recycled-logs"] == verdicts["flush"] == "faster"
    assert verdicts["wal-compression"] == "slower"
    assert verdicts["pipelined-write"] == verdicts["default"] == "not told apart"
    said = list(sentences(list(found.values())))
    assert any(one.startswith("recycled-logs has 1.5") for one in said)
    assert "cannot be told apart from the default: pipelined-write" in said


def test_what_does_not_sync_is_said_to_be_bought_with_durability(
    found: dict[str, Compared],
) -> None:
    said = list(sentences(list(found.values())))
    assert [one for one in said if "bought with durability" in one] == [
        one for one in said if one.startswith("flush has")
    ]


def test_work_is_per_operation(found: dict[str, Compared]) -> None:
    default, flush = (found[one].result.facts for one in ("default", "flush"))
    assert default["syncs_per_request"] == 0.5
    assert flush["syncs_per_request"] == 0
    assert default["wal_bytes_per_request"] == 131
    assert default["cpu_us_per_request"] == pytest.approx(30)
    assert default["context_switches_per_request"] == pytest.approx(0.3)


def test_compression_is_seen_in_the_file_only(tmp_path: Path) -> None:
    _report(knob_rows(), tmp_path)
    with (tmp_path / "knobs.csv").open() as file:
        lines = {one["setting"]: one for one in csv.DictReader(file)}
    assert lines["wal-compression"]["wal_bytes_per_request"] == "131.0"
    assert lines["wal-compression"]["tap_bytes_per_request"] == "60.0"
    assert lines["default"]["tap_bytes_per_request"] == "135.0"


def test_a_setting_that_failed_has_no_line_but_is_named(tmp_path: Path) -> None:
    failed = knob_row("fsync", None)
    rows = [*knob_rows(), failed]
    assert "fsync" not in {name(one) for one in settings(rows)}
    assert f"FAILED {failed['cell']}: the driver died" in _report(rows, tmp_path)


def test_the_report_writes_table_files_and_figure(tmp_path: Path) -> None:
    text = _report(knob_rows(), tmp_path)
    assert "kv fillrandom on RocksDB, profile knobs, 4 threads" in text
    assert "flush: no sync: survives the end of the process" in text
    assert "off: no log: what was not flushed from memtables is lost" in text
    with (tmp_path / "knobs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {one["setting"] for one in rows} == {"off", "default", *KNOBS}
    assert {"overhead_low", "does_to_durability", "ratio_low"} <= set(rows[0])
    assert json.loads((tmp_path / "knobs.json").read_text())["sweeps"][0]["sentences"]
    assert (tmp_path / "knobs.png").stat().st_size > 10_000
    drawn = (tmp_path / "knobs.svg").read_text()
    assert "recycled-logs" in drawn
    assert ">flush<" not in drawn  # it does not sync


def test_rows_without_a_default_or_of_two_devices_are_refused() -> None:
    rows = [one for one in knob_rows() if one["knob"] or one["durability"] != "sync"]
    with pytest.raises(UsageError, match="found 0 cells of durability sync without a knob"):
        settings(rows)
    rows = knob_rows()
    rows += [one | {"device": "ssd", "cell": f"{one['cell']}-ssd"} for one in rows]
    with pytest.raises(UsageError, match="found 2 cells of durability sync without a knob"):
        settings(rows)


@pytest.mark.parametrize(("workload", "unit"), [("linkbench", "requests/s"), ("tpcc", "tpmC")])
def test_a_sweep_of_knobs_may_be_of_any_workload(workload: str, unit: str, tmp_path: Path) -> None:
    rows = [_of(one, workload=workload, throughput_unit=unit) for one in knob_rows()]
    assert unit in _report(rows, tmp_path)
    with (tmp_path / "knobs.csv").open() as file:
        assert {one["throughput_unit"] for one in csv.DictReader(file)} == {unit}


def _of(one: Row, **more: str) -> Row:
    return one | more | {"cell": one["cell"].replace("kv-fillrandom", more["workload"])}
