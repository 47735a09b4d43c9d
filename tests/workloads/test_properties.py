"""Java's .properties files, in which the original benchmarks are configured."""

from __future__ import annotations

import pytest
from waltax.base.errors import UsageError
from waltax.workloads.properties import choice, number, parse, unknown, values, whole


# What java.util.Properties (OpenJDK 17) makes of each text, but for blanks at the end.
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a=1", {"a": "1"}),
        ("a:1", {"a": "1"}),
        ("a 1", {"a": "1"}),
        ("a\t=\t1", {"a": "1"}),
        ("  a  =  1", {"a": "1"}),
        ("a=1  ", {"a": "1"}),
        ("d : e = f ", {"d": "e = f"}),
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


@pytest.mark.parametrize("line", ["b=\\u12", "b=1,\\", "b\\ c=1", "b=" + "x" * 50_000 + "\\"])
def test_a_backslash_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(UsageError, match=r"^f:2: found a backslash") as caught:
        parse(f"a=1\n{line}", "f")
    assert len(str(caught.value)) < 200


def test_a_value_that_is_none_of_its_kind_is_refused_with_its_line_and_what_is_accepted() -> None:
    kinds = {"n": whole(1, 9), "x": number(0, 1), "way": choice("left", "right")}
    found = values(parse("n=7\nx=.5\nway=LEFT\nother=?", "f"), kinds)
    assert found == {"n": 7, "x": 0.5, "way": "left"}
    for line, said in (
        ("n=10", "n: found '10', want a whole number from 1 to 9"),
        ("n=1_0", "n: found '1_0', want a whole"),
        ("n=1e1", "n: found '1e1', want a whole"),
        ("n=", "n: found '', want a whole"),
        ("x=nan", "x: found 'nan', want a number of at least 0 and at most 1"),
        ("way=up", "way: found 'up', want one of: left, right"),
    ):
        with pytest.raises(UsageError, match=f"^f:2: {said}"):
            values(parse(f"# head\n{line}", "f"), kinds)


def test_an_unknown_key_is_told_with_its_line_and_what_is_meant() -> None:
    found = unknown(parse("maxid=5\nzzz=1\nmaxid1=3", "f"), {"maxid1"})
    assert found == ["f:1: maxid: unknown key; did you mean maxid1?", "f:2: zzz: unknown key"]
