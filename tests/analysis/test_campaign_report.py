from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from synthetic import compared, make_rows, noise, report, result_of, shown, steady
from waltax import analysis
from waltax.analysis.figures import style
from waltax.analysis.results.facts import apart
from waltax.base.errors import UsageError
from waltax.row import Row, append


def test_a_line_that_was_cut_is_reported(folder: Path) -> None:
    with (folder / "rows.jsonl").open("a") as file:
        file.write('{"schema"')
    assert "rows.jsonl:38: dropped a half-written last line" in report(folder)


def test_one_session_is_labelled_within_session(tmp_path: Path) -> None:
    wobble = noise(0.1)
    for one in make_rows(1, 5, lambda *_: {"off": 1e3, "ssd": 100 * wobble()}):
        append(tmp_path / "rows.jsonl", one)
    text = report(tmp_path)
    first = " ".join(text.split("\n\n")[0].split())
    assert "; DOUBTFUL: one session only: what differs between sessions is not in" in first


def test_the_summary_has_each_cell_under_full_names(folder: Path) -> None:
    report(folder, stop_reason="the time budget is spent", target_half_width=0.03)
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["profiles"] == ["quick"]
    assert summary["seeds"] == [7]
    assert summary["versions"] == {"waltax": ["0.1.0"], "rocksdb": ["7.8.3"]}
    assert summary["git_commits"] == ["abc"]
    assert summary["kernels"] == ["6.1"]
    assert "hierarchical bootstrap" in summary["intervals"]
    assert summary["stop_reason"] == "the time budget is spent"
    assert summary["slices_failed"] == 1
    cells = {cell["device"]: cell for cell in summary["cells"]}
    nvme = cells["nvme"]
    assert nvme["overhead_low"] < nvme["overhead"] < nvme["overhead_high"]
    assert nvme["overhead"] == pytest.approx(0.27, abs=0.05)
    assert nvme["throughput_low"] < nvme["throughput"] < nvme["throughput_high"]
    assert (nvme["engine"], nvme["workload"], nvme["durability"]) == (
        "rocksdb",
        "linkbench",
        "sync",
    )
    assert (nvme["emulated"], nvme["throughput_unit"]) == (True, "requests/s")
    assert (nvme["sessions"], nvme["rounds"]) == (3, 12)
    assert nvme["wal_bytes_per_request"] == 50
    assert nvme["added_us_per_request"] > 0
    assert (cells["off"]["overhead"], cells["off"]["overhead_low"]) == (0, 0)
    assert cells["ssd"]["overhead"] is None
    assert cells["ssd"]["failures"] == ["no space left"]


def test_the_csv_holds_the_same_cells(folder: Path) -> None:
    report(folder)
    cells = json.loads((folder / "summary.json").read_text())["cells"]
    with (folder / "summary.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [line["cell"] for line in lines] == [cell["cell"] for cell in cells]
    assert list(lines[0]) == [name for name, of in cells[0].items() if not isinstance(of, list)]
    assert float(lines[1]["overhead"]) == cells[1]["overhead"]


def test_reporting_again_keeps_how_the_campaign_ended(folder: Path) -> None:
    report(folder, stop_reason="tight", target_half_width=0.03)
    text = report(folder)
    assert json.loads((folder / "summary.json").read_text())["stop_reason"] == "tight"
    assert "(target 3.0)" in text


def test_a_file_of_rows_is_only_printed(folder: Path, tmp_path: Path) -> None:
    assert "on nvme (emulated)" in report(folder / "rows.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_several_campaigns_are_only_printed(folder: Path, tmp_path: Path) -> None:
    another = tmp_path / "another"
    another.mkdir()
    for one in make_rows(3, 4, steady(off=1000.0, nvme=730.0)):
        append(another / "rows.jsonl", one | {"campaign": "another"})
    text = report(folder, another)
    assert "Several campaigns: only this table" in text
    assert "24 rounds in 6 sessions" in text
    assert [path.name for path in another.iterdir()] == ["rows.jsonl"]
    assert not (folder / "summary.json").exists()


def test_the_figures_say_emulated_and_name_their_campaign(folder: Path) -> None:
    report(folder)
    assert (folder / "overhead.png").read_bytes().startswith(b"\x89PNG")
    svg = (folder / "overhead.svg").read_text()
    for expected in ("(emulated)", "20260101-test", "rocksdb 7.8.3", "requests/s", "baseline"):
        assert expected in svg, expected
    assert "nvme (emulated)" in svg


def test_a_device_has_one_colour_for_ever_and_no_two_share_it() -> None:
    study = ("off", "nvram", "nvme", "ssd")
    assert [style.colour(d) for d in study] == ["#8c8c8c", "#009e73", "#0072b2", "#d55e00"]
    catalog = [
        path.stem for path in (Path(analysis.__file__).parent.parent / "devices").glob("*.toml")
    ]
    assert len({style.colour(device) for device in catalog}) == len(catalog)
    assert style.colour("mine") == style.colour("mine")


def test_compare_gives_the_ratio_with_its_interval(folder: Path) -> None:
    sentence = compared(folder, "nvram", "nvme")
    assert "on nvram (emulated), nvram has 1.3" in sentence
    assert "times the throughput of nvme, and the log's cost fell from 2" in sentence


def test_devices_that_are_alike_are_not_told_apart(tmp_path: Path) -> None:
    for one in make_rows(3, 4, steady(off=1000.0, nvme=700.0, ssd=700.0)):
        append(tmp_path / "rows.jsonl", one)
    assert "nvme and ssd cannot be told apart (1.000" in compared(tmp_path, "nvme", "ssd")


def test_nothing_is_compared_with_a_device_that_did_nothing(tmp_path: Path) -> None:
    for one in make_rows(3, 2, steady(off=2.0, ssd=0.0, nvme=1.0)):
        append(tmp_path / "rows.jsonl", one)
    for a, b in (("nvme", "ssd"), ("ssd", "nvme")):
        assert "(emulated), ssd did nothing: no comparison" in compared(tmp_path, a, b)


@pytest.mark.parametrize("b", ["nvme", "off", "tape", "nvme:sync"])
def test_compare_takes_two_devices_with_a_log_and_names_those_there_are(
    folder: Path, b: str
) -> None:
    with pytest.raises(UsageError, match=r"has nvme, nvram, ssd; name two of them, .*--campaign"):
        compared(folder, "nvme", b)


def test_counters_are_per_request_of_the_whole_slice(rows: list[Row]) -> None:
    result = result_of(rows, rows[1]["cell"])
    facts = result.facts
    assert facts["requests"] == 12_000
    assert facts["syncs_per_request"] == pytest.approx(0.1)
    assert facts["commits_per_group"] == pytest.approx(3.0)
    assert facts["cpu_us_per_request"] == pytest.approx(30.0)
    assert facts["context_switches_per_request"] == pytest.approx(0.3)


def test_a_counter_that_one_slice_lacks_is_unknown_not_small(rows: list[Row]) -> None:
    del rows[1]["wal_bytes"]
    facts = result_of(rows, rows[1]["cell"]).facts
    assert facts["wal_bytes"] is None
    assert facts["wal_bytes_per_request"] is None


def test_warnings_that_differ_only_in_numbers_are_told_once(rows: list[Row]) -> None:
    texts = ["swap is in use", "load average 1.2", "load average 3.4"]
    assert apart(texts) == texts[:2]
    mine = [one for one in rows if one["device"] == "nvme"]
    for one, text in zip(mine, texts, strict=False):
        one["warnings"] = [text]
    assert result_of(rows, mine[0]["cell"]).warnings == tuple(texts[:2])


def test_rows_of_two_engine_versions_are_warned_of(rows: list[Row], tmp_path: Path) -> None:
    rows[0] = rows[0] | {"versions": {"rocksdb": "11.8.1"}}
    for one in rows:
        append(tmp_path / "rows.jsonl", one)
    assert "warning: the rows differ in the version of rocksdb (11.8.1 and 7.8.3)" in report(
        tmp_path
    )


@pytest.mark.parametrize(("us", "said"), [(1900.0, True), (1000.0, False)])
def test_where_cpus_are_busy_the_notes_say_what_the_logs_cpu_time_alone_costs(
    us: float, said: bool
) -> None:
    """Of two CPUs, 1,000 requests/s of 1,900 us use 95 %; a log that makes it 2,500 costs 24 %."""
    rows = make_rows(3, 4, steady(off=1000.0, nvme=700.0))
    for row in rows:
        of_one_us = us if row["device"] == "off" else us + 600
        row |= {"cores": 2, "requests": 1000, "measure_s": 1.0, "slice_requests": 1000}
        row |= {"cpu_engine_s": of_one_us / 1000, "cpu_driver_s": 0.0}
    line = (
        "off keeps the CPUs 95.0 % busy: the CPU time that a log adds would by itself cost 24.0 % "
        "on nvme (emulated); with idle CPUs a log costs less"
    )
    assert (line in shown(rows)) == said
