import pytest
from waltax.base import strictjson


@pytest.mark.parametrize(
    "text",
    ["1e400", "-1E+400", "NaN", "-Infinity", "18446744073709551616", '{"a": [1e999]}', "9" * 40],
)
def test_a_number_that_cannot_be_held_is_refused_as_text_and_as_bytes(text: str) -> None:
    for given in (text, text.encode()):
        with pytest.raises(ValueError, match="number"):
            strictjson.loads(given)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.5e10, "x y", null, true]}', {"a": [1, 2.5e10, "x y", None, True]}),
        ('"a\\u001b[2Jb"', "a?[2Jb"),
        ('"a\\nb"', "a b"),
        ('"\u202ea"', "?a"),
        ('{"\\u0007": "\x7f"}', {"?": "?"}),
        ("18446744073709551615", 2**64 - 1),
    ],
)
def test_what_would_move_a_terminal_is_made_harmless(text: str, value: object) -> None:
    assert strictjson.loads(text) == value
    assert strictjson.loads(text.encode()) == value


def test_the_very_text_is_there_for_who_wants_it() -> None:
    assert strictjson.loads('"a\\nb"', printable=False) == "a\nb"
