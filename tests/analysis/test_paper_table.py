"""The paper's table beside rows of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic import make_served_rows, published
from waltax import analysis
from waltax.analysis import every_cell, reports
from waltax.analysis.reports import paper_table
from waltax.base.errors import UsageError
from waltax.row import Row, append

RATES = {
    ("off", "off"): 20_000.0,
    ("nvram", "sync"): 19_000.0,
    ("nvme", "sync"): 16_000.0,
    ("ssd", "sync"): 6_000.0,
}


def _rows() -> list[Row]:
    return make_served_rows("myrocks", RATES, profile="paper-x0.01", threads=10)


def _beside(rows: list[Row], folder: Path, width: int = 100) -> str:
    for one in rows:
        append(folder / "rows.jsonl", one)
    return published(reports.paper([folder]), width)


def _line(text: str, start: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.strip().startswith(start)]
    return line.split()


def test_each_cell_of_the_paper_has_ours_beside_it_and_their_difference() -> None:
    found = {
        pair.paper.device: pair
        for pair in paper_table.pairs(every_cell(make_served_rows("myrocks", RATES)))
    }
    assert list(found) == ["off", "nvram", "nvme", "ssd"]
    assert found["ssd"].difference == pytest.approx(0.70 - (1 - 6455 / 18977), abs=0.01)
    assert found["off"].difference is None


def test_the_table_has_throughput_overhead_interval_and_points(tmp_path: Path) -> None:
    text = _beside(_rows(), tmp_path)
    assert "LinkBench on MyRocks, profile paper-x0.01, 10 threads, beside the paper" in text
    assert "TPC-C" not in text  # of which there are no rows
    ssd = _line(text, "ssd (emulated) ")
    assert ssd[2] == "6,455"
    assert ssd[3].startswith(("5,9", "6,0"))
    assert ssd[5] == "66.0"
    assert ssd[6].startswith(("69.", "70."))
    assert ssd[7].startswith("[")
    assert ssd[-1].startswith(("+3.", "+4."))
    assert _line(text, "nvram (emulated) ")[-1].startswith("\N{MINUS SIGN}")
    assert max(map(len, text.splitlines())) <= 100


def test_both_hardwares_are_named_and_what_is_not_known_is_not_invented(tmp_path: Path) -> None:
    text = _beside(_rows(), tmp_path)
    assert "ssd: Crucial MX200 250 GB (SATA)" in text
    assert "its CPU and memory are not known to this repository" in text
    assert "ours: Some CPU, 2 CPUs, 23 GiB of memory" in text
    assert "emulated, a latency model of kind class-proxy; a sync took 96.0 us (median)" in text
    assert "on MariaDB 10.11.19, RocksDB 6.29.5" in text


def test_the_paper_s_devices_are_those_that_the_catalog_stands_for() -> None:
    catalog = Path(analysis.__file__).parent.parent / "devices"
    for device, name in paper_table.PAPER_DEVICES.items():
        if device != "off":
            stands_for = (catalog / f"{device}.toml").read_text()
            assert f"stands_for = \"{name}, the paper's" in stands_for


@pytest.mark.parametrize("width", [80, 100])
def test_no_number_is_cut(width: int, tmp_path: Path) -> None:
    text = _beside(_rows(), tmp_path, width)
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    assert "66.0" in text


def test_a_cell_that_was_not_measured_or_failed_says_so(tmp_path: Path) -> None:
    rows = [one for one in _rows() if one["device"] != "nvram"]
    lost = next(one for one in rows if one["device"] == "ssd")
    rows.append(lost | {"round": 9, "status": "failed", "throughput": None, "failure": "died"})
    text = _beside(rows, tmp_path)
    assert _line(text, "nvram  ")[-3:-1] == ["not", "measured"]
    assert "FAILED" in _line(text, "ssd (emulated) ")


def test_rows_of_another_engine_are_not_put_beside_the_paper(rows: list[Row]) -> None:
    with pytest.raises(UsageError, match="found rocksdb; the paper measured myrocks"):
        paper_table.pairs(every_cell(rows))
    with pytest.raises(UsageError, match="found no cell of durability sync or off"):
        paper_table.pairs(every_cell(make_served_rows("innodb", {("nvme", "delayed"): 1.0})))


def test_two_sizes_of_one_workload_are_not_put_beside_it_at_once() -> None:
    small = [one | {"profile": "paper-x0.1", "cell": one["cell"] + "-small"} for one in _rows()]
    with pytest.raises(UsageError, match=r"found cells .* and .*-small; only one of them"):
        paper_table.pairs(every_cell([*_rows(), *small]))
