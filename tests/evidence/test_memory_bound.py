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
    "memory_page_cache_bytes": 90 * _MIB,
    "memory_log_bytes": 0,
    "memory_outside": 0,
}


def contradictions(emulated: bool, told: dict[str, Any]) -> list[str]:
    return list(axes.memory_bound(Slice(SYNC, {**told, "emulated": emulated})))


@pytest.mark.parametrize("told", [{}, _HELD, {"memory_gib": 24.0}])
def test_a_bound_that_holds_and_none_at_all_are_accepted(told: dict[str, Any]) -> None:
    assert contradictions(False, told) == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"memory_used_bytes_max": 129 * _MIB}, "at 128.0 MiB, but 129.0 MiB were used"),
        ({"memory_used_bytes_max": None}, "nothing says what was used"),
        ({"memory_limit_bytes": 256 * _MIB}, "the bound is 128.0 MiB, but the kernel held to 256"),
        ({"memory_outside": 1}, "1 programs of the cell are outside"),
    ],
)
def test_a_bound_that_does_not_hold_fails_the_row(changed: dict[str, Any], words: str) -> None:
    (found,) = contradictions(False, {**_HELD, **changed})
    assert re.search(words, found)


def test_an_emulated_log_in_memory_is_beside_the_bound() -> None:
    beside = {"memory_limit_bytes": 150 * _MIB, "memory_log_bytes": 22 * _MIB}
    assert contradictions(True, {**_HELD, **beside}) == []
    assert contradictions(False, {**_HELD, **beside}) != []
