"""The noise floor: its definition, its file, and what it cannot be of."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from paired import write
from waltax.analysis import CellResult, every_cell, reports
from waltax.analysis.gate import floor
from waltax.analysis.gate.difference import OVERHEAD, THROUGHPUT
from waltax.analysis.results import Source, read
from waltax.base.errors import UsageError

NVME = "rocksdb-linkbench-quick-nvme-sync-t4"


def test_the_floor_is_the_repeatability_limit() -> None:
    # t(0.975, 4) = 2.776, and the SD of 1, 2, 3, 4, 5 is 1.5811.
    assert floor.limit([1, 2, 3, 4, 5]) == pytest.approx(2.776 * math.sqrt(2) * 1.5811, rel=1e-3)
    assert floor.limit([7, 7, 7]) == 0


def test_two_more_equal_campaigns_keep_it_in_95_of_100_cases() -> None:
    rng = np.random.default_rng(1)
    kept = [
        abs(rng.normal() - rng.normal()) <= floor.limit(list(rng.normal(size=3)))
        for _ in range(4000)
    ]
    assert 0.935 < np.mean(kept) < 0.965


def _nvme(of: Source) -> CellResult:
    return next(result for result in every_cell(of.rows) if result.cell == NVME)


def _campaigns(place: Path, count: int = 3) -> list[Path]:
    return [write(place / f"c{number}", number) for number in range(count)]


def test_it_is_of_each_cell_and_in_each_measure(tmp_path: Path) -> None:
    sides = [read([one]) for one in _campaigns(tmp_path)]
    found = {one.cell: one for one in floor.measure(sides)}
    overheads = [_nvme(one).overhead or 0.0 for one in sides]
    assert found[NVME].limits[OVERHEAD] == pytest.approx(floor.limit(overheads))
    assert set(found["rocksdb-linkbench-quick-off-off-t4"].limits) == {THROUGHPUT}
    assert found[NVME].campaigns == ("c0", "c1", "c2")


def test_its_file_is_read_as_it_was_written_and_keeps_what_it_held(tmp_path: Path) -> None:
    sides = [read([one]) for one in _campaigns(tmp_path)]
    floors = floor.measure(sides)
    path = tmp_path / floor.FILE
    path.write_text(json.dumps(floor.content(floors)))
    assert list(floor.read(path)) == floors
    others = [read([write(tmp_path / f"k{n}", n, kernel="6.2")]) for n in range(3)]
    path.write_text(json.dumps(floor.content(floor.measure(others), floor.read(path))))
    assert len(floor.read(path)) == 2 * len(floors)
    one = _nvme(sides[0])
    for each in (sides[0], others[0]):
        known = floor.of(floor.read(path), each.machine, one)
        assert known is not None
        assert known.machine == each.machine
    assert floor.of(floors, others[0].machine, one) is None
    assert floor.of(floors, None, one) is None


def test_a_report_of_it_has_the_file_that_a_gate_reads(tmp_path: Path) -> None:
    report = reports.floor(_campaigns(tmp_path), tmp_path)
    assert report.folder == tmp_path
    (tmp_path / f"{report.name}.json").write_text(json.dumps(report.content))
    assert list(floor.read(tmp_path / floor.FILE)) == floor.measure(
        [read([tmp_path / f"c{number}"]) for number in range(3)]
    )


def test_two_campaigns_are_too_few(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found 2 campaigns; it takes 3"):
        reports.floor(_campaigns(tmp_path, 2), tmp_path)


def test_campaigns_of_several_machines_or_recipes_have_none(tmp_path: Path) -> None:
    two = _campaigns(tmp_path, 2)
    with pytest.raises(UsageError, match=r"and of .*kernel 6\.2; a floor is of one machine"):
        reports.floor([*two, write(tmp_path / "k", 1, kernel="6.2")], tmp_path)
    with pytest.raises(UsageError, match="found driver_digest d2, and d1"):
        reports.floor([*two, write(tmp_path / "d", 1, driver_digest="d2")], tmp_path)
    with pytest.raises(UsageError, match="and of several machines, or none; a floor"):
        reports.floor([*two, write(tmp_path / "n", 1, cpu_model=None)], tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"schema": 2, "floors": []}',
        '{"schema": 1}',
        '{"schema": 1, "floors": [{}]}',
        '{"schema": 1, "floors": [7]}',
        '{"schema": 1, "floors": [{"machine": {"x": 1}, "cell": "", "digests": [], '
        '"campaigns": [], "limits": {}}]}',
        '{"schema": 1, "floors": [{"machine": {}, "cell": "", "digests": [], "campaigns": [], '
        '"limits": {"overhead": -1}}]}',
        '{"schema": 1, "floors": [{"machine": {}, "cell": "", "digests": [], "campaigns": [], '
        '"limits": {"overhead": NaN}}]}',
    ],
)
def test_a_file_that_holds_no_floors_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "floor.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"floor\.json.*; measure it anew with"):
        floor.read(path)
    with pytest.raises(UsageError, match="cannot be read"):
        floor.read(tmp_path / "none.json")
