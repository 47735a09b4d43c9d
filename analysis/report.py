"""A report as a value: what a study says of its rows, whatever format it is written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .results import CellResult, Source

WIDTH = 100
"""Columns of a terminal that tables are laid out for; a narrower one gets their compact form."""


@dataclass(frozen=True)
class Column:
    """A column of a table: of numbers, unless it `is_text`. A header may have several lines.

    In its compact form a table has the `compact` headers, and leaves out what is `only_wide`.
    """

    header: str
    compact: str = ""
    only_wide: bool = False
    is_text: bool = False


@dataclass(frozen=True)
class Table:
    """A titled table. The first column names what a row is of; a row has a text per column."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Verdict:
    """A sentence that says what was found, before any table."""

    sentence: str


@dataclass(frozen=True)
class Lines:
    """Lines of text, under a title where they have one. No lines are nothing at all."""

    lines: Sequence[str]
    title: str = ""


@dataclass(frozen=True)
class Break:
    """Parts two subjects of a report."""


Part = Verdict | Table | Lines | Break


@dataclass(frozen=True)
class Report:
    """What a study says. Its files are called `name`, and its figures as `figures` has them.

    `parts` are for people, in their order. `content` is the same for programs, and `lines` what of
    it fits a table with a column per key: fractions, not percent, with units in the names; None
    and nothing where there is only text. `warnings` are what its rows say against it, and
    `remarks` follow them. Files belong into `folder`; there is none of several campaigns.
    `source` are the rows that it is of, and `results` those of their cells, where it has them.
    `vectors` keeps what was drawn: see `svg`.
    """

    name: str
    parts: Sequence[Part]
    content: Mapping[str, Any] | None = None
    lines: Sequence[Mapping[str, Any]] = ()
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    remarks: Sequence[str] = ()
    folder: Path | None = None
    width: int = WIDTH  # of the widest table, in columns
    source: Source | None = None
    results: Sequence[CellResult] = ()
    vectors: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def verdicts(self) -> list[str]:
        """The sentences that say what was found."""
        return [part.sentence for part in self.parts if isinstance(part, Verdict)]


def numbers(*headers: str) -> list[Column]:
    """A column of numbers for each header."""
    return [Column(header) for header in headers]
