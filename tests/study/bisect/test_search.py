"""Which of a row of revisions is decided next, and what is left at the end."""

from __future__ import annotations

import pytest
from waltax.study.bisect.search import Decision, search

TEN = [f"r{number}" for number in range(10)]


def _planted(first_bad: int, skipped: frozenset[str] = frozenset()) -> dict[str, Decision]:
    told: dict[str, Decision] = {}
    for at, name in enumerate(TEN):
        told[name] = "skip" if name in skipped else "bad" if at >= first_bad else "good"
    return told


@pytest.mark.parametrize("first_bad", range(10))
def test_the_first_bad_of_ten_is_found_by_four_decisions_at_most(first_bad: int) -> None:
    found = search(TEN, _planted(first_bad).__getitem__)
    assert found.suspects == (TEN[first_bad],)
    assert 3 <= len(found.decisions) <= 4


def test_a_revision_that_was_skipped_stays_a_suspect_only_beside_the_first_bad_one() -> None:
    cleared = search(TEN, _planted(8, frozenset({"r4"})).__getitem__)
    assert cleared.suspects == ("r8",)
    kept = search(TEN, _planted(5, frozenset({"r4"})).__getitem__)
    assert kept.suspects == ("r4", "r5")
    assert [name for name, decision in kept.decisions if decision == "skip"] == ["r4"]


def test_all_are_suspects_when_none_can_be_decided_but_each_is_asked_once() -> None:
    found = search(TEN, lambda _: "skip")
    assert found.suspects == tuple(TEN)
    assert sorted(name for name, _ in found.decisions) == TEN[:-1]


def test_the_only_revision_is_the_bad_one() -> None:
    found = search(["only"], _planted(0).__getitem__)
    assert (found.suspects, found.decisions) == (("only",), ())
