from __future__ import annotations

from dataclasses import replace

import pytest
from power.runs import RUNS, Run
from power.states import CUTTER, DISK, LATE, Left
from power.verdict import Agreement, agreement, faults

SYNC, FLUSH, NOBARRIER = RUNS
ONE = Left("run", DISK, "dropped", 0, True, True, True, 10, 0, None)
CUT = replace(ONE, by=CUTTER)
LATER = replace(CUT, strategy=LATE)


def cutter(first: int, last: int, cut: int = 0) -> list[Left]:
    """What the cutter lost at the first and at the last moment of a cut."""
    return [replace(CUT, cut=cut, lost=first), replace(LATER, cut=cut, lost=last)]


def test_a_synced_run_that_loses_nothing_has_no_faults() -> None:
    assert list(faults(SYNC, [ONE, CUT, LATER])) == []


@pytest.mark.parametrize(
    "worse",
    [
        replace(ONE, lost=1, problem="acknowledged: 1 2 3"),
        replace(ONE, consistent=False),
        replace(ONE, sound=False),
        replace(CUT, lost=1),
    ],
)
def test_one_state_of_a_synced_run_that_lost_something_is_enough(worse: Left) -> None:
    assert list(faults(SYNC, [ONE, CUT, LATER, worse]))


@pytest.mark.parametrize("run", [FLUSH, NOBARRIER])
def test_a_run_that_must_lose_and_does_not_is_a_fault(run: Run) -> None:
    assert "cannot see a loss" in "".join(faults(run, [ONE, *cutter(9, 9)]))


def test_a_disk_may_lose_less_than_the_cutter_says() -> None:
    left = [replace(ONE, lost=4), *cutter(9, 5), replace(ONE, cut=1), *cutter(0, 0, cut=1)]
    assert list(faults(FLUSH, left)) == []
    assert agreement(left) == Agreement(within=1, less=1, more=0)


@pytest.mark.parametrize("lost", [4, 6, 9])
def test_what_is_lost_at_one_of_the_moments_that_the_cut_may_have_been_agrees(lost: int) -> None:
    for bounds in ((9, 4), (4, 9)):
        left = [replace(ONE, lost=lost), *cutter(*bounds)]
        assert agreement(left) == Agreement(within=1, less=0, more=0)


def test_a_disk_that_loses_more_than_the_cutter_says_is_a_fault() -> None:
    left = [replace(ONE, lost=9), *cutter(4, 8)]
    assert "the cutter is too lenient" in "".join(faults(FLUSH, left))
    assert list(faults(NOBARRIER, left)) == []


def test_a_state_that_was_drawn_does_not_count_for_the_agreement() -> None:
    left = [ONE, replace(ONE, strategy="sectors", lost=5), CUT, LATER]
    assert agreement(left) == Agreement(within=1, less=0, more=0)
