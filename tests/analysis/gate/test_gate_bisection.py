"""Which of two builds a third is like, by rows that are made up."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping

import pytest
from synthetic import EVIDENCE, make_row
from waltax.analysis.gate.bisection import AGAIN, BAD, GOOD, NEXT, nearer
from waltax.base.errors import UsageError
from waltax.row import Row

_SESSIONS, _ROUNDS, _BAD = 6, 6, 800.0
_JUDGEMENTS = 60


def _rows(found: float, bad: float = _BAD, sd: float = 0.02, seed: int = 3) -> list[Row]:
    """Good has a rate of 1000; `sd` is of slices, and the machine drifts between sessions."""
    draw, rates = random.Random(seed), {GOOD: 1000.0, AGAIN: 1000.0, BAD: bad, NEXT: found}
    rows = []
    for session in range(_SESSIONS):
        drift = draw.lognormvariate(0, 0.2)
        for number in range(_ROUNDS):
            for build, rate in rates.items():
                own = rate * drift * draw.lognormvariate(0, sd)
                rows.append(_row(build, own, session, number))
    return rows


def _row(build: str, rate: float, session: int, number: int) -> Row:
    """Its CPU time of a request is in proportion to what a request takes."""
    one = make_row("nvme", rate, session, number, **EVIDENCE)
    cpu = {"slice_requests": 1000, "cpu_engine_s": 1000 / rate}
    return one | {"build": build, "cell": f"{one['cell']}@{build}", **cpu}


def _verdict(rows: list[Row], by: str = "throughput") -> str:
    found = nearer(rows, "nvme", "sync", by)
    return found.verdict if found else "failed"


@pytest.mark.parametrize("by", ["throughput", "cpu"])
def test_a_build_is_on_the_side_that_it_is_like(by: str) -> None:
    assert _verdict(_rows(1000.0), by) == "good"
    assert _verdict(_rows(_BAD), by) == "bad"


@pytest.mark.parametrize("by", ["throughput", "cpu"])
def test_one_that_is_faster_may_be_the_bad_one(by: str) -> None:
    assert _verdict(_rows(1250.0, bad=1250.0), by) == "bad"
    assert _verdict(_rows(1000.0, bad=1250.0), by) == "good"


def test_one_in_the_middle_is_on_neither_side() -> None:
    assert _verdict(_rows(math.sqrt(1000.0 * _BAD))) == "unknown"


def test_there_are_no_sides_where_good_and_bad_are_alike() -> None:
    assert _verdict(_rows(1000.0, bad=1000.0)) == "alike"


def test_a_difference_is_beyond_the_floor_although_its_interval_is_as_wide_as_the_floors() -> None:
    one = nearer(_rows(_BAD, sd=0.28, seed=9), "nvme", "sync", "throughput")
    assert one is not None
    assert one.gap.high is not None
    assert 1 / one.floor < one.gap.high < 1
    assert one.verdict == "bad"


def test_a_failed_candidate_has_no_verdict_and_a_failed_good_one_ends_it() -> None:
    failure = {"status": "failed", "failure": "it died"}
    rows = _rows(1000.0)
    last = {one["build"]: one for one in rows}
    assert _verdict([*rows, last[NEXT] | failure]) == "failed"
    with pytest.raises(UsageError, match="build good: a slice of it failed: it died"):
        _verdict([*rows, last[GOOD] | failure])


def _counted(rates: Mapping[str, float]) -> Counter[str]:
    return Counter(_verdict(_rows(**rates, sd=0.1, seed=seed)) for seed in range(_JUDGEMENTS))


def test_equal_builds_are_hardly_ever_told_apart_and_unequal_ones_never_taken_for_the_other() -> (
    None
):
    equal = _counted({"found": 1000.0, "bad": 1000.0})
    assert equal["good"] + equal["bad"] <= 0.05 * _JUDGEMENTS, equal
    unequal = _counted({"found": _BAD})
    print(f"equal: {dict(equal)}; a fifth slower: {dict(unequal)}")
    assert unequal["good"] == 0
    assert unequal["bad"] >= 0.9 * _JUDGEMENTS, unequal
