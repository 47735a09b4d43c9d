"""Java's .properties files, as the originals' command lines read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.workloads.original.properties import parse, read


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
    ],
)
def test_a_file_is_read_as_java_reads_it(text: str, wanted: dict[str, str]) -> None:
    found = {key: found.value for key, found in parse(text, "f").items()}
    assert found == wanted


def test_a_value_knows_its_file_and_line() -> None:
    found = parse("# head\na=1\n\nb=3", "some.properties")
    assert found["a"].origin == "some.properties:2"
    assert found["b"].origin == "some.properties:4"


def test_bytes_are_latin_1(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a=\xe4")
    assert read(tmp_path / "f")["a"].value == "\u00e4"


@pytest.mark.parametrize("line", ["b=\\u12", "b=1,\\", "b\\ c=1", "b=" + "x" * 50_000 + "\\"])
def test_a_backslash_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(UsageError, match=r"^f:2: found a backslash") as caught:
        parse(f"a=1\n{line}", "f")
    assert len(str(caught.value)) < 200
