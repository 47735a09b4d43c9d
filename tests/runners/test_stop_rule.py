"""A workload ends where a session does: because its intervals are narrow, or by time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from waltax import profiles
from waltax.runners.stop_rule import LOOKS_FROM, Rule, Stop

RULE = Rule(min_sessions=3, target_half_width=0.05, budget_s=100.0)


@pytest.mark.parametrize(
    ("sessions", "spent_s", "half_widths", "stop"),
    [
        (2, 10.0, [0.01], None),
        (2, 200.0, [0.01], None),
        (LOOKS_FROM - 1, 10.0, [0.01, 0.05], None),
        (LOOKS_FROM - 1, 100.0, [0.01, 0.05], Stop.BOTH),
        (LOOKS_FROM - 1, 100.0, [0.01, 0.051], Stop.BUDGET),
        (LOOKS_FROM - 1, 100.0, [0.01, None], Stop.BUDGET),
        (LOOKS_FROM, 10.0, [0.01, 0.05], Stop.TIGHT),
        (LOOKS_FROM, 10.0, [0.01, 0.051], None),
        (LOOKS_FROM, 10.0, [0.01, None], None),
        (LOOKS_FROM, 100.0, [0.01, None], Stop.BUDGET),
        (LOOKS_FROM, 100.0, [0.01], Stop.BOTH),  # whatever its intervals are
        (LOOKS_FROM, 93.0, [0.01], None),  # 56 s of 60
    ],
)
def test_what_ends_a_workload(
    sessions: int, spent_s: float, half_widths: list[float | None], stop: Stop | None
) -> None:
    assert RULE.at_session_end(sessions, spent_s, half_widths) is stop


def test_the_rule_of_a_profile_is_its_timing() -> None:
    timing = profiles.load("quick", "rocksdb").timing
    assert Rule.of(timing) == Rule(
        timing.min_sessions, timing.target_half_width, timing.time_budget_s
    )


def test_an_interval_that_ended_a_campaign_holds_as_often_as_the_documents_promise() -> None:
    """Of the scenes before those in which rounds or sessions resemble the one before."""
    text = (Path(__file__).parent.parent.parent / "docs/results.md").read_text()
    table = text.partition("### Campaigns that stop early")[2].partition("| ageing and AR(1)")[0]
    given = [float(share) for share in re.findall(r"\d+ %: ([.0-9]+)", table)]
    assert given
    assert min(given) >= 0.92
