"""Releases side by side, of rows that are made up."""

from __future__ import annotations

from pathlib import Path

from synthetic import EVIDENCE, NO_WAL, make_row, noise
from waltax import row
from waltax.analysis import reports
from waltax.analysis.report import Table

_Rates = dict[str, dict[str, float]]  # release, device: writes/s
_RATES = {"10.4.2": {"off": 900.0, "nvme": 600.0}, "9.10.0": {"off": 1000.0, "nvme": 600.0}}


def _folder(folder: Path, rates_of: _Rates = _RATES) -> Path:
    """The later release is measured first in each round."""
    wobble = noise(0.005, seed=5)
    for session in range(2):
        for number in range(4):
            for release, rates in rates_of.items():
                for device, rate in rates.items():
                    one = make_row(device, rate * wobble(), session, number, **EVIDENCE)
                    own = {
                        "build": release,
                        "cell": f"{one['cell']}@{release}",
                        "versions": {"waltax": "0", "rocksdb": release},
                    }
                    row.append(
                        folder / "rows.jsonl",
                        one | (NO_WAL if device == "off" else {}) | own,
                    )
    return folder


def test_releases_stand_in_their_order_each_with_what_its_log_costs(tmp_path: Path) -> None:
    report = reports.releases([_folder(tmp_path)])
    (table,) = (part for part in report.parts if isinstance(part, Table))
    assert [one[0] for one in table.rows] == ["9.10.0", "10.4.2"] * 2
    costs = {line["release"]: line["overhead"] for line in report.lines if line["device"] == "nvme"}
    assert {name: round(cost, 2) for name, cost in costs.items()} == {"9.10.0": 0.4, "10.4.2": 0.33}
    assert report.figures["releases"]().axes[0].get_xticklabels()[0].get_text() == "9.10.0"


def test_the_line_of_what_was_measured_fits_below_a_figure_of_many_releases(tmp_path: Path) -> None:
    same = _RATES["9.10.0"]
    many = {f"10.{number}.1": same for number in range(20)}
    report = reports.releases([_folder(tmp_path, many)])
    figure = report.figures["releases"]()
    (line,) = figure.texts
    assert "rocksdb 10.0.1 and 19 more" in line.get_text()
    figure.draw_without_rendering()
    assert line.get_window_extent().x1 <= figure.bbox.x1
