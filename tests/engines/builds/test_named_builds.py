"""What --build says, and what it may not."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from waltax.base.errors import UsageError
from waltax.engines.builds.build import Named, named
from waltax.engines.builds.inspection import look
from waltax.runners.recipe import command_line


def test_a_build_is_a_name_and_a_folder() -> None:
    assert named("base=/opt/a=b") == Named("base", "/opt/a=b")
    assert named("10.4.2=x").name == "10.4.2"


@pytest.mark.parametrize("word", ["base", "base=", "=x", "/opt/a"])
def test_what_is_no_name_and_folder_is_told_what_to_type(word: str) -> None:
    with pytest.raises(UsageError, match=r"^--build: found .*--build new="):
        named(word)


@pytest.mark.parametrize("name", ["a/b", "a@b", "-a", ".a", "a b", "é", "a" * 33])
def test_a_name_goes_into_file_names_and_is_such_a_word(name: str) -> None:
    with pytest.raises(UsageError, match="1 to 32 letters, digits, dots, dashes"):
        named(f"{name}=/opt/a")


def test_a_name_that_comes_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="--build: found a twice; give each build a name"):
        look("rocksdb", [Named("a", "/x"), Named("a", "/y")])


@pytest.mark.parametrize("variable", ["ROCKSDB_ROOT", "MARIADBD"])
def test_a_build_for_all_cells_is_not_mixed_with_builds_of_names(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "/opt/c")
    with pytest.raises(UsageError, match=f"--build: found {variable}=/opt/c as well"):
        look("rocksdb", [Named("a", "/x")])


def test_one_text_names_several_and_a_path_with_a_blank_is_one(tmp_path: Path) -> None:
    (tmp_path / "my db").mkdir()
    seen: list[tuple[Named, ...]] = []

    @click.command()
    @click.option("--build", "--builds", "builds", multiple=True, callback=command_line.builds)
    def command(builds: tuple[Named, ...]) -> None:
        seen.append(builds)

    blank = f"c={tmp_path}/my db"
    done = CliRunner().invoke(command, ["--builds=a=/x b='/y z'", "--build", blank])
    assert done.exit_code == 0, done.output
    assert seen == [(Named("a", "/x"), Named("b", "/y z"), Named("c", f"{tmp_path}/my db"))]
