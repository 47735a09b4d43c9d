"""The published figures, and what is said against them."""

from __future__ import annotations

import pytest
from waltax.analysis import statements


def test_a_throughput_that_is_the_rate_of_arrivals_is_called_that() -> None:
    limited = {
        (one.statement, one.engine)
        for one in statements.published()
        if statements.is_arrival_limited(one)
    }
    assert ("update-hot", "innodb") in limited
    assert ("delete-missing", "myrocks") in limited
    assert ("select-names", "innodb") in limited
    assert ("insert", "innodb") not in limited
    # A sort of which each took seconds came far behind.
    assert ("order-column", "myrocks") not in limited


@pytest.mark.parametrize(
    ("statement", "engine", "words"),
    [
        ("insert", "innodb", ""),
        ("update-hot", "myrocks", "arrival-limited"),
        ("order-key", "innodb", "unknown, arrival-limited"),
        ("order-key", "myrocks", "unknown"),
    ],
)
def test_the_remark_says_what_a_figure_is_not(statement: str, engine: str, words: str) -> None:
    assert statements.remarks(statement, engine) == words


def test_the_ratios_are_those_of_its_table() -> None:
    inserts = {
        one.machine: one.statements_per_s for one in statements.published_of("insert", "innodb")
    }
    ratios = [
        round(one.statements_per_s / inserts[one.machine], 2)
        for one in statements.published_of("insert", "myrocks")
    ]
    assert tuple(ratios) == statements.INSERT_RATIO
