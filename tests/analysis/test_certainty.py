"""What a report says of its intervals, and the variance that they come from."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from synthetic import make_rows, noise, report, result_of
from waltax.analysis import CellResult
from waltax.analysis.variance import Variance, variance_of
from waltax.row import Row, append


def _parts(occasion_sd: float, session_sd: float, round_sd: float) -> Variance:
    rng = np.random.default_rng(1)
    shape = (40, 20, 10)
    log = occasion_sd * rng.standard_normal((40, 1, 1))
    log = (
        log + session_sd * rng.standard_normal((40, 20, 1)) + round_sd * rng.standard_normal(shape)
    )
    occasion, session, _ = np.indices(shape).reshape(3, -1)
    return variance_of((log - log.mean()).ravel() / log.size, occasion, occasion * 20 + session)


def test_the_parts_of_the_variance_are_those_that_were_put_in() -> None:
    found = _parts(0.1, 0.05, 0.2)
    assert found["sd_between_occasions"] == pytest.approx(0.1, rel=0.25)
    assert found["sd_between_sessions"] == pytest.approx(0.05, rel=0.25)
    assert found["sd_between_rounds"] == pytest.approx(0.2, rel=0.05)
    shares = (found["share_of_occasions"], found["share_of_sessions"], found["share_of_rounds"])
    assert sum(share or 0 for share in shares) == pytest.approx(1)


def test_one_round_a_session_has_no_variance_within_and_one_session_none_between() -> None:
    numbers, zeros = np.array([0.1, -0.2, 0.1]), np.zeros(3, dtype=int)
    apart = variance_of(numbers, zeros, np.arange(3))
    assert (apart["sd_between_rounds"], apart["sd_between_occasions"]) == (None, None)
    assert apart["sd_between_sessions"] == pytest.approx(np.std(3 * numbers, ddof=1))
    together = variance_of(numbers, zeros, zeros)
    assert together["sd_between_sessions"] is None
    assert together["sd_between_rounds"] == pytest.approx(np.std(3 * numbers, ddof=1))


def _rows(campaign: str = "20260101-test", factor: float = 1.0, seed: int = 0) -> list[Row]:
    wobble = noise(0.05, seed)

    def rates(_session: int, _round: int) -> dict[str, float]:
        nvme = 700 * factor
        return {"off": 1000 * wobble(), "nvme": nvme * wobble(), "ssd": 200 * wobble()}

    return [one | {"campaign": campaign} for one in make_rows(3, 4, rates)]


def test_several_devices_have_intervals_that_hold_at_once() -> None:
    rows = _rows()
    cells = [cell for cell in {row["cell"]: 0 for row in rows} if "off" not in cell]
    for cell in cells:
        one = result_of(rows, cell)
        assert one.compared == 2
        ends = [one.low_simultaneous, one.low, one.high, one.high_simultaneous]
        assert ends == sorted(end for end in ends if end is not None)
        assert len(set(ends)) == 4
    alone = [row for row in rows if row["device"] != "ssd"]
    assert result_of(alone, cells[0]).low_simultaneous == result_of(alone, cells[0]).low


def test_one_campaign_says_within_this_occasion_and_several_how_far_they_are_apart(
    tmp_path: Path,
) -> None:
    folders = []
    for number, factor in enumerate((0.9, 1.0, 1.1)):
        folder = tmp_path / f"occasion{number}"
        folder.mkdir()
        for row in _rows(folder.name, factor, seed=number):
            append(folder / "rows.jsonl", row)
        folders.append(folder)
    one = report(folders[0])
    assert "12 rounds in 3 sessions, within this occasion; widest half-width" in one
    pooled = report(*folders)
    assert "36 rounds in 9 sessions on 3 occasions, SD between them 7." in pooled
    assert "between occasions" in pooled
    (cell,) = [
        cell
        for cell in json.loads((folders[0] / "summary.json").read_text())["cells"]
        if cell["device"] == "nvme"
    ]
    assert cell["sd_between_occasions"] is None
    assert cell["sd_between_rounds"] == pytest.approx(0.05 * math.sqrt(2), rel=0.5)


def test_the_occasions_of_a_pooled_report_widen_it_beyond_any_single_one() -> None:
    each = [_rows(str(number), factor, number) for number, factor in enumerate((0.9, 1.0, 1.1))]
    cell = next(row["cell"] for row in each[0] if row["device"] == "nvme")
    pooled = result_of([row for rows in each for row in rows], cell)
    assert pooled.occasions == 3
    assert _width(pooled) > max(_width(result_of(rows, cell)) for rows in each)


def _width(one: CellResult) -> float:
    assert one.half_width is not None
    return one.half_width
