"""What the log adds to latency over load, the knee, and what commits share a sync."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from histogram_rows import encoded
from load_rows import MS, SYNC_US, Times, slices, swept
from synthetic import published, shown
from waltax.analysis import reports
from waltax.analysis.reports.load import At, load_sweeps
from waltax.analysis.series import Series
from waltax.base.errors import UsageError
from waltax.row import Row, append

_BOUND_US = 10_000.0
_OFF: Times = {10: (100_000, 200_000), 50: (100_000, 200_000)}
_NVME: Times = {10: (130_000, MS), 50: (150_000, 100 * MS)}


def _series(rows: list[Row]) -> Series[At]:
    (series,) = load_sweeps(rows, _BOUND_US)
    return series


def _knee(rows: list[Row], device: str) -> Mapping[str, float | None]:
    knee: Mapping[str, float | None] = _series(rows).own["knees"][device]
    return knee


def test_what_the_log_adds_is_the_difference_of_percentiles_at_the_same_load() -> None:
    points = {(at.result.device, at.load): at for at in _series(swept(off=_OFF, nvme=_NVME)).points}
    half = points["nvme", 50]
    assert half.added_us("p50").value == pytest.approx(50, rel=0.02)
    assert half.added_us("p99").value == pytest.approx(99_800, rel=0.02)
    assert points["nvme", 10].added_us("p50").value == pytest.approx(30, rel=0.02)
    assert points["off", 50].added_us("p50").value is None


def test_the_baseline_comes_first_although_its_server_syncs_a_little_by_itself() -> None:
    rows = slices("off", _OFF, tap_syncs=1, tap_sync_ns=9 * MS) + slices("nvme", _NVME)
    devices = [at.result.device for at in _series(rows).points]
    assert devices == ["off", "off", "nvme", "nvme"]


def test_a_device_whose_baseline_is_on_it_too_has_a_line_for_each() -> None:
    innodb = {"engine": "innodb"}
    base = slices("nvme", _OFF, **innodb, durability="delayed", emulated=True)
    rows = [row | {"cell": f"{row['cell']}-delayed"} for row in base]
    series = _series(rows + slices("nvme", _NVME, **innodb))
    assert [at.result.is_baseline for at in series.points] == [True, True, False, False]
    assert len([said for said in series.sentences if "p99 of 10 ms" in said]) == 2


def test_a_knee_lies_between_two_loads_where_a_line_passes_the_bound() -> None:
    """p99 goes from 1 to 100 ms between 10 and 50 %: 10 ms are half of the way, at 30 %."""
    assert _knee(swept(off=_OFF, nvme=_NVME), "nvme")["value"] == pytest.approx(30, abs=0.2)


def test_a_device_that_stays_below_the_bound_has_no_knee_and_one_beyond_it_is_past() -> None:
    slow: Times = {10: (MS, 20 * MS), 50: (MS, 30 * MS)}
    rows = swept(off=_OFF, ssd=slow)
    assert _knee(rows, "off")["value"] is None
    assert _knee(rows, "ssd")["value"] == 0
    said = " ".join(_series(rows).sentences)
    assert "off: it stays below a p99 of 10 ms at every load that was offered" in said
    assert "ssd (emulated): it is past a p99 of 10 ms at 10 % load, the least" in said


def test_the_interval_of_a_knee_is_where_the_ends_of_p99_pass() -> None:
    """At 50 % p99 is 100 ms, or 20 ms in as many slices more or less."""
    rows = swept(off=_OFF, nvme=_NVME)
    for number, row in enumerate(rows[-4:]):
        few = 10 + number
        row["latency_hdr"] = encoded({150_000: 950, 20 * MS: 50 - few, 100 * MS: few})
    knee = _knee(rows, "nvme")
    assert knee["value"] == pytest.approx(30, abs=0.2)
    assert knee["low"] == knee["value"]
    assert knee["high"] == pytest.approx(10 + 40 * math.log(10) / math.log(20), abs=0.2)
    said = " ".join(_series(rows).sentences)
    assert "nvme (emulated): its knee, a p99 of 10 ms, is at 30 % [30, 41] load" in said


def test_a_load_that_a_device_does_not_bear_is_not_what_the_sentence_is_about() -> None:
    rows = swept(off=_OFF, nvme=_NVME)
    for row in rows:
        row["unserved"] = 500 * (row["device"] == "nvme" and row["load"] == "50")
    series = _series(rows)
    assert {at.load: at.served for at in series.points if at.result.device == "nvme"} == {
        10: 1.0,
        50: pytest.approx(2 / 3),
    }
    assert ": at 10 % load nvme (emulated) adds 30" in series.verdict


@pytest.mark.parametrize(
    ("syncs", "verdict"),
    [(600, "holds as far"), (800, "fails as far")],  # 1,500 commits: 2.5 or 1.9 a sync
)
def test_a_prediction_of_commit_timers_is_held_against_batches(syncs: int, verdict: str) -> None:
    """Two commits in a flush of 1 ms are 2,000/s, and at 80 % 2,400 arrive."""
    loads: Times = {10: (100_000, MS), 80: (100_000, MS)}
    more = {"tap_syncs": syncs * 16 // 10, "tap_sync_ns": int(syncs * 1600 * 100 * SYNC_US / 100)}
    rows = (
        slices("off", loads)
        + slices("ssd", {10: loads[10]})
        + slices("ssd", {80: loads[80]}, **more)
    )
    said = _series(rows).sentences[-1]
    assert said.startswith("ssd (emulated): two commits in a flush of 1,000 us are 2,000 commits/s")
    assert verdict in said


def test_of_a_device_that_is_too_fast_for_the_prediction_nothing_is_claimed() -> None:
    said = _series(swept(off=_OFF, nvme=_NVME)).sentences[-1]
    assert "what a commit timer would gain is not predicted" in said


def test_rows_of_one_load_are_no_sweep(tmp_path: Path) -> None:
    append(tmp_path / "rows.jsonl", *slices("off", {50: (1, 2)}), *slices("nvme", {50: (1, 2)}))
    with pytest.raises(UsageError, match="see `waltax sweep load`"):
        reports.load([tmp_path])


def test_the_report_has_the_tables_and_no_doubt_about_an_overhead(tmp_path: Path) -> None:
    append(tmp_path / "rows.jsonl", *swept(off=_OFF, nvme=_NVME))
    text = published(reports.load([tmp_path]), width=140)
    assert "Added by the log" in text
    assert "Group commit" in text
    assert "not resolvable" not in text  # as much is done as is offered, on every device
    assert "50 % load: as much is offered to every device, so that the WAL costs latency" in shown(
        [r for r in swept(off=_OFF, nvme=_NVME) if r["load"] == "50"]
    )
    (sweep,) = json.loads((tmp_path / "load.json").read_text())["sweeps"]
    assert sweep["bound_us"] == _BOUND_US
    assert {(point["device"], point["load_percent"]) for point in sweep["points"]} == {
        (device, load) for device in ("off", "nvme") for load in (10, 50)
    }


def test_the_figure_has_latencies_by_their_powers_and_the_bound(tmp_path: Path) -> None:
    append(tmp_path / "rows.jsonl", *swept(off=_OFF, nvme=_NVME))
    median, tail = reports.load([tmp_path]).figures["load"]().axes
    assert (median.get_yscale(), tail.get_yscale()) == ("log", "log")
    assert _BOUND_US in [line.get_ydata()[0] for line in tail.lines]  # type: ignore[index]
    assert [label.get_text() for label in tail.get_xticklabels()] == ["10 %", "50 %"]


def test_a_difference_whose_interval_covers_zero_is_not_said_to_be_added() -> None:
    rows = swept(off=_OFF, nvme=_NVME)
    for row in rows:
        if row["load"] == "50":  # few slices say what p99 is
            row["latency_hdr"] = encoded({100_000: 980, (1 + row["round"]) * MS: 20})
    said = _series(rows).verdict
    assert ": at half load nvme (emulated) adds nothing that was resolved (" in said
