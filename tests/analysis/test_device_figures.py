"""The figures of a campaign: scales that compare, a dot for each round, the finding as title."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from synthetic import make_rows, noise, steady
from waltax import analysis
from waltax.analysis.figures import devices, style
from waltax.analysis.results.source import origin_of
from waltax.row import Row


def _drawn(rows: list[Row], target: float | None = None) -> tuple[Axes, Axes]:
    """The axes of throughput, and of the overhead."""
    left, right = devices.overheads(analysis.every_cell(rows, target), origin_of(rows)).axes
    return left, right


def _places(line: Line2D) -> list[float]:
    return [float(one) for one in np.asarray(line.get_xdata())]


def _dots(axes: Axes) -> int:
    return sum(len(_places(line)) for line in axes.lines if line.get_marker() == ".")


def _title(axes: Axes) -> str:
    return " ".join(axes.get_title(loc="left").split()) or " ".join(axes.get_title().split())


def test_overheads_have_one_scale_whatever_they_are() -> None:
    for cost in (10.0, 990.0):
        _, axes = _drawn(make_rows(3, 4, steady(off=1000.0, ssd=1000.0 - cost)))
        assert axes.get_xlim() == (0, 100)


def test_only_what_is_negative_moves_the_scale() -> None:
    _, axes = _drawn(make_rows(3, 4, steady(off=100.0, ssd=120.0)))
    assert axes.get_xlim() == pytest.approx((-20, 100))
    _, wild = _drawn(make_rows(3, 4, steady(off=1.0, ssd=120.0)))
    assert wild.get_xlim() == (-100, 100)


def test_every_round_has_a_dot_and_throughput_starts_at_zero(rows: list[Row]) -> None:
    left, right = _drawn(rows)
    assert (_dots(left), _dots(right)) == (36, 24)  # the baseline has no overhead
    assert left.get_xlim()[0] == 0


def test_the_title_is_the_finding_and_says_that_the_target_was_missed() -> None:
    wobble = noise(0.2)
    rows = make_rows(3, 4, lambda *_: {"off": 1000.0, "ssd": 400.0 * wobble()})
    _, axes = _drawn(rows, 0.001)
    assert _title(axes).startswith("The WAL costs 5") or _title(axes).startswith("The WAL costs 6")
    assert re.search(
        r"on ssd \(emulated\) half-widths up to [\d.]+ points, target 0.1 missed overhead",
        _title(axes),
    )
    _, met = _drawn(rows, 0.9)
    assert " points, target 90.0 overhead against off" in _title(met)


def test_many_devices_are_the_least_and_the_most_in_the_title() -> None:
    rates = {"off": 100.0, **{f"d{n}": 90.0 - 10 * n for n in range(8)}}
    title = devices.finding(analysis.every_cell(make_rows(3, 4, steady(**rates))))
    said = "The WAL costs 10.0 % on d0 (emulated) to 80.0 % on d7 (emulated)"
    assert title.split() == said.split()


def test_texts_are_black_and_the_cpu_stands_below() -> None:
    rows = [row | {"cpu_model": "Some CPU", "cores": 2} for row in make_rows(3, 4, steady(off=1.0))]
    figure = devices.overheads(analysis.every_cell(rows), origin_of(rows))
    assert "Some CPU, 2 cores" in figure.texts[0].get_text()
    assert {text.get_color() for axes in figure.axes for text in axes.texts} == {style.INK}
