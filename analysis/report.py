"""A report as a value: what a study says about its rows, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .results import CellResult, Source
    from .series import Column

WIDTH = 100
"""Columns of a terminal that tables are laid out for; narrower ones get the compact form."""


@dataclass(frozen=True)
class Table:
    """A titled table. The first column names the subject of a row; a row has a text per column.

    Its compact form has the `compact` headings of the columns and omits those `only_wide`.
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
    `results` those of their cells, if any. `vectors` keeps what was drawn: see `svg`.
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
    vectors: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def verdicts(self) -> list[str]:
        """The sentences that state findings."""
        return [part.sentence for part in self.parts if isinstance(part, Verdict)]
