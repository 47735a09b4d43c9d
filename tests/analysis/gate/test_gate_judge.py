"""What a gate says: an interval off zero and a difference above the floor, or nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from paired import pair, write
from waltax.analysis import Report, reports
from waltax.analysis.gate import floor, judge
from waltax.analysis.gate.difference import OVERHEAD, THROUGHPUT
from waltax.analysis.gate.judge import FAILED, IMPROVED, REGRESSED, UNKNOWN, WITHIN
from waltax.analysis.results import Source, read
from waltax.row import append

NVME = "rocksdb-linkbench-quick-nvme-sync-t4"


def _outcomes(
    base: Source, new: Source, on: str = OVERHEAD, min_effect: float = 0.02, **more: Any
) -> dict[str, str]:
    judged = judge.judged(base, new, more.get("floors", ()), on=on, min_effect=min_effect)
    return {one.result.device: one.outcome for one in judged if one.outcome}


def _code(gated: Report) -> int:
    assert gated.content is not None
    return int(gated.content["exit_code"])


def test_a_slow_down_above_the_smallest_effect_is_a_regression(tmp_path: Path) -> None:
    base, new = pair(tmp_path, slower={"nvme": 0.9})
    assert _outcomes(base, new) == {"nvram": WITHIN, "nvme": REGRESSED}
    assert _outcomes(base, new, min_effect=0.2) == {"nvram": WITHIN, "nvme": WITHIN}
    found = _outcomes(base, new, on=THROUGHPUT, min_effect=0.05)
    assert found == {"off": WITHIN, "nvram": WITHIN, "nvme": REGRESSED}
    # The other way round it is an improvement, which stops nothing.
    assert _outcomes(new, base) == {"nvram": WITHIN, "nvme": IMPROVED}
    assert _code(reports.gate(new, base, [])) == 0


def test_equal_campaigns_are_within(tmp_path: Path) -> None:
    gated = reports.gate(*pair(tmp_path), [])
    assert _code(gated) == 0
    assert gated.verdicts[0] == "WITHIN: overhead of all 2 cells."


def test_a_difference_below_the_floor_of_the_machine_is_no_regression(tmp_path: Path) -> None:
    base, new = pair(tmp_path, slower={"nvme": 0.9})
    floors = floor.measure([read([write(tmp_path / f"c{n}", n)]) for n in range(3)])
    assert _outcomes(base, new, floors=floors)["nvme"] == REGRESSED
    loud = [replace(one, limits={OVERHEAD: 0.08}) for one in floors]
    assert _outcomes(base, new, floors=loud)["nvme"] == WITHIN


def test_an_interval_wider_than_the_threshold_tells_nothing(tmp_path: Path) -> None:
    base, new = pair(tmp_path, sd=0.2)
    assert _outcomes(base, new)["nvme"] == UNKNOWN
    gated = reports.gate(base, new, [])
    assert _code(gated) == 4
    assert "UNKNOWN (overhead)" in gated.verdicts[0]


def test_a_campaign_whose_baseline_alone_was_disturbed_tells_nothing(tmp_path: Path) -> None:
    base, new = pair(tmp_path, slower={"nvme": 0.8})
    for row in new.rows:
        row["disturbed"] = ["foreign CPU"] if row["device"] == "off" else []
    assert _outcomes(base, new) == {"nvram": UNKNOWN, "nvme": UNKNOWN}
    judged = judge.judged(base, new, (), on=OVERHEAD, min_effect=0.02)
    why = next(one.why for one in judged if one.why)
    assert why.startswith(
        "foreign CPU time, slow memory or pauses disturbed 20 of 20 slices of off and"
    )


def test_a_regression_of_one_cell_outweighs_what_is_unknown_of_another(tmp_path: Path) -> None:
    base = read([write(tmp_path / "a", 1)])
    new = read([write(tmp_path / "b", 2, slower={"nvme": 0.5}, rates={"off": 1e3, "nvme": 700.0})])
    gated = reports.gate(base, new, [])
    assert _code(gated) == 3
    assert "nvram" not in gated.verdicts[0]
    assert "nvme" in gated.verdicts[0]


def test_a_cell_that_is_not_measured_any_more_is_unknown(tmp_path: Path) -> None:
    base = read([write(tmp_path / "a", 1)])
    new = read([write(tmp_path / "b", 2, rates={"off": 1000.0, "nvme": 700.0})])
    assert _outcomes(base, new) == {"nvme": WITHIN, "nvram": UNKNOWN}
    assert _outcomes(new, base) == {"nvme": WITHIN}


def _with_failure(folder: Path, device: str) -> Source:
    one = next(row for row in read([folder]).rows if row["device"] == device)
    gone = {"status": "failed", "failure": "killed", "throughput": None, "round": 99}
    append(folder / "rows.jsonl", {**one, **gone})
    return read([folder])


@pytest.mark.parametrize(("of", "outcome", "code"), [("b", FAILED, 1), ("a", UNKNOWN, 4)])
def test_a_failed_cell_is_never_within(tmp_path: Path, of: str, outcome: str, code: int) -> None:
    pair(tmp_path)
    _with_failure(tmp_path / of, "nvme")
    base, new = read([tmp_path / "a"]), read([tmp_path / "b"])
    assert _outcomes(base, new)["nvme"] == outcome
    assert _code(reports.gate(base, new, [])) == code


def test_a_failed_baseline_leaves_nothing_to_judge(tmp_path: Path) -> None:
    pair(tmp_path)
    _with_failure(tmp_path / "b", "off")
    found = _outcomes(read([tmp_path / "a"]), read([tmp_path / "b"]))
    assert found == {"off": FAILED, "nvram": UNKNOWN, "nvme": UNKNOWN}


def test_throughputs_of_two_machines_are_not_judged(tmp_path: Path) -> None:
    base, new = pair(tmp_path, kernel="6.2")
    gated = reports.gate(base, new, [], on=THROUGHPUT)
    assert _code(gated) == 4
    assert _code(reports.gate(base, new, [])) == 0
    told = reports.gate(base, new)
    assert told.content is not None
    assert told.content["same_machine"] is False
    assert all(one["throughput_difference"] is None for one in told.content["cells"])
    assert any("throughputs are not compared" in one for one in told.remarks)


def test_one_round_is_too_few(tmp_path: Path) -> None:
    pair(tmp_path)
    for name in ("a", "b"):
        rows = [r for r in read([tmp_path / name]).rows if r["session"] == r["round"] == 0]
        (tmp_path / name / "rows.jsonl").unlink()
        for one in rows:
            append(tmp_path / name / "rows.jsonl", one)
    judged = judge.judged(
        read([tmp_path / "a"]), read([tmp_path / "b"]), [], on=OVERHEAD, min_effect=0.02
    )
    assert {one.outcome for one in judged} == {UNKNOWN, ""}
    assert "one round is too few" in judged[-1].why
