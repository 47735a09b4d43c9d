"""What is said of receipts beside overheads; the receipts are made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from receipt_lines import receipt
from synthetic import make_rows, noise, steady
from waltax import row
from waltax.analysis import Report, page, reports
from waltax.analysis.reports.campaign_end import results_of
from waltax.analysis.reports.receipts import KEPT
from waltax.analysis.results import words
from waltax.base.errors import UsageError

_SOME = {"lost": 300, "lost_seconds": 0.9, "lost_seconds_low": 0.7, "lost_seconds_high": 1.0}
_ALL = {"lost": 800, "everything": 8, "lost_seconds": 2.0}


def _report(folder: Path, *receipts: dict[str, object]) -> Report:
    for one in make_rows(3, 4, steady(off=100.0, nvme=60.0)):
        row.append(folder / "rows.jsonl", one)
    text = "".join(json.dumps(one) + "\n" for one in receipts)
    (folder / KEPT).write_text(text)
    return reports.receipts([folder])


def _sentence(folder: Path, *receipts: dict[str, object]) -> str:
    (found,) = _report(folder, *receipts).verdicts
    return found


def test_a_mode_that_loses_nothing_is_said_to_beside_what_it_costs(tmp_path: Path) -> None:
    both = (receipt("nvme", "sync", failure) for failure in ("kill", "power"))
    found = _sentence(tmp_path, *both)
    assert found.startswith("nvme sync costs 40.0 % [")
    assert "] and loses nothing" in found


def test_what_is_lost_is_told_for_each_failure(tmp_path: Path) -> None:
    found = _sentence(
        tmp_path,
        receipt("nvme", "flush", "kill"),
        receipt("nvme", "flush", "power", **_SOME),
    )
    told = (
        "loses nothing when its process is killed, 0.900 [0.700, 1.00] s of commits in a power cut"
    )
    assert told in found


def test_a_mode_that_loses_everything_says_how_much_there_was(tmp_path: Path) -> None:
    lines = (receipt("off", "off", failure, **_ALL) for failure in ("kill", "power"))
    assert (
        "off is the baseline and loses all that was acknowledged in 4.0 s when its process is "
        "killed or in a power cut"
    ) in _sentence(tmp_path, *lines)


def test_states_that_are_not_whole_are_counted(tmp_path: Path) -> None:
    broken = receipt("nvme", "sync", "power", consistent=6, opens=7, **_SOME)
    assert "(2 of 8 states do not open or are not consistent)" in _sentence(tmp_path, broken)


@pytest.mark.parametrize(("sd", "is_resolved"), [(0.001, True), (0.03, False)])
def test_the_frontier_marks_what_costs_and_loses_no_less_than_another(
    tmp_path: Path, sd: float, is_resolved: bool
) -> None:
    """It is told apart only where the cost is, too."""
    wobble = noise(sd)
    rates = {"off": 100.0, "nvme": 60.0}
    for one in make_rows(3, 4, steady(**rates)):
        row.append(tmp_path / "rows.jsonl", one)
        for knob, rate in (("sync-10ms", 90.0), ("sync-100ms", 88.0)):
            if one["device"] == "nvme":
                more = {"knob": knob, "durability": "flush", "cell": f"{one['cell']}-{knob}"}
                row.append(tmp_path / "rows.jsonl", one | more | {"throughput": rate * wobble()})
    lines = [receipt("nvme", "sync", "power"), receipt("off", "off", "power", **_ALL)]
    for knob, ms in (("sync-10ms", 4.0), ("sync-100ms", 40.0)):
        lost = {f"lost_seconds{end}": ms / 1000 for end in ("", "_low", "_high")}
        lines.append(receipt("nvme", "flush", "power", knob=knob, **{**_SOME, **lost}))
    (tmp_path / KEPT).write_text("".join(json.dumps(one) + "\n" for one in lines))
    content = reports.receipts([tmp_path]).content
    assert content is not None
    points = {point["setting"]: point for point in content["frontier"]}
    assert list(points) == ["off", "sync-10ms", "sync-100ms", "sync"]
    assert points["sync-10ms"]["lost_ms"]["value"] == pytest.approx(4)
    assert points["sync-10ms"]["overhead"]["value"] == pytest.approx(0.1, abs=0.03)
    assert points["sync"]["dominated_by"] == points["off"]["dominated_by"] == ""
    worse = points["sync-100ms"]
    assert (worse["dominated_by"], worse["is_resolved"]) == ("sync-10ms", is_resolved)


def test_without_settings_between_the_modes_there_is_no_frontier(tmp_path: Path) -> None:
    content = _report(tmp_path, receipt("nvme", "sync", "power")).content
    assert content is not None
    assert "frontier" not in content


def test_a_large_doubt_of_the_overheads_ends_the_sentence(tmp_path: Path) -> None:
    for one in make_rows(3, 4, steady(off=100.0, nvme=60.0)):
        row.append(tmp_path / "rows.jsonl", one | {"disturbed": ["foreign CPU"]})
    (tmp_path / KEPT).write_text(json.dumps(receipt("nvme", "sync", "kill")) + "\n")
    (found,) = reports.receipts([tmp_path]).verdicts
    assert "; DOUBTFUL: " in found
    assert "slices disturbed (foreign CPU" in found


def test_the_page_has_the_interval_of_the_sentence_also_where_the_campaign_ended_early(
    tmp_path: Path,
) -> None:
    wobble = noise(0.02)
    rates = lambda *_: {"off": 100 * wobble(), "nvme": 60 * wobble()}  # noqa: E731
    for one in make_rows(8, 4, rates):
        row.append(tmp_path / "rows.jsonl", one | {"disturbed": []})
    summary = {"stop_reason": "tight", "target_half_width": 0.05, "ended_early": ["linkbench"]}
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    (tmp_path / KEPT).write_text(json.dumps(receipt("nvme", "sync", "kill")) + "\n")
    report = reports.receipts([tmp_path])
    assert report.source is not None
    (nvme,) = [one for one in results_of(report.source) if one.device == "nvme"]
    assert f"nvme sync costs {words.overhead(nvme)} and loses" in report.verdicts[0]
    ends = words.bounds(nvme.low, nvme.high)
    assert f">{words.percent(nvme.overhead)} {ends}<" in page.page(report, report.source)


def test_the_later_receipt_of_a_mode_holds(tmp_path: Path) -> None:
    earlier, later = (receipt("nvme", "sync", "kill", cuts=cuts) for cuts in (4, 9))
    report = _report(tmp_path, earlier, later)
    assert report.content is not None
    assert [one["cuts"] for one in report.content["receipts"]] == [9]


@pytest.mark.parametrize("line", ["[]", "{", '{"engine": "rocksdb"}'])
def test_a_line_that_is_no_receipt_is_refused_by_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / KEPT).write_text(f"{json.dumps(receipt('a', 'b', 'kill'))}\n{line}\n")
    for one in make_rows(1, 1, steady(off=100.0, nvme=60.0)):
        row.append(tmp_path / "rows.jsonl", one)
    with pytest.raises(UsageError, match=r"receipts\.jsonl:2: no line of receipts"):
        reports.receipts([tmp_path])
