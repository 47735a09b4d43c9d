"""The number in a command's output."""

from __future__ import annotations

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.runners.cells.program.cell import metric, number


def test_the_last_match_counts() -> None:
    output = "tps: 100\ntps: 200.5\nqps: 900\n"
    assert number(r"tps: ([\d.]+)", output) == 200.5


def test_lines_begin_and_end_where_the_output_has_them() -> None:
    assert number(r"^(\d+)$", "1 of 3\n42\nok\n") == 42


def test_thousands_may_be_grouped() -> None:
    assert number(r"is ([\d,.]+)", "it is 1,234.5") == 1234.5


@pytest.mark.parametrize("expression", [r"tps: \d+", r"(tps): (\d+)"])
def test_another_number_of_groups_than_one_is_refused(expression: str) -> None:
    with pytest.raises(UsageError, match=r"--metric: .* groups, want one"):
        metric(expression)


def test_groups_that_do_not_capture_are_free() -> None:
    assert number(r"(?:tps|qps): (\d+)", "qps: 7") == 7


def test_what_is_no_regular_expression_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--metric: '\(' is no regular expression"):
        metric("(")


def test_no_match_quotes_the_end_of_the_output() -> None:
    with pytest.raises(WaltaxError, match=r"matches nothing .* ends: b \| c \| d"):
        number("x(y)", "a\nb\nc\nd\n")


@pytest.mark.parametrize("found", ["fast", "0", "-3", "nan", "inf", ""])
def test_what_is_no_number_above_zero_is_named(found: str) -> None:
    with pytest.raises(WaltaxError, match=r"--metric: .* found .*, want a number"):
        number("=(.*)=", f"={found}=")
