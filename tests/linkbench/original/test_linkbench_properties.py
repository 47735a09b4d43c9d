from __future__ import annotations

from pathlib import Path

import pytest
from waltax.errors import UsageError
from waltax.linkbench.original.properties import HOME_VARIABLE, parse, read, read_config


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


def _files(folder: Path, main: str, workload: str = "") -> Path:
    (folder / "config").mkdir()
    (folder / "config" / "w.properties").write_text(workload)
    path = folder / "config" / "main.properties"
    path.write_text(f"workload_file = config/w.properties\n{main}")
    return path


def test_the_command_line_wins_over_the_main_file_and_that_over_the_workload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    path = _files(tmp_path, "a=main\nb=main", "a=work\nb=work\nc=work")
    config = read_config(path, ["a=typed=so"])
    found = config.properties
    assert [found[key].value for key in "abc"] == ["typed=so", "main", "work"]
    assert found["a"].origin == "-D"
    assert found["c"].origin == f"{tmp_path}/config/w.properties:3"
    assert config.workload_path == tmp_path / "config" / "w.properties"


def test_relative_paths_start_at_linkbench_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "config").mkdir(parents=True)
    (tmp_path / "home" / "config" / "w.properties").write_text("a=home")
    path = _files(tmp_path, "", "a=beside")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    assert read_config(path).properties["a"].value == "home"


def test_a_missing_workload_file_is_refused_with_all_places_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, "/no/such/folder")
    path = _files(tmp_path, "")
    with pytest.raises(UsageError) as caught:
        read_config(path, ["workload_file=else/w"])
    assert str(caught.value).startswith("-D: workload_file: found 'else/w'")
    assert f"{tmp_path}/else/w" in str(caught.value)
    assert f"{tmp_path}/config/else/w" in str(caught.value)
    assert HOME_VARIABLE in str(caught.value)


def test_the_name_of_a_workload_file_may_be_longer_than_any_file_s(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"-D: workload_file: found 'x+\.\.\.', but there is no "):
        read_config(_files(tmp_path, ""), [f"workload_file={'x' * 5000}"])


def test_a_message_repeats_the_beginning_of_a_long_text() -> None:
    with pytest.raises(UsageError) as caught:
        parse("a=" + "x" * 50_000 + "\\u12", "f.properties")
    assert len(str(caught.value)) < 200


def test_a_missing_config_file_and_a_word_without_value_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: cannot be read: No such file"):
        read_config(tmp_path / "none")
    with pytest.raises(UsageError, match="-D: found 'maxid1', want KEY=VALUE"):
        read_config(_files(tmp_path, ""), ["maxid1"])
