from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from swept import linear, sweep, with_clients
from synthetic import published, report, tables_width
from waltax.analysis import every_cell, reports
from waltax.analysis.figures import devices, points
from waltax.analysis.figures.points import whiskers
from waltax.analysis.results.source import origin_of
from waltax.analysis.series import Line
from waltax.analysis.stats import Interval
from waltax.base.errors import UsageError
from waltax.row import Row

DEVICES = {"nvme": 30.0, "mybox": 33.0, "hdd-7200": 8000.0}


def campaign(folder: Path, rows: list[Row]) -> Path:
    lines = (json.dumps(one) + "\n" for one in rows)
    (folder / "rows.jsonl").write_text("".join(lines))
    return folder


def printed(folder: Path, **more: float) -> str:
    return published(reports.latency([folder], devices=lambda _: DEVICES, **more))


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = campaign(tmp_path_factory.mktemp("sweep"), sweep(sd=0.02, others={"nvme": 30.0}))
    return folder, printed(folder, emphasised=0.3)


def test_the_report_begins_with_the_answer_that_was_asked_for(reported: tuple[Path, str]) -> None:
    text = reported[1]
    assert text.startswith("For at most 30 % overhead LinkBench on RocksDB with 4 clients needs")
    assert "1 of 1 devices measured beside the grid agree with the curve" in text
    assert "hdd-7200, sync 8,000 us: outside the curve, slower than any wait" in text


def test_the_tables_of_a_report_to_a_file_fit_a_hundred_columns(reported: tuple[Path, str]) -> None:
    assert tables_width(reported[1]) <= 100


def test_curve_json_has_points_answers_predictions_and_where_they_come_from(
    reported: tuple[Path, str],
) -> None:
    content = json.loads((reported[0] / "curve.json").read_text())
    assert content["campaigns"] == ["20260101-test"]
    (curve,) = content["curves"]
    assert curve["group"] == {
        "engine": "rocksdb", "workload": "linkbench", "profile": "quick", "threads": 4,
    }  # fmt: skip
    assert len(curve["points"]) == 10
    assert curve["points"][0]["fitted"]["low"] < curve["points"][0]["fitted"]["high"]
    answers = {one["overhead"]: one for one in curve["answers"]}
    assert sorted(answers) == [0.05, 0.1, 0.25, 0.3, 0.5]
    assert answers[0.05]["outside"] == "below"
    assert answers[0.05]["sync_us"] is None
    assert answers[0.3]["sync_us_low"] < answers[0.3]["sync_us"] < answers[0.3]["sync_us_high"]
    marks = {one["device"]: one for one in curve["predictions"]}
    assert marks["nvme"]["agrees"] is True
    assert marks["hdd-7200"]["predicted"]["value"] is None


def test_curve_csv_has_a_line_per_point(reported: tuple[Path, str]) -> None:
    with (reported[0] / "curve.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 10
    assert float(lines[0]["fitted_low"]) < float(lines[0]["fitted"])


def test_the_figure_marks_the_devices_by_name(reported: tuple[Path, str]) -> None:
    assert (reported[0] / "curve.png").stat().st_size > 20_000
    drawn = (reported[0] / "curve.svg").read_text()
    for text in ("nvme 30.0 us", "mybox 33.0 us", "for at most 30 % a sync under"):
        assert text in drawn
    assert "campaign 20260101-test" in drawn
    assert "hdd-7200 " not in drawn  # it lies outside


@pytest.mark.parametrize("us", [200.0, 8000.0])
def test_a_directory_beside_the_grid_is_marked_at_its_own_waits(tmp_path: Path, us: float) -> None:
    """Beyond the slowest point, too: there it is measured, though nothing is predicted."""
    text = printed(campaign(tmp_path, sweep(sd=0.001, others={"mydisk": us})))
    (line,) = [one for one in text.splitlines() if one.strip().startswith("mydisk  ")]
    assert line.split()[1] == "-"
    (curve,) = json.loads((tmp_path / "curve.json").read_text())["curves"]
    marks = {one["device"]: one for one in curve["predictions"]}
    assert marks["mydisk"]["sync_us"] is None
    assert marks["mydisk"]["waited_us"] == pytest.approx(us, rel=1e-2)
    assert marks["mydisk"]["measured"]["value"] == pytest.approx(linear(us), abs=0.01)
    assert "mydisk " in (tmp_path / "curve.svg").read_text()


def test_a_function_may_give_the_devices_of_each_curve(tmp_path: Path) -> None:
    folder = campaign(tmp_path, sweep())
    of = reports.latency(
        [folder / "rows.jsonl"], devices=lambda curve: {f"box{curve.baseline.threads}": 50.0}
    )
    assert "box4" in published(of)
    assert not (folder / "curve.json").exists()  # a file of rows has no folder of its own


def test_a_sweep_over_clients_is_reported_with_its_figure(tmp_path: Path) -> None:
    rows = sweep(grid=(), others={"nvme": 20.0})
    rows = [one for threads in (1, 4, 16) for one in with_clients(rows, threads)]
    folder = campaign(tmp_path, rows)
    said = " ".join(published(reports.threads([folder])).split())
    assert "nvme: the log costs" in said
    assert "with 1 client and " in said
    assert "with 16 clients, " in said
    content = json.loads((folder / "threads.json").read_text())
    assert [one["threads"] for one in content["sweeps"][0]["points"]] == [1, 4, 16]
    assert len((folder / "threads.csv").read_text().splitlines()) == 4
    drawn = (folder / "threads.svg").read_text()
    assert "nvme (emulated)" in drawn
    assert ">clients<" in drawn
    assert (folder / "threads.png").stat().st_size > 10_000


def test_a_sweep_over_clients_of_a_disturbed_machine_says_so(tmp_path: Path) -> None:
    rows = sweep(grid=(), others={"nvme": 20.0}, disturbed=["steal"])
    rows = [one for threads in (1, 4) for one in with_clients(rows, threads)]
    said = published(reports.threads([campaign(tmp_path, rows)]))
    (doubt,) = [line for line in said.splitlines() if line.startswith("  DOUBTFUL: ")]
    assert "slices disturbed (steal" in doubt


def test_the_ordinary_report_takes_a_grid(tmp_path: Path) -> None:
    rows = sweep()
    text = report(campaign(tmp_path, rows) / "rows.jsonl")
    assert "sync-28us (emulated)" in text
    drawn = devices.overheads(every_cell(rows), origin_of(rows))
    names = [label.get_text() for label in drawn.axes[0].get_xticklabels()]
    assert "sync-28us (emulated)" in names


def test_rows_without_a_sweep_are_refused_with_what_there_should_be(tmp_path: Path) -> None:
    folder = campaign(tmp_path, sweep(grid=(28,)))
    with pytest.raises(UsageError, match="found no latency sweep"):
        printed(folder)
    with pytest.raises(UsageError, match="found one number of clients"):
        reports.threads([folder])


def test_a_bound_beyond_its_value_by_a_rounding_has_no_whisker() -> None:
    axes = points.empty(4.0, 3.0).subplots()
    whiskers(axes, [1.0], [Interval(0.3, 0.3 + 1e-16, 0.3 - 1e-16)], Line("", "nvme"))


def test_a_report_of_much_noise_and_few_rounds_begins_with_the_doubt(tmp_path: Path) -> None:
    rows = [one for one in sweep(sd=1.0) if one["round"] == 0]
    text = " ".join(printed(campaign(tmp_path, rows), emphasised=0.3).split())
    assert text.startswith("For at most 30 % overhead it is not known how fast a sync LinkBench")
    (curve,) = json.loads((tmp_path / "curve.json").read_text())["curves"]
    answers = {one["overhead"]: one for one in curve["answers"]}
    assert answers[0.3]["resolved"] is False
    assert answers[0.3]["text"].startswith("not resolved: ")


def test_a_curve_of_a_disturbed_machine_says_so_with_its_answer(tmp_path: Path) -> None:
    rows = sweep(disturbed=["steal"])
    (verdict,) = reports.latency([campaign(tmp_path, rows)], devices=lambda _: DEVICES).verdicts
    assert f"; DOUBTFUL: {len(rows)} of {len(rows)} slices disturbed (steal" in verdict
