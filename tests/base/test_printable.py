from __future__ import annotations

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.printable import one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with ö and 数", "plain, with ö and 数"),
        ("\x1b]0;title\x07", "?]0;title?"),
        ("\x1b[2Jgone", "?[2Jgone"),
        ("a\nwarning: forged", "a warning: forged"),
        ("a\rwarning\t\x0b\x85\u2028b", "a warning    b"),
        ("a\u202eb\u200bc\ud800\x9b2J\x7f", "a?b?c??2J?"),
        ("10\u00a0us", "10 us"),
    ],
)
def test_a_foreign_text_is_shown_on_one_line_without_control_characters(
    text: str, shown: str
) -> None:
    assert one_line(text) == shown


@pytest.mark.parametrize("kind", [WaltaxError, UsageError])
def test_an_error_s_arguments_are_a_line_each_whatever_they_repeat(kind: type[WaltaxError]) -> None:
    error = kind("x.toml: title\nwarning: forged", "y.toml: \x1b[31m")
    assert error.lines == ("x.toml: title warning: forged", "y.toml: ?[31m")
    assert str(error) == "x.toml: title warning: forged\ny.toml: ?[31m"
