"""A report as a value: what a study says about its rows, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import numerals
from .stats import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .results import CellResult, Source

P = TypeVar("P")

WIDTH = 100
"""Columns of a terminal that tables are laid out for; narrower ones get the compact form."""


@dataclass(frozen=True)
class Column(Generic[P]):
    """What is known about each point: a number, a text, a list, or an `Interval`.

    `name` is for programs, its unit last; a name that begins with _ appears in tables only.
    `heading` is for tables, of one line or several; narrow ones omit what is `only_wide`. `unit` is
    one of `numerals.spelled`, and `text` spells other values.
    `of` computes the value, or is its path; the default is the name. A path begins at the point, or
    else at its result, or at a fact about that; in a mapping it looks up the name, and of None all
    is None.
    """

    name: str
    heading: str = ""
    unit: str = ""
    of: Callable[[P], Any] | str = ""
    text: Callable[[P], str] | None = None
    only_wide: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether files contain it."""
        return not self.name.startswith("_")

    @property
    def is_text(self) -> bool:
        """Whether a table aligns it to the left."""
        return self.unit == "text"

    def value(self, point: P) -> Any:
        """Return the value for programs.

        Errors: AttributeError, KeyError if nothing has this name.
        """
        if callable(self.of):
            return self.of(point)
        value: Any = point
        for name in (self.of or self.name).split("."):
            if isinstance(value, Mapping):
                value = value[name]
            elif value is not None:
                value = _part(value, name)
        return value

    def spelled(self, point: P) -> str:
        """Return the value as a table shows it."""
        return self.text(point) if self.text else numerals.spelled(self.value(point), self.unit)

    def ends(self, point: P) -> Interval:
        """Return the value as a figure shows it, in the reader's unit."""
        value = self.value(point)
        known = value if isinstance(value, Interval) else Interval(value, None, None)
        return known.scaled(numerals.SCALES.get(self.unit, 1.0))


def result_of(point: Any) -> Any:
    """Return the cell's result: the point itself, or the result that it holds."""
    return getattr(point, "result", point)


def _part(point: Any, name: str) -> Any:
    result = result_of(point)
    for of in (point, result):
        if hasattr(of, name):
            return getattr(of, name)
    facts = getattr(result, "facts", {})
    return facts[name] if name in facts else getattr(point, name)


@dataclass(frozen=True)
class Table:
    """A titled table. The first column names the subject of a row; a row has a text per column.

    Its compact form omits the columns that are `only_wide`.
    """

    title: str
    columns: Sequence[Column[Any]]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Verdict:
    """A sentence that states a finding, before any table."""

    sentence: str


@dataclass(frozen=True)
class Lines:
    """Lines of text, under a title if they have one; printed as nothing if there are no lines."""

    lines: Sequence[str]
    title: str = ""


Part = Verdict | Table | Lines


@dataclass(frozen=True)
class Report:
    """What a study says. Its files are called `name`, and its figures by the keys of `figures`.

    `parts` are for people, in their order. `content` is the same for programs, and `lines` holds
    what fits a table with a column per key: fractions, not percent, with units in the names; None
    and empty if there is only text. `warnings` are the doubts that its rows raise, and `remarks`
    follow them. Files go into `folder`; several campaigns have none. `source` holds its rows, and
    `results` those of their cells, if any.
    """

    name: str
    parts: Sequence[Part]
    content: Mapping[str, Any] | None = None
    lines: Sequence[Mapping[str, Any]] = ()
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    remarks: Sequence[str] = ()
    folder: Path | None = None
    source: Source | None = None
    results: Sequence[CellResult] = ()

    @property
    def verdicts(self) -> list[str]:
        """The sentences that state findings."""
        return [part.sentence for part in self.parts if isinstance(part, Verdict)]
