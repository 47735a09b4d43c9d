"""The figures of a campaign: scales that compare, a dot for each round, the finding as title."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from histogram_rows import rows_with
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from synthetic import make_row, make_rows, noise, steady
from waltax import analysis
from waltax.analysis.figures import devices, drift, latency, style
from waltax.analysis.results.source import origin_of
from waltax.row import Row


def _axes() -> Axes:
    return Figure().subplots()


def _places(line: Line2D) -> list[float]:
    return [float(one) for one in np.asarray(line.get_xdata())]


def _dots(axes: Axes) -> int:
    return sum(len(_places(line)) for line in axes.lines if line.get_marker() == ".")


def _title(axes: Axes) -> str:
    return " ".join(axes.get_title(loc="left").split()) or " ".join(axes.get_title().split())


def test_overheads_have_one_scale_whatever_they_are() -> None:
    for cost in (10.0, 990.0):
        axes = _axes()
        rows = make_rows(3, 4, steady(off=1000.0, ssd=1000.0 - cost))
        devices.draw_overhead(axes, analysis.every_cell(rows))
        assert axes.get_xlim() == (0, 100)


def test_only_what_is_negative_moves_the_scale() -> None:
    axes, wild = _axes(), _axes()
    devices.draw_overhead(axes, analysis.every_cell(make_rows(3, 4, steady(off=100.0, ssd=120.0))))
    assert axes.get_xlim() == pytest.approx((-20, 100))
    devices.draw_overhead(wild, analysis.every_cell(make_rows(3, 4, steady(off=1.0, ssd=120.0))))
    assert wild.get_xlim() == (-100, 100)


def test_every_round_has_a_dot_and_throughput_starts_at_zero(rows: list[Row]) -> None:
    left, right = _axes(), _axes()
    cells = analysis.every_cell(rows)
    devices.draw_throughput(left, cells)
    devices.draw_overhead(right, cells)
    assert (_dots(left), _dots(right)) == (36, 24)  # the baseline has no overhead
    assert left.get_xlim()[0] == 0


def test_the_title_is_the_finding_and_says_that_the_target_was_missed() -> None:
    wobble = noise(0.2)
    rows = make_rows(3, 4, lambda *_: {"off": 1000.0, "ssd": 400.0 * wobble()})
    axes = _axes()
    devices.draw_overhead(axes, analysis.every_cell(rows, 0.001))
    assert _title(axes).startswith("The WAL costs 5") or _title(axes).startswith("The WAL costs 6")
    assert re.search(
        r"on ssd \(emulated\) half-widths up to [\d.]+ points, target 0.1 missed$", _title(axes)
    )
    met = _axes()
    devices.draw_overhead(met, analysis.every_cell(rows, 0.9))
    assert _title(met).endswith(" points, target 90.0")


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


def _timed(campaign: str, begin_s: float) -> list[Row]:
    times = itertools.count(begin_s, 60.0)
    return [
        make_row(device, 100.0, 0, round_, start_unix_s=next(times), campaign=campaign)
        for round_ in range(2)
        for device in ("off", "nvme")
    ]


def test_slices_stand_at_their_times() -> None:
    rows = _timed("a", 1.8e9)
    rows[1]["disturbed"] = ["steal"]
    axes = _axes()
    drift.draw_drift(axes, rows, analysis.every_cell(rows))
    assert axes.get_xlabel() == "minutes since the first slice"
    off, nvme, cross = map(_places, axes.lines)
    assert (off, nvme, cross) == ([0, 2], [1, 3], [1])


def test_campaigns_of_several_days_follow_each_other() -> None:
    rows = [*_timed("a", 1.8e9), *_timed("b", 1.8e9 + 1e6)]
    axes = _axes()
    drift.draw_drift(axes, rows, analysis.every_cell(rows))
    assert max(place for line in axes.lines for place in _places(line)) < 7
    assert axes.get_xlabel().endswith("one campaign after the other")


def test_slices_without_times_stand_in_their_order() -> None:
    rows = _timed("a", 1.8e9)
    del rows[0]["start_unix_s"]
    axes = _axes()
    drift.draw_drift(axes, rows, analysis.every_cell(rows))
    assert axes.get_xlabel() == "slice, in the order measured"


def test_latencies_are_curves_of_the_write_and_of_all() -> None:
    rows = rows_with([{100: 900, 2000: 100}] * 4)
    figure = latency.curves(analysis.every_cell(rows), origin_of(rows))
    write, every = figure.axes
    assert write.get_ylabel() == "latency of ADD_LINK, us"
    assert _title(every).endswith("all operations, us: off 1.00, nvme (emulated) 2.00")
    assert every.get_yscale() == "log"
