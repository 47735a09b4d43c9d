"""What a report says of an engine on a server, and of one that cannot run without its log."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from synthetic import (
    SERVED,
    compared,
    evidence_of,
    make_rows,
    make_served_rows,
    report,
    result_of,
    shown,
    steady,
    tables_width,
)
from waltax import analysis
from waltax.analysis.figures import devices as figures
from waltax.analysis.results import words
from waltax.analysis.results.source import origin_of
from waltax.row import Row, append

MYROCKS = {("off", "off"): 20_000.0, ("nvme", "sync"): 16_000.0, ("ssd", "sync"): 6_000.0}
# The devices differ without any waiting for the log: not what a mode costs.
INNODB = {
    ("ssd", "delayed"): 10_000.0,
    ("ssd", "sync"): 2_000.0,
    ("ssd", "flush"): 9_000.0,
    ("nvme", "delayed"): 20_000.0,
    ("nvme", "sync"): 15_000.0,
    ("nvme", "flush"): 18_000.0,
}


def _report(rows: list[Row], folder: Path) -> str:
    for one in rows:
        append(folder / "rows.jsonl", one)
    return report(folder)


def test_a_cell_of_innodb_is_compared_with_delayed_on_its_own_device() -> None:
    found = {
        (one.device, one.durability): one.overhead
        for one in analysis.estimate(make_served_rows("innodb", INNODB, sd=0))
    }
    assert found == {
        ("ssd", "sync"): pytest.approx(0.8),
        ("ssd", "flush"): pytest.approx(0.1),
        ("nvme", "sync"): pytest.approx(0.25),
        ("nvme", "flush"): pytest.approx(0.1),
    }


def test_a_device_stands_with_its_baseline_and_the_cheapest_device_first() -> None:
    cells = analysis.every_cell(make_served_rows("innodb", INNODB))
    assert [(one.device, one.durability) for one in cells] == [
        ("nvme", "delayed"),
        ("nvme", "flush"),
        ("nvme", "sync"),
        ("ssd", "delayed"),
        ("ssd", "flush"),
        ("ssd", "sync"),
    ]
    assert [one.device for one in cells if one.is_baseline] == ["nvme", "ssd"]


def test_two_equal_cells_of_innodb_have_one_baseline() -> None:
    rows = make_served_rows("innodb", {("nvme", "delayed"): 10.0, ("nvme", "sync"): 5.0}, sd=0)
    rows += [
        one | {"replica": "r2", "cell": f"{one['cell']}-r2"}
        for one in rows
        if one["durability"] == "delayed"
    ]
    found = {one.cell: one.overhead for one in analysis.estimate(rows)}
    assert found == {
        "innodb-linkbench-nvme-sync": pytest.approx(0.5),
        "innodb-linkbench-nvme-delayed-r2": pytest.approx(0.0),
    }


def test_every_output_says_what_innodb_is_compared_with(tmp_path: Path) -> None:
    rows = make_served_rows("innodb", INNODB)
    text = _report(rows, tmp_path)
    sentence = " ".join(text.split("\n\n")[0].split())
    assert "4 threads: InnoDB has no off; against delayed on the same device, commits" in sentence
    assert "commits that wait for the log cost 9." in sentence or "cost 10." in sentence
    assert "on nvme flush (emulated)" in sentence
    assert "on ssd sync (emulated)." in sentence
    assert "overheads are against delayed on the same device: InnoDB has no off" in text
    assert "against off" not in text
    for name in ("nvme delayed", "nvme flush", "nvme sync", "ssd delayed", "ssd sync"):
        assert f"{name} (emulated)" in text, name
    cells = json.loads((tmp_path / "summary.json").read_text())["cells"]
    assert {cell["reference"] for cell in cells} == {"delayed"}
    assert cells[2]["baseline"] == "innodb-linkbench-nvme-delayed"
    with (tmp_path / "summary.csv").open() as file:
        assert {line["reference"] for line in csv.DictReader(file)} == {"delayed"}
    svg = (tmp_path / "overhead.svg").read_text()
    assert "against delayed on the same device" in svg
    assert "InnoDB has no off" in svg
    assert "nvme flush" in (tmp_path / "overhead.svg").read_text()


def test_a_device_without_its_delayed_cell_has_no_overhead() -> None:
    rows = make_served_rows("innodb", {("ssd", "delayed"): 2.0, ("nvme", "sync"): 1.0})
    (nvme,) = analysis.estimate(rows)
    assert (nvme.overhead, nvme.baseline) == (None, None)
    rows = [one for one in rows if one["device"] == "nvme"]
    sentence = words.verdict(analysis.every_cell(rows))
    assert "no overhead, because there is no cell of delayed on the same device" in sentence


def test_a_baseline_that_failed_takes_its_own_device_only() -> None:
    rows = make_served_rows("innodb", INNODB)
    lost = next(o for o in rows if (o["device"], o["durability"]) == ("ssd", "delayed"))
    rows.append(lost | {"round": 9, "status": "failed", "throughput": None, "failure": "it died"})
    known = {(o.device, o.durability): o.overhead is None for o in analysis.estimate(rows)}
    assert known == {
        ("ssd", "sync"): True,
        ("ssd", "flush"): True,
        ("nvme", "sync"): False,
        ("nvme", "flush"): False,
    }
    sentence = words.verdict(analysis.every_cell(rows))
    assert "an unknown share on ssd flush (emulated)" in sentence
    assert sentence.endswith("FAILED on ssd delayed (emulated).")


def test_modes_are_named_where_a_group_has_several_and_sync_alone_is_not() -> None:
    alone = analysis.every_cell(make_served_rows("myrocks", MYROCKS))
    assert [words.label(one) for one in alone] == ["off", "nvme (emulated)", "ssd (emulated)"]
    several = make_served_rows("myrocks", MYROCKS | {("nvme", "delayed"): 19_000.0})
    assert [words.label(one) for one in analysis.every_cell(several)] == [
        "off",
        "nvme delayed (emulated)",
        "nvme sync (emulated)",
        "ssd sync (emulated)",
    ]


def test_client_and_server_have_cpu_columns_of_their_own() -> None:
    rows = make_served_rows("myrocks", MYROCKS)
    facts = result_of(rows, "myrocks-linkbench-nvme-sync").facts
    assert facts["cpu_us_per_request"] == pytest.approx(30)
    assert facts["cpu_server_us_per_request"] == pytest.approx(90)
    text = shown(rows)
    assert "client   server" in text
    assert "switches" not in text
    _, line, *_ = [line for line in text.splitlines() if line.startswith("  nvme (emulated)  ")]
    assert line.split()[-2:] == ["30.0", "90.0"]


def test_an_embedded_engine_has_no_server_in_its_report(folder: Path) -> None:
    text = report(folder)
    for word in ("server", "client", "delayed", "no off"):
        assert word not in text, word
    assert "switches" in text


@pytest.mark.parametrize("width", [80, 100])
def test_no_number_of_a_server_is_cut_at_any_width(width: int) -> None:
    text = shown(make_served_rows("innodb", INNODB, tap_sync_us_p50=12_345), width)
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    assert "12,345" in text
    assert tables_width(text) <= width


def test_a_percentile_of_a_background_thread_s_few_syncs_is_not_shown() -> None:
    few = {"tap_syncs": 9, "tap_sync_us_p50": 17_170.0, "binlog_device": "nvme", "binlog_syncs": 9}
    rows = make_served_rows("innodb", INNODB)
    rows = [
        one | few | {"binlog_sync_us_p50": 18_180.0} if one["durability"] == "flush" else one
        for one in rows
    ]
    text = shown(rows, 120)
    assert "17,170" not in text
    assert "18,180" not in text
    assert "96.0" in text  # of the modes with syncs enough
    facts = result_of(rows, "innodb-linkbench-nvme-sync").facts
    assert (facts["tap_sync_us_p50"], facts["tap_sync_us_p99"]) == (96.0, 150.0)


@pytest.mark.parametrize(
    ("engine", "rates", "said"),
    [
        ("myrocks", MYROCKS, "against off, which has the binlog as well, the WAL alone costs "),
        (
            "innodb",
            INNODB,
            "against delayed on the same device, which has the binlog as well, commits that wait",
        ),
    ],
)
def test_a_campaign_with_a_binlog_says_where_it_was_and_that_its_cost_is_not_measured(
    engine: str, rates: dict[tuple[str, str], float], said: str
) -> None:
    rows = make_served_rows(engine, rates, binlog_device="nvram", binlog_emulated=True)
    verdict = words.verdict(analysis.every_cell(rows))
    assert "profile quick, binlog on nvram (emulated), 4 threads: " in verdict
    assert said in verdict
    assert "profile quick, binlog on nvram (emulated), 4 threads" in shown(rows, 120)
    assert "binlog" not in shown(make_served_rows(engine, rates))


def test_every_report_on_myrocks_says_which_rocksdb_it_was() -> None:
    assert "server: MariaDB 10.11.19, RocksDB 6.29.5" in shown(make_served_rows("myrocks", MYROCKS))
    assert "server: MariaDB 10.11.19\n" in shown(make_served_rows("innodb", INNODB))
    unsaid = make_served_rows("myrocks", MYROCKS, versions={})
    assert "server: its version was not recorded" in shown(unsaid)


def test_syncs_that_innodb_does_not_count_are_the_tap_s() -> None:
    rows = make_served_rows("innodb", INNODB)
    result = result_of(rows, "innodb-linkbench-ssd-sync")
    facts = result.facts
    assert facts["wal_syncs"] is None
    assert facts["syncs_per_request"] == pytest.approx(0.1)
    text = shown(rows, 160)
    assert evidence_of("ssd sync", text).startswith("600,000 3 1,200")


def test_devices_are_compared_in_each_mode_that_both_have(tmp_path: Path) -> None:
    for one in make_served_rows("innodb", INNODB, sd=0):
        append(tmp_path / "rows.jsonl", one)
    said = compared(tmp_path, "nvme", "ssd")
    assert said.count("times the throughput") == 3
    assert "on nvme sync (emulated), nvme has 7.500 [7.500, 7.500] times the throughput of" in said


def test_two_engines_in_one_report_may_have_different_rocksdbs(tmp_path: Path) -> None:
    embedded = [
        one | SERVED | {"measure_s": SERVED["requests"] / one["throughput"]}
        for one in make_rows(3, 4, steady(off=10.0, nvme=5.0))
    ]
    embedded = [one | {"versions": {"rocksdb": "7.8.3"}} for one in embedded]
    text = _report([*embedded, *make_served_rows("myrocks", MYROCKS)], tmp_path)
    assert "LinkBench on RocksDB" in text
    assert "LinkBench on MyRocks" in text
    assert "the rows differ" not in text


def test_a_warning_names_the_mode_it_is_of() -> None:
    rows = make_served_rows("innodb", INNODB)
    rows[1] = rows[1] | {"warnings": ["swap is in use"]}
    assert "warning: ssd sync (emulated): swap is in use" in shown(rows)


def test_the_figure_of_an_engine_with_off_is_against_off() -> None:
    rows = make_served_rows("myrocks", MYROCKS)
    _, axes = figures.overheads(analysis.every_cell(rows), origin_of(rows)).axes
    assert axes.get_ylabel() == "overhead against off, %"
