"""Whether a build is nearer to good or to bad, of rows that are made up."""

from __future__ import annotations

from typing import Any

import pytest
from synthetic import EVIDENCE, make_row, noise
from waltax.analysis.builds import nearer
from waltax.errors import UsageError
from waltax.row import Row

_DRIFT = (1.0, 1.4, 0.7)  # of the machine, by session: in every build of a round alike


def _rows(bad: float, found: float, sd: float = 0.004, **of_next: Any) -> list[Row]:
    """Three sessions of eight rounds on nvme; good has 600 requests a second."""
    wobble = noise(sd, seed=3)
    rates = {"good": 1.0, "good-again": 1.0, "bad": bad, "next": found}
    rows = []
    for session, drift in enumerate(_DRIFT):
        for number in range(8):
            for build, rate in rates.items():
                one = make_row("nvme", 600 * rate * drift * wobble(), session, number, **EVIDENCE)
                own = {"build": build, "cell": f"{one['cell']}@{build}"}
                rows.append(one | own | (of_next if build == "next" else {}))
    return rows


@pytest.mark.parametrize(
    ("bad", "found", "verdict"),
    [
        (0.9, 1.0, "good"),
        (0.9, 0.98, "good"),
        (0.9, 0.9, "bad"),
        (0.9, 0.92, "bad"),
        (0.9, 0.9487, "unknown"),  # the middle
        (1.1, 1.0, "good"),  # a bad one may be faster, too
        (1.1, 1.1, "bad"),
        (1.0, 1.0, "alike"),
        (1.0, 0.9, "alike"),  # however far off: there is no side to be on
    ],
)
def test_the_verdict_is_the_side_that_was_planted(bad: float, found: float, verdict: str) -> None:
    assert nearer.judge(_rows(bad, found), "nvme", "sync", "throughput").verdict == verdict


def test_the_noise_floor_is_how_far_good_may_be_from_itself() -> None:
    quiet = nearer.judge(_rows(0.9, 0.9), "nvme", "sync", "throughput")
    loud = nearer.judge(_rows(0.9, 0.9, sd=0.2), "nvme", "sync", "throughput")
    assert 1 < quiet.floor < 1.02 < loud.floor
    assert loud.verdict in ("alike", "unknown")
    assert quiet.rounds == 24
    assert quiet.found.value == pytest.approx(0.9, abs=0.005)


def test_cpu_time_for_a_request_counts_the_other_way_round() -> None:
    rows = _rows(1.0, 1.0)
    for one in rows:
        used = {"good": 2.0, "good-again": 2.0, "bad": 2.4, "next": 2.39}[one["build"]]
        one |= {"slice_requests": 1000, "cpu_engine_s": used * (1 + one["round"] / 1000)}
    assert nearer.judge(rows, "nvme", "sync", "cpu").verdict == "bad"
    assert nearer.judge(rows, "nvme", "sync", "throughput").verdict == "alike"


def test_a_failed_candidate_has_no_verdict_and_a_failed_good_one_is_told() -> None:
    rows = _rows(0.9, 0.9)
    rows[3] |= {"status": "failed", "failure": "it crashed", "throughput": None}
    assert rows[3]["build"] == "next"
    assert nearer.judge(rows, "nvme", "sync", "throughput").verdict == "failed"
    rows[0] |= {"status": "failed", "failure": "it crashed", "throughput": None}
    with pytest.raises(UsageError, match="build good: a slice of it failed: it crashed"):
        nearer.judge(rows, "nvme", "sync", "throughput")
