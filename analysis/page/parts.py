"""A report's parts by the sections of the page to which they belong, the sentences first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..report import Break, Lines, Part, Table, Verdict
from ..reports import campaign
from ..results import CellResult, doubts, words
from .subject import Subject


@dataclass
class Shelf:
    """What a section shows: tables and lists, each under the title of its subject."""

    tables: list[tuple[str, Table]] = field(default_factory=list)
    lists: list[tuple[str, Lines]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.tables or self.lists)


@dataclass
class Parts:
    """The parts about overheads by section, and those of a study's own report, if it is one."""

    verdicts: list[str] = field(default_factory=list)
    notes: Shelf = field(default_factory=Shelf)
    cost: Shelf = field(default_factory=Shelf)
    why: Shelf = field(default_factory=Shelf)
    latency: Shelf = field(default_factory=Shelf)
    workload: Shelf = field(default_factory=Shelf)
    evidence: Shelf = field(default_factory=Shelf)
    own: list[Part] = field(default_factory=list)


def parts_of(of: Subject) -> Parts:
    """Return the report's parts; for a study's report, also those about the overheads."""
    shelved = Parts()
    overheads = campaign.parts(of.results) if of.is_own else list(of.report.parts)
    titles = [words.group_title(group[0]) for group in of.groups]
    several, place = len(titles) > 1, 0
    for part in overheads:
        place += isinstance(part, Break)
        title = titles[place] if several and place < len(titles) else ""
        _sort(part, title, shelved)
    if of.is_own:
        shelved.verdicts = of.report.verdicts
        shelved.own = [part for part in of.report.parts if not isinstance(part, (Verdict, Break))]
    return shelved


def _sort(part: Part, title: str, into: Parts) -> None:
    if isinstance(part, Verdict):
        into.verdicts.append(part.sentence)
    elif isinstance(part, Table):
        shelves = {"Per": into.why, "Latency": into.latency}
        shelves.get(part.title.split(" ")[0], into.cost).tables.append((title, part))
    elif isinstance(part, Lines) and part.lines:
        shelves = {"Workload": into.workload, "Evidence": into.evidence}
        is_of_latency = part.lines[0].startswith(("p99 ", "latency: "))
        shelf = into.latency if is_of_latency else shelves.get(part.title, into.notes)
        shelf.lists.append((title, part))


def plain(parts: Sequence[Part]) -> list[tuple[str, Part]]:
    """Return parts with the word by which a template recognises them."""
    return [
        ("table" if isinstance(part, Table) else "lines", part)
        for part in parts
        if isinstance(part, Table) or (isinstance(part, Lines) and part.lines)
    ]


Chip = tuple[str, str, str]
"""An icon, a word, and `plain`, `warn` or `bad`."""

_BAD = {doubts.FAILED: "cells failed", doubts.INPUTS: "inputs fail"}


@dataclass(frozen=True)
class Judged:
    """A sentence, and the large doubts that belong in it; empty if there are none."""

    sentence: str
    doubt: str
    chips: tuple[Chip, ...]


def judged(of: Subject) -> list[Judged]:
    """Return a judged sentence for each comparison group."""
    return [Judged(*parted(words.verdict(group)), tuple(_chips(group))) for group in of.groups]


def parted(sentence: str) -> tuple[str, str]:
    """Split a sentence into the finding and the doubts that end it."""
    finding, _, doubt = sentence.partition(f"; {words.DOUBTFUL}: ")
    return (f"{finding}.", doubt) if doubt else (finding, "")


def _chips(group: Sequence[CellResult]) -> Iterable[Chip]:
    every = [doubt for result in group for doubt in result.doubts]
    kinds = dict.fromkeys(doubt.kind for doubt in every)
    large = {doubt.kind for doubt in every if doubt.large}
    for kind in kinds:
        if kind in _BAD:
            yield "\N{MULTIPLICATION X}", _BAD[kind], "bad"
    for kind in kinds:
        if kind in large:
            yield "!", kind, "warn"
    if doubts.EMULATED in kinds:
        yield "\N{ALMOST EQUAL TO}", "emulated", "plain"
