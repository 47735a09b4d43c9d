"""The sentence of each comparison group, with what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..results import CellResult, words
from . import subject
from .subject import Subject

Chip = tuple[str, str, str]
"""An icon, a word, and `plain`, `warn` or `bad`."""


@dataclass(frozen=True)
class Judged:
    """`doubts` are clauses, the heaviest first; none of a group with nothing to compare."""

    sentence: str
    chips: tuple[Chip, ...]
    doubts: tuple[str, ...]


def judged(of: Subject) -> list[Judged]:
    """One for each comparison group."""
    return [
        Judged(words.verdict(group), _chips(group, doubts), tuple(doubts))
        for group in of.groups
        for doubts in [_doubts(group, of.target)]
    ]


def _chips(group: Sequence[CellResult], doubts: Sequence[str]) -> tuple[Chip, ...]:
    chips = []
    if any(one.failed for one in group):
        chips.append(("\N{MULTIPLICATION X}", "cells failed", "bad"))
    if doubts:
        chips.append(("!", "noisy", "warn"))
    if any(one.shows_model for one in group):
        chips.append(("\N{ALMOST EQUAL TO}", "emulated", "plain"))
    return tuple(chips)


def _doubts(group: Sequence[CellResult], target: float | None) -> list[str]:
    doubts = []
    known = [one for one in group if not one.is_baseline and one.half_width is not None]
    widest = max((one.half_width or 0.0 for one in known), default=0.0)
    if target is not None and widest > target:
        doubts.append(
            f"target missed: the widest interval reaches {words.percent(widest)} points to either "
            f"side, and {words.percent(target)} were asked for"
        )
    disturbed = subject.disturbance(group)
    if disturbed.disturbed:
        doubts.append(f"{disturbed.disturbed} of {disturbed.slices} slices disturbed from outside")
    return doubts
