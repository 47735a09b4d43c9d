"""The help of `waltax`: it is there at once, and says what the commands say of themselves."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from waltax import commands
from waltax.base.errors import UsageError
from waltax.cli import cli
from waltax.commands import COMMANDS


@pytest.mark.parametrize("words", [(), ("--help",), ("try", "--help"), ("run", "--help")])
def test_a_help_imports_nothing_that_takes_long(words: tuple[str, ...]) -> None:
    imported = _imported_by(*words)
    assert "textwrap" in imported
    assert not imported & {"pydantic", "numpy", "scipy", "matplotlib", "rich", "psutil"}


def _imported_by(*words: str) -> set[str]:
    argv = [sys.executable, "-X", "importtime", "-m", "waltax", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


def test_the_bare_command_prints_its_help_on_stdout() -> None:
    said = []
    for words in ([], ["--help"]):
        argv = [sys.executable, "-m", "waltax", *words]
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        said.append(done.stdout)
    assert said[0] == said[1]
    assert said[0].startswith("Usage: waltax COMMAND [OPTIONS]...\n")


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_newcomer_sees_at_most_twelve_commands_each_with_its_whole_sentence(width: int) -> None:
    said = _help(width)
    assert max(map(len, said.splitlines())) <= width
    whole = " ".join(said.split())
    listed = [words for words, one in COMMANDS.items() if one.listed and " " not in words]
    assert len(listed) <= 12
    for words in listed:
        assert f" {words} {COMMANDS[words].help}" in whole


def _help(width: int) -> str:
    return cli.get_help(click.Context(cli, info_name="waltax", terminal_width=width))


def test_every_command_is_named_by_the_help_or_by_that_of_its_first_word() -> None:
    of_all = _help(200)
    for words, entry in COMMANDS.items():
        first, _, second = words.partition(" ")
        if second:
            assert second in of_all
            command = cli.get_command(click.Context(cli), first)
            assert command is not None
            assert f"{words} {entry.help}" in " ".join(str(command.epilog or command.help).split())


def test_the_help_of_a_command_ends_with_those_that_follow_it() -> None:
    for first in ("sweep", "receipts", "compare", "devices"):
        command = cli.get_command(click.Context(cli), first)
        assert command is not None
        said = command.get_help(click.Context(command, info_name=first, terminal_width=100))
        for word in commands.below(first):
            assert f"{first} {word}" in said


def test_the_help_of_all_commands_imports_none() -> None:
    text = "import sys; from waltax.cli import cli; cli(['--help'], standalone_mode=False)"
    shown = f"{text}; print(*(name for name in sys.modules if name.endswith('.command')))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    assert "sweep" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("words", COMMANDS)
def test_the_table_says_what_the_command_says_of_itself(words: str) -> None:
    command = cli.get_command(click.Context(cli), words)
    assert command is not None
    assert " ".join((command.help or "").split("\n\n")[0].split()) == COMMANDS[words].help


def test_the_command_line_is_introduced_by_the_question() -> None:
    assert cli.help == commands.ABOUT


@pytest.mark.parametrize(("old", "new"), commands.MOVED.items())
def test_an_old_name_answers_with_the_new_line(old: str, new: str) -> None:
    with pytest.raises(UsageError, match=f"^{old} has moved; type: waltax {new}$"):
        cli([old, "--plan"], standalone_mode=False)
    words = [word for word in new.split() if word.islower() and not word.startswith("-")]
    assert " ".join(words[:2]) in COMMANDS or words[0] in COMMANDS
