"""The sentence of each comparison group, with its doubts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..results import CellResult, doubts, words
from .subject import Subject

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
