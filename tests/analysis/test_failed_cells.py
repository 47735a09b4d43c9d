from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from synthetic import compared, make_row, report
from waltax import analysis
from waltax.analysis.figures import devices as figures
from waltax.analysis.results import words
from waltax.analysis.results.source import origin_of
from waltax.row import Row, append


def test_failed_cells_are_listed_with_their_reason(folder: Path) -> None:
    assert "ssd (emulated): FAILED: no space left" in report(folder)


def test_a_cell_that_failed_late_is_nowhere_quoted(rows: list[Row], tmp_path: Path) -> None:
    for one in [*rows, make_row("nvme", None, 3, 0)]:
        append(tmp_path / "rows.jsonl", one)
    text = report(tmp_path)
    assert "; FAILED on nvme (emulated)" in " ".join(text.split())
    line = next(line for line in text.splitlines() if line.startswith("  nvme (emulated)  "))
    assert line.split()[2:] == ["-", "FAILED", "-", "-", "no", "result"]
    cells = json.loads((tmp_path / "summary.json").read_text())["cells"]
    (nvme,) = [cell for cell in cells if cell["device"] == "nvme"]
    assert (nvme["failed"], nvme["overhead"], nvme["throughput"]) == (True, None, None)
    assert [cell["failed"] for cell in cells] == [False, False, True]
    assert "FAILED" in (tmp_path / "overhead.svg").read_text()


def test_a_failed_baseline_is_the_first_thing_said(rows: list[Row]) -> None:
    rows.append(make_row("off", None, 3, 0))
    assert words.verdict(analysis.every_cell(rows)).endswith(
        "4 threads: FAILED on off: no overhead is known."
    )


def test_a_failed_cell_is_not_compared(rows: list[Row], tmp_path: Path) -> None:
    for one in [*rows, make_row("nvme", None, 3, 0)]:
        append(tmp_path / "rows.jsonl", one)
    text = compared(tmp_path, "nvram", "nvme")
    assert text.endswith("FAILED on nvme: no comparison.")


def test_a_failed_cell_s_dot_is_the_word_failed(rows: list[Row]) -> None:
    every = [*rows, make_row("nvme", None, 3, 0)]
    cells = analysis.every_cell(every)
    place = [one.device for one in cells].index("nvme")
    for axes in figures.overheads(cells, origin_of(every)).axes:
        assert axes.texts[place].get_text() == "FAILED"
        assert [text.get_text() for text in axes.texts].count("FAILED") == 1
        # Neither dot nor mean.
        assert all(
            abs(place - at) > 0.4 for line in axes.lines for at in np.asarray(line.get_xdata())
        )
