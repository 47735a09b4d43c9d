"""A series: results over one axis, and what is known of each of its points, a column each.

    Column("sync_us", "sync us", of=lambda point: point.result.facts["sync_us"])

From the one list of columns follow the tables of a report, its content as JSON, its lines as CSV,
and its figure, which `figures.points` draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import report
from .report import Column as Column
from .report import result_of as result_of
from .stats import Floats, Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

P = TypeVar("P")


def plain(names: str) -> list[Column[Any]]:
    """Return columns for programs alone, from names separated by blanks."""
    return [Column(name) for name in names.split()]


@dataclass(frozen=True)
class View(Generic[P]):
    """A table for the points that satisfy `of`.

    It has these columns, named between blanks, or else all that have a heading, but for those in
    which no point has anything.
    """

    title: str
    columns: str = ""
    of: Callable[[P], bool] = lambda _: True


@dataclass(frozen=True)
class Line:
    """A line of a figure: which points belong together, and how they are drawn.

    A device has its own `marker` and `colour`, which these replace.
    """

    label: str
    device: str
    dashes: str = "-"
    marker: str = ""
    colour: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class Plot(Generic[P]):
    """Axes of a figure: a column over the series' axis, for the points that satisfy `of`.

    `mark` is a value to compare with. `rounds` are a point's values in single rounds, in the
    reader's unit. `draw` draws what is no column, below the points.
    """

    label: str
    column: str
    of: Callable[[P], bool] = lambda _: True
    is_log: bool = False
    mark: float | None = None
    rounds: Callable[[P], Floats] | None = None
    draw: Callable[[Axes, Sequence[P]], None] | None = None


@dataclass(frozen=True)
class Series(Generic[P]):
    """Points that differ in one axis, with their tables and figures.

    `at` returns a point's place on the axis: a number of a logarithmic scale, or a name, or None if
    unknown. `group` is what all points share, for programs,
    and `own` is anything else about the series; `more` parts follow its tables.
    """

    points: Sequence[P]
    columns: Sequence[Column[P]]
    views: Sequence[View[P]] = ()
    subject: str = ""
    axis: str = ""
    verdict: str = ""
    sentences: Sequence[str] = ()
    group: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)
    more: Sequence[report.Part] = ()
    at: Callable[[P], float | str | None] = lambda _: ""
    line: Callable[[P], Line] = lambda _: Line("", "")
    plots: Sequence[Plot[P]] = ()

    def column(self, name: str) -> Column[P]:
        return {column.name: column for column in self.columns}[name]

    def tables(self) -> list[report.Table]:
        """Return its views as tables, without those that have no point."""
        return [table for view in self.views if (table := self.table(view)).rows]

    def table(self, view: View[P]) -> report.Table:
        columns = [self.column(name) for name in view.columns.split()]
        columns = columns or [column for column in self.columns if column.heading]
        return table(view.title, [point for point in self.points if view.of(point)], columns)

    def content(self) -> dict[str, Any]:
        """Return the series for programs: fractions, not percent; units are in the names."""
        return {
            **({"group": self.group} if self.group else {}),
            "subject": self.subject,
            "sentences": list(self.sentences),
            **self.own,
            "points": [
                {
                    column.name: _plain(column.value(point))
                    for column in self.columns
                    if column.is_kept
                }
                for point in self.points
            ],
        }

    def lines(self) -> list[dict[str, Any]]:
        """Return a line of CSV for each point."""
        return [{**self.group, **flat(point, self.columns)} for point in self.points]


def table(title: str, points: Sequence[P], columns: Sequence[Column[P]]) -> report.Table:
    """Return a table with these columns, but for those in which no point has anything."""
    texts = [[column.spelled(point) for point in points] for column in columns]
    shown = [place for place, each in enumerate(texts) if not place or {*each} - {"-", ""}]
    rows = [[texts[place][row] for place in shown] for row in range(len(points))]
    return report.Table(title, [columns[place] for place in shown], rows)


def _plain(value: Any) -> Any:
    return asdict(value) if isinstance(value, Interval) else value


def flat(point: P, columns: Iterable[Column[P]]) -> dict[str, Any]:
    """Return a point as one line: an interval becomes three columns, and lists are left out."""
    line: dict[str, Any] = {}
    for one in (column for column in columns if column.is_kept):
        value = one.value(point)
        if isinstance(value, Interval):
            line |= spelled(one.name, value)
        elif not isinstance(value, list):
            line[one.name] = value
    return line


def spelled(name: str, interval: Interval) -> dict[str, float | None]:
    """Return an interval as three columns of a line."""
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
