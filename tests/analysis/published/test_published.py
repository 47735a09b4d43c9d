"""Published studies: their files, and their figures beside ours in tables and files."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from kv_rows import size_rows
from memory_rows import memory_rows
from synthetic import make_row, make_served_rows, published
from waltax import analysis, row, workloads
from waltax.analysis import Report, reports
from waltax.analysis.published import Study, studies
from waltax.cell import COLUMNS
from waltax.row import Row

Reported = Callable[[Sequence[Path]], Report]


def _statement_rows(threads: int = 10) -> list[Row]:
    """Inserts on MyRocks: synced, flushed, and without a log."""
    cells = [("off", "off", 9000.0), ("nvme", "flush", 8000.0), ("nvme", "sync", 6000.0)]
    return [
        make_row(
            device, rate * (1 + 0.01 * number), session, number,
            engine="myrocks", workload="sqlops-insert", threads=threads, durability=mode,
            cell=f"myrocks-sqlops-insert-ci-{device}-{mode}-t{threads}",
            throughput_unit="statements/s",
        )
        for session in range(3) for number in range(3) for device, mode, rate in cells
    ]  # fmt: skip


def _shop_rows() -> list[Row]:
    rows = []
    for ratio, as_measured in ((0.25, 0.25), (1.25, 5.0)):
        for one in memory_rows(as_measured):
            cell = f"rocksdb-shop-r{ratio}-{one['device']}-t4"
            named = {"workload": "shop", "memory_ratio": ratio, "cell": cell}
            rows.append({**one, **named, "profile": f"r{ratio}", "campaign": f"r{ratio}"})
    return rows


def _sizes(campaigns: Sequence[Path]) -> Report:
    return reports.sizes(campaigns[:1])


def _report(of: Reported, rows: list[Row], folder: Path) -> str:
    for one in rows:
        row.append(folder / "rows.jsonl", one)
    return published(of([folder]), 130)


@pytest.mark.parametrize(
    ("of", "rows", "name", "title", "values"),
    [
        (reports.devices, _statement_rows, "summary", "JMeter 2017", [2595.14]),
        (reports.memory, _shop_rows, "memory", "MyRocks 2020", [0.85]),
        (
            _sizes,
            size_rows,
            "sizes",
            "db_bench study",
            [1, 1.11, 3.09],
        ),
    ],
)
def test_a_published_figure_is_beside_ours_in_the_cells_that_are_like_the_study_s(
    of: Reported,
    rows: Callable[[], list[Row]],
    name: str,
    title: str,
    values: list[float],
    tmp_path: Path,
) -> None:
    text = _report(of, rows(), tmp_path)
    (study,) = [one for one in studies() if one.title == title]
    assert text.count(f"{title}: {study.reference}. {study.differs}") == 1
    told = json.loads((tmp_path / f"{name}.json").read_text())
    assert [one["title"] for one in told["published"]] == [title]
    cells = told.get("cells") or [point for sweep in told["sweeps"] for point in sweep["points"]]
    theirs = [cell for cell in cells if cell.get("published") is not None]
    assert [cell["published"] for cell in theirs] == values
    assert all(cell["device"] == "nvme" and cell[study.figure] for cell in theirs)
    with (tmp_path / f"{name}.csv").open() as file:
        lines = [line["published"] for line in csv.DictReader(file)]
    assert len(lines) == len(cells)
    assert [float(line) for line in lines if line] == values


def test_the_paper_s_overheads_are_those_of_its_throughputs() -> None:
    (study,) = [one for one in studies() if one.title == "the paper"]
    results = analysis.estimate(analysis.load([Path(analysis.__file__).parent / "paper.jsonl"]))
    assert len(results) == len(study.values)
    for result in results:
        assert study.value(result) == pytest.approx(result.overhead, abs=1e-4)


def test_the_paper_s_overheads_stand_beside_ours(tmp_path: Path) -> None:
    rates = {("off", "off"): 20_000.0, ("ssd", "sync"): 6_000.0}
    rows = make_served_rows("myrocks", rates, profile="paper-x0.01", threads=10)
    text = _report(reports.devices, rows, tmp_path)
    line = next(line for line in text.splitlines() if line.strip().startswith("ssd (emulated)  "))
    assert line.split("]")[1].split()[0] == "66.0"


def test_only_the_mode_of_the_study_has_its_figure(tmp_path: Path) -> None:
    assert "2,595" in _report(reports.devices, _statement_rows(), tmp_path)
    cells = json.loads((tmp_path / "summary.json").read_text())["cells"]
    theirs = {cell["durability"]: cell.get("published") for cell in cells}
    assert theirs == {"off": None, "flush": None, "sync": 2595.14}


def test_the_column_stands_after_ours_and_in_its_unit(tmp_path: Path) -> None:
    text = _report(reports.memory, _shop_rows(), tmp_path)
    heads = next(line for line in text.splitlines() if "iowait %" in line)
    assert heads.index("iowait") < heads.index("published")
    assert [line.split()[:3] for line in text.splitlines() if "85.0" in line] == [
        ["nvme", "4", "1.25"]
    ]


def test_cells_that_are_like_no_study_s_get_no_column(tmp_path: Path) -> None:
    text = _report(reports.devices, _statement_rows(threads=4), tmp_path)
    assert "JMeter" not in text
    assert "published" not in (tmp_path / "summary.json").read_text()
    assert "published" not in (tmp_path / "summary.csv").read_text()


@pytest.mark.parametrize("study", studies(), ids=lambda study: study.title)
def test_a_file_is_complete_and_names_each_cell_once(study: Study) -> None:
    assert all(study.about.values())
    assert study.differs.endswith(".")
    cells = [{**study.where, **value} for value in study.values]
    figures = [cell.pop("value") for cell in cells]
    assert min(figures) > 0
    for cell in cells:
        assert cell.keys() <= {*COLUMNS, "memory_ratio"}
        assert re.sub(r"(-k\d+)?-v\d+$", "", cell["workload"]) in workloads.WORKLOADS
        assert cells.count(cell) == 1
