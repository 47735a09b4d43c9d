"""What speaks against an overhead is found in the rows, and said with the overhead."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from synthetic import make_row, noise, report
from waltax import analysis
from waltax.analysis import CellResult
from waltax.analysis.results import Doubt, twins, words
from waltax.analysis.writers import markdown
from waltax.row import Row, append
from waltax.runners import emulation

Rate = Callable[[int, int], float]


def _rows(
    nvme: Rate = lambda *_: 700.0, sessions: int = 3, rounds: int = 4, **more: object
) -> list[Row]:
    """A device at these rates beside `off` at 1,000, both with a little noise."""
    wobble = noise(0.01)
    more = {"disturbed": [], **more}
    return [
        make_row(device, rate * wobble(), session, round_, **more)
        for session in range(sessions)
        for round_ in range(rounds)
        for device, rate in (("off", 1000.0), ("nvme", nvme(session, round_)))
    ]


def _nvme(rows: list[Row], target: float | None = None) -> CellResult:
    return analysis.every_cell(rows, target, twins(rows))[-1]


def _only(one: CellResult, kind: str) -> Doubt:
    (found,) = [doubt for doubt in one.doubts if doubt.kind == kind]
    return found


def test_a_quiet_campaign_has_no_doubt() -> None:
    one = _nvme(_rows(), 0.05)
    assert one.doubts == ()
    assert words.doubtful([one]) == ""


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("not durable", "barriers are off: a sync does not flush the disk's cache"),
        ("label not proven", "/mnt/x should be on nvme, but is on virtual: ext4 on vda"),
    ],
)
def test_a_log_that_is_not_what_it_is_called_is_doubted_in_the_sentence_that_says_its_cost(
    kind: str, why: str
) -> None:
    one = _nvme(_rows(warnings=[f"{kind}: {why}"], emulated=False, device_kind="real"))
    assert _only(one, kind).text == f"{kind}: {why}"
    assert f"DOUBTFUL: {kind}: {why}" in words.verdict([one])


def test_a_target_that_was_missed_is_a_large_doubt() -> None:
    one = _nvme(_rows(), 0.001)
    missed = _only(one, "target missed")
    assert missed.large
    assert (
        missed.text
        == f"target missed: half-width {words.percent(one.half_width)} points, target 0.1"
    )


def test_an_interval_up_to_twice_the_target_is_no_doubt_of_the_first_sentence() -> None:
    width = _nvme(_rows(), 1.0).half_width
    assert width is not None
    assert not _only(_nvme(_rows(), width / 1.95), "target missed").large
    assert _only(_nvme(_rows(), width / 2.05), "target missed").large


def test_an_interval_that_was_stretched_to_its_target_has_met_it() -> None:
    width = _nvme(_rows(), 1.0).half_width
    assert width is not None
    rounded = width * (1 - 1e-15)
    assert width > rounded
    assert "target missed" not in [one.kind for one in _nvme(_rows(), rounded).doubts]


def test_a_target_that_was_nearly_met_shows_by_how_much_it_was_not() -> None:
    assert words.points(0.02504, beside=0.025) == "2.504 points, target 2.500"


@pytest.mark.parametrize(("hit", "large"), [(1, False), (3, True)])
def test_disturbed_slices_are_a_share_of_the_whole_comparison(hit: int, large: bool) -> None:
    rows = _rows()
    for row in rows[:hit]:
        row["disturbed"] = ["steal"]
    found = _only(_nvme(rows), "disturbed")
    assert f"{hit} of 24 slices disturbed (steal {hit})" in found.text
    assert found.share == pytest.approx(hit / 24)
    assert found.large is large
    off = analysis.every_cell(rows)[0]
    assert _only(off, "disturbed") == found


def _hit(device: str, rows: list[Row], share: float = 1, reason: str = "foreign CPU") -> list[Row]:
    """Of a device so many of its slices disturbed, the first ones."""
    mine = [row for row in rows if row["device"] == device]
    for row in mine[: round(share * len(mine))]:
        row["disturbed"] = [reason]
    return rows


def _is_uneven(one: CellResult) -> bool:
    return "disturbed unevenly" in [doubt.kind for doubt in one.doubts]


@pytest.mark.parametrize(
    ("device", "said"),
    [
        ("off", "24 of 24 slices of off and 0 of 24 of nvme (emulated)"),
        ("nvme", "0 of 24 slices of off and 24 of 24 of nvme (emulated)"),
    ],
)
def test_the_sentence_says_that_an_interval_means_nothing_where_one_cell_alone_was_disturbed(
    device: str, said: str
) -> None:
    rows = _hit(device, _rows(rounds=8))
    assert (
        "; DOUBTFUL: foreign CPU time, slow memory or pauses disturbed "
        f"{said}: the interval means nothing"
    ) in words.verdict(analysis.every_cell(rows))
    assert _only(_nvme(rows), "disturbed unevenly").large


@pytest.mark.parametrize(
    ("off", "nvme", "more"),
    [
        (1.0, 1.0, {}),
        (0.5, 0.75, {}),
        (1.0, 0.0, {"reason": "steal"}),  # is had by whoever wants a CPU
        (0.0, 1.0, {"reason": "late emulation"}),  # only an emulated device is late
    ],
)
def test_what_comes_for_all_cells_or_from_a_cell_itself_is_not_uneven(
    off: float, nvme: float, more: dict[str, str]
) -> None:
    rows = _hit("nvme", _hit("off", _rows(rounds=8), off, **more), nvme, **more)
    assert not _is_uneven(_nvme(rows))


def test_few_slices_and_the_kernel_s_work_for_a_real_disk_make_no_disturbance_uneven() -> None:
    assert not _is_uneven(_nvme(_hit("off", _rows(sessions=1, rounds=6))))
    assert not _is_uneven(_nvme(_hit("off", _rows(rounds=8), 0.6)))  # they are left out
    real: dict[str, Any] = {"emulated": False, "device_kind": "real"}
    assert not _is_uneven(_nvme(_hit("nvme", _rows(rounds=8, **real))))
    assert _is_uneven(_nvme(_hit("off", _rows(rounds=8, **real))))


@pytest.mark.parametrize(("warned", "large"), [(1, False), (3, True)])
def test_cpu_time_of_emulated_syncs_is_said_with_the_overhead_where_many_slices_have_it(
    warned: int, large: bool
) -> None:
    model: Any = SimpleNamespace(cpu_caller_us=1.0, cpu_kernel_us=0.0)
    used = {"spin_ns": 0, "spin_margin_ns": 0, "burn_ns": 0, "sleep_cpu_ns": 9_000}
    seen: Any = SimpleNamespace(syncs=1, write_bytes=0, **used)
    rows = _rows()
    for row in [row for row in rows if row["device"] == "nvme"][:warned]:
        row["warnings"] = emulation.spun(model, seen, 1.0)
    assert _only(_nvme(rows), "CPU of emulated syncs").large is large


@pytest.mark.parametrize(("sessions", "said"), [(1, "one session only"), (2, "two sessions only")])
def test_few_sessions_are_a_large_doubt(sessions: int, said: str) -> None:
    found = _only(_nvme(_rows(sessions=sessions)), "few sessions")
    assert said in found.text
    assert found.large


def test_a_drift_within_sessions_says_what_both_halves_give() -> None:
    one = _nvme(_rows(lambda _, round_: 900.0 if round_ < 4 else 500.0, rounds=8))
    found = _only(one, "drift")
    assert _percents(found.text) == pytest.approx([10, 50], abs=1.5)


@pytest.mark.parametrize(("age", "doubted"), [(1000, False), (790, True), (1300, True), (0, False)])
def test_a_cell_that_did_fewer_requests_than_its_baseline_is_doubted(
    age: int, *, doubted: bool
) -> None:
    rows = _rows()
    for row in rows:
        row["age_requests"] = 1000 if row["device"] == "off" else age
    kinds = [doubt.kind for doubt in _nvme(rows).doubts]
    assert ("unequal age" in kinds) is doubted


def test_what_differs_between_sessions_is_no_drift_within_them() -> None:
    one = _nvme(_rows(lambda session, _: 900.0 - 150 * session, rounds=8))
    assert "drift" not in [doubt.kind for doubt in one.doubts]


def test_the_partner_of_a_disturbed_slice_is_counted_once() -> None:
    rows = _rows()
    rows[0]["disturbed"] = ["foreign CPU"]
    assert [doubt.kind for doubt in _nvme(rows).doubts] == ["disturbed"]


def test_a_drive_of_several_states_has_the_overhead_of_each_end() -> None:
    """Of 30 %, syncs that take twice as long make 6/13 and those that take half of it 3/17."""
    one = _nvme(_rows(device_fastest=0.5, device_slowest=2.0))
    found = _only(one, "state of the drive")
    assert found.large
    assert one.overhead == pytest.approx(0.3, abs=0.01)
    ends = [float(word) for word in found.text.split() if word[:1].isdigit()]
    assert ends[:2] == pytest.approx([100 * 3 / 17, 100 * 6 / 13], abs=0.7)
    assert "depending on the state of the drive" in words.verdict([one])


def test_a_failed_cell_says_so_and_nothing_of_an_overhead() -> None:
    one = _nvme([*_rows(), make_row("nvme", None, 2, 4)], 0.001)
    assert [doubt.kind for doubt in one.doubts] == ["failed"]
    assert _only(one, "failed").share == pytest.approx(1 / 13)


def test_the_sentence_names_each_kind_once_with_the_widest_interval() -> None:
    rows = _rows()
    wobble = noise(0.3, seed=2)
    rows += [
        make_row("ssd", 400.0 * wobble(), row["session"], row["round"], disturbed=[])
        for row in rows
        if row["device"] == "off"
    ]
    sentence = words.verdict(analysis.every_cell(rows, 0.0001))
    assert sentence.count("DOUBTFUL: target missed: half-width") == 1
    assert sentence.endswith("points, target 0.0 (ssd (emulated) and 1 more).")


def test_every_form_of_the_report_has_the_doubt(tmp_path: Path) -> None:
    rows = _rows(disturbed=["steal"])
    for row in rows:
        append(tmp_path / "rows.jsonl", row)
    said = "24 of 24 slices disturbed (steal 24): too many to leave out"
    first = report(tmp_path, target_half_width=0.001).split("\n\n")[0]
    summary = json.loads((tmp_path / "summary.json").read_text())
    marked_down = markdown.text(analysis.reports.devices([tmp_path])).split("\n\n")[0]
    for text in (first, marked_down, summary["verdicts"][0]):
        assert said in " ".join(text.split())
    assert summary["target_missed"] is True
    nvme = next(one for one in summary["cells"] if one["device"] == "nvme")
    assert [sorted(one) for one in nvme["doubts"]] == [["kind", "share", "text"]] * 2
    assert {one["kind"]: one["share"] for one in nvme["doubts"]} == {
        "target missed": None,
        "disturbed": 1.0,
    }


@pytest.mark.parametrize(("target", "missed"), [(None, None), (0.5, False), (0.0001, True)])
def test_a_campaign_says_whether_it_missed_its_target(
    tmp_path: Path, target: float | None, missed: bool | None
) -> None:
    for row in _rows():
        append(tmp_path / "rows.jsonl", row)
    report(tmp_path, target_half_width=target)
    assert json.loads((tmp_path / "summary.json").read_text())["target_missed"] is missed


def _percents(text: str) -> list[float]:
    return [
        float(word) for word in text.replace("\N{MINUS SIGN}", "-").split() if word[0].isdigit()
    ]
