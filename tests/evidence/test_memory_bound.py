"""A bound on memory that a row claims is held to what the row says was used."""

from __future__ import annotations

import re
from typing import Any

import pytest
from test_evidence import SYNC
from waltax.evidence import axes
from waltax.evidence.slice import Slice

_MIB = 1 << 20
_HELD = {
    "memory_bound": "cgroup v1",
    "memory_bound_bytes": 128 * _MIB,
    "memory_limit_bytes": 128 * _MIB,
    "memory_used_bytes_max": 128 * _MIB,
}


def contradictions(told: dict[str, Any]) -> list[str]:
    return list(axes.memory_bound(Slice(SYNC, {**told, "emulated": True})))


@pytest.mark.parametrize("told", [{}, _HELD, {"memory_gib": 24.0}])
def test_a_bound_that_holds_and_none_at_all_are_accepted(told: dict[str, Any]) -> None:
    assert contradictions(told) == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"memory_used_bytes_max": 129 * _MIB}, "at 128.0 MiB, but 129.0 MiB were used"),
        ({"memory_used_bytes_max": None}, "nothing says what was used"),
    ],
)
def test_a_bound_that_does_not_hold_fails_the_row(changed: dict[str, Any], words: str) -> None:
    (found,) = contradictions({**_HELD, **changed})
    assert re.search(words, found)


def test_rows_of_control_groups_had_an_emulated_log_beside_the_bound() -> None:
    beside = {"memory_limit_bytes": 150 * _MIB, "memory_used_bytes_max": 140 * _MIB}
    assert contradictions({**_HELD, **beside}) == []
