"""What a report says of its intervals: within one occasion, or over several."""

from __future__ import annotations

from pathlib import Path

from synthetic import make_rows, noise, report, result_of
from waltax.analysis import CellResult
from waltax.row import Row, append


def _rows(campaign: str = "20260101-test", factor: float = 1.0, seed: int = 0) -> list[Row]:
    wobble = noise(0.05, seed)

    def rates(_session: int, _round: int) -> dict[str, float]:
        nvme = 700 * factor
        return {"off": 1000 * wobble(), "nvme": nvme * wobble(), "ssd": 200 * wobble()}

    return [one | {"campaign": campaign} for one in make_rows(3, 4, rates)]


def test_one_campaign_says_within_this_occasion_and_several_how_many(tmp_path: Path) -> None:
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
    assert "36 rounds in 9 sessions on 3 occasions; widest half-width" in pooled


def test_the_occasions_of_a_pooled_report_widen_it_beyond_any_single_one() -> None:
    each = [_rows(str(number), factor, number) for number, factor in enumerate((0.9, 1.0, 1.1))]
    cell = next(row["cell"] for row in each[0] if row["device"] == "nvme")
    pooled = result_of([row for rows in each for row in rows], cell)
    assert pooled.occasions == 3
    assert _width(pooled) > max(_width(result_of(rows, cell)) for rows in each)


def _width(one: CellResult) -> float:
    assert one.half_width is not None
    return one.half_width
