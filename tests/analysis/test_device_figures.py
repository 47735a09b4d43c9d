"""The figures of a campaign: scales that compare, and a dot for each round."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from synthetic import make_rows, steady
from waltax import analysis
from waltax.analysis.figures import devices, style
from waltax.analysis.results.source import origin_of
from waltax.row import Row


def _drawn(rows: list[Row]) -> tuple[Axes, Axes]:
    """The axes of throughput, and of the overhead."""
    left, right = devices.overheads(analysis.every_cell(rows), origin_of(rows)).axes
    return left, right


def _heights(line: Line2D) -> list[float]:
    return [float(one) for one in np.asarray(line.get_ydata())]


def _dots(axes: Axes) -> int:
    return sum(len(_heights(line)) for line in axes.lines if line.get_marker() == ".")


def test_overheads_have_one_scale_whatever_they_are() -> None:
    for cost in (10.0, 990.0):
        _, axes = _drawn(make_rows(3, 4, steady(off=1000.0, ssd=1000.0 - cost)))
        low, high = axes.get_ylim()
        assert -8 < low < 0
        assert high == 101


def test_only_what_is_negative_moves_the_scale() -> None:
    _, axes = _drawn(make_rows(3, 4, steady(off=100.0, ssd=120.0)))
    assert -40 <= axes.get_ylim()[0] < -20


def test_every_round_has_a_dot_and_throughput_starts_at_zero(rows: list[Row]) -> None:
    left, right = _drawn(rows)
    assert (_dots(left), _dots(right)) == (36, 24)  # the baseline has no overhead
    assert left.get_ylim()[0] == 0


def test_each_cell_has_its_point_and_the_axes_say_what_they_compare() -> None:
    left, right = _drawn(make_rows(3, 4, steady(off=1000.0, ssd=400.0)))
    (points,) = (line for line in right.lines if line.get_marker() not in (".", "_", "None"))
    assert [round(one, 1) for one in _heights(points)] == [60.0]
    assert [text.get_text() for text in left.texts] == ["1,000", "400"]
    assert [text.get_text() for text in right.texts] == ["baseline", "60.0 %"]
    assert [label.get_text() for label in right.get_xticklabels()] == ["off", "ssd (emulated)"]
    assert left.get_title() == (
        "LinkBench on RocksDB, profile quick, 4 threads\nn = 12 rounds in 3 sessions"
    )
    assert (left.get_ylabel(), right.get_ylabel()) == ("requests/s", "overhead against off, %")


def test_texts_are_black_and_the_cpu_stands_below() -> None:
    rows = [row | {"cpu_model": "Some CPU", "cores": 2} for row in make_rows(3, 4, steady(off=1.0))]
    figure = devices.overheads(analysis.every_cell(rows), origin_of(rows))
    assert "Some CPU, 2 cores" in figure.texts[0].get_text()
    assert style.RC["text.color"] == style.RC["xtick.labelcolor"] == style.INK
