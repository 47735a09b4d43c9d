"""A series: one list of columns, from which table, files and figure follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from waltax.analysis.figures import points
from waltax.analysis.series import Column, Line, Plot, Series, View, plain
from waltax.analysis.stats import NOTHING, Interval


@dataclass(frozen=True)
class _Result:
    device: str = "nvme"
    cell: str = "a-cell"


@dataclass(frozen=True)
class _Point:
    clients: int
    overhead: Interval
    nodes: list[int]
    result: _Result = _Result()


_COLUMNS: list[Column[_Point]] = [
    *plain("device"),
    Column("clients", "clients", "count"),
    Column("overhead", "overhead %", "%"),
    Column("nodes"),
    Column("_twice", "twice", of=lambda point: 2 * point.clients),
]
_POINTS = [_Point(1, Interval(0.5, 0.4, 0.6), [1, 2]), _Point(16, NOTHING, [])]


def _series(**more: object) -> Series[_Point]:
    return Series(
        axis="clients",
        subject="A subject",
        points=_POINTS,
        columns=_COLUMNS,
        views=[
            View("All", "clients overhead _twice"),
            View("Of many", "clients", lambda point: point.clients > 1),
            View("Of none", "clients", lambda _: False),
        ],
        at=lambda point: point.clients,
        line=lambda point: Line("a line", point.result.device),
        **{"plots": [Plot("overhead, %", "overhead")]} | more,  # type: ignore[arg-type]
    )


def test_a_view_is_a_table_of_its_columns_and_of_its_points() -> None:
    every, many = _series().tables()
    assert [one.heading for one in every.columns] == ["clients", "overhead %", "twice"]
    assert every.rows == [["1", "50.0 [40.0, 60.0]", "2.00"], ["16", "-", "32.0"]]
    assert (many.title, many.rows) == ("Of many", [["16"]])


def test_a_view_that_names_no_column_has_all_with_a_heading_of_which_something_is_known() -> None:
    every = _series().table(View("All"))
    assert [one.heading for one in every.columns] == ["clients", "overhead %", "twice"]
    many = _series().table(View("Of many", of=lambda point: point.clients > 1))
    assert [one.heading for one in many.columns] == ["clients", "twice"]


def test_programs_get_every_named_column_and_an_interval_as_it_is() -> None:
    content = _series(own={"published": 1}).content()
    assert (content["subject"], content["published"]) == ("A subject", 1)
    first = content["points"][0]
    assert first == {
        "device": "nvme",
        "clients": 1,
        "overhead": {"value": 0.5, "low": 0.4, "high": 0.6},
        "nodes": [1, 2],
    }


def test_a_line_spells_an_interval_as_three_columns_and_leaves_lists_out() -> None:
    line = _series(group={"engine": "rocksdb"}).lines()[0]
    assert line == {
        **{"engine": "rocksdb", "device": "nvme", "clients": 1},
        **{"overhead": 0.5, "overhead_low": 0.4, "overhead_high": 0.6},
    }


def test_a_column_of_nothing_that_a_point_has_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'overheads'"):
        Column[_Point]("overheads").value(_POINTS[0])


def test_a_plot_draws_percent_over_the_axis_and_leaves_out_what_is_not_known() -> None:
    axes = points.empty(4.0, 3.0).subplots()
    series = _series()
    points.panel(axes, series, series.plots[0])
    drawn = axes.get_lines()[0]
    assert np.asarray(drawn.get_xdata()).tolist() == [1.0]
    assert np.asarray(drawn.get_ydata()).tolist() == [50.0]
    assert [one.get_text() for one in axes.get_xticklabels()] == ["1", "16"]
    assert axes.get_ylim()[1] == 101.0


def test_a_plot_without_any_value_says_so() -> None:
    axes = points.empty(4.0, 3.0).subplots()
    empty = Plot[_Point]("overhead, %", "overhead", lambda point: point.clients > 1)
    points.panel(axes, _series(), empty)
    assert [one.get_text() for one in axes.texts] == ["nothing to show"]
