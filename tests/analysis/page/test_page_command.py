"""The command at the end of a page, which measures it again."""

from __future__ import annotations

import pytest
from waltax.analysis.page import command


@pytest.mark.parametrize(
    ("typed", "again"),
    [
        ("run --device 'my disk'", "waltax run --seed 7 --device 'my disk'"),
        ("sweep threads --device=nvme", "waltax sweep threads --seed 7 --device=nvme"),
        ("run --seed=9", "waltax run --seed=9"),
        ("try --log 'wal/*' -- ./bench 9", "waltax try --seed 7 --log 'wal/*' -- ./bench 9"),
    ],
)
def test_the_command_is_what_was_typed_with_the_seed_that_was_drawn(typed: str, again: str) -> None:
    assert command({"typed": typed, "seed": 7}) == again


def test_a_campaign_that_does_not_say_what_was_typed_has_no_command() -> None:
    assert command({"kind": "run", "seed": 7}) == ""
