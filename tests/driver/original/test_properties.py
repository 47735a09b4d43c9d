"""Java's .properties files, as the originals' command lines read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.driver.original.properties import parse, read


# What java.util.Properties (OpenJDK 17) makes of each text.
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a=1", {"a": "1"}),
        ("a:1", {"a": "1"}),
        ("a 1", {"a": "1"}),
        ("a\t=\t1", {"a": "1"}),
        ("  a  =  1", {"a": "1"}),
        ("a=1  ", {"a": "1  "}),
        ("d : e = f ", {"d": "e = f "}),
        ("a", {"a": ""}),
        ("=1", {"": "1"}),
        ("a=1\na=2", {"a": "2"}),
        ("a=1\rb=2\r\nc=3", {"a": "1", "b": "2", "c": "3"}),
        ("# a=1\n ! b=2\n\n  \nc=3", {"c": "3"}),
        ("#x\\\ny=1", {"y": "1"}),
        ("a=x,\\\n   # no comment", {"a": "x,# no comment"}),
        ("a=1\\\n  \n b=2", {"a": "1", "b": "2"}),
        ("a=x\\", {"a": "x"}),
        ("a=x\\\\\nb=2", {"a": "x\\", "b": "2"}),
        ("k\\ e\\=y=v\\u0041\\z\\t|", {"k e=y": "vAz\t|"}),
    ],
)
def test_a_file_is_read_as_java_reads_it(text: str, wanted: dict[str, str]) -> None:
    found = {key: found.value for key, found in parse(text, "f").items()}
    assert found == wanted


def test_a_value_knows_its_file_and_the_first_of_its_lines() -> None:
    found = parse("# head\na=1,\\\n2\nb=3", "some.properties")
    assert found["a"].origin == "some.properties:2"
    assert found["b"].origin == "some.properties:4"


def test_bytes_are_latin_1(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a=\xe4")
    assert read(tmp_path / "f")["a"].value == "\u00e4"


def test_half_a_unicode_escape_is_refused_with_its_line() -> None:
    with pytest.raises(UsageError, match=r"^f:2: .*four hexadecimal digits"):
        parse("a=1\nb=\\u12", "f")


def test_a_message_repeats_the_beginning_of_a_long_text() -> None:
    with pytest.raises(UsageError) as caught:
        parse("a=" + "x" * 50_000 + "\\u12", "f.properties")
    assert len(str(caught.value)) < 200
