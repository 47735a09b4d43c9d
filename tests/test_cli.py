"""The help of `waltax`: it is there at once, and says what the commands say of themselves."""

from __future__ import annotations

import importlib
import subprocess
import sys

import click
import pytest
from waltax import commands
from waltax.cli import cli
from waltax.commands import Entry

_COMMANDS = sorted(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize("words", [("--help",), ("serve", "--help"), ("run", "--help")])
def test_a_help_imports_nothing_that_takes_long(words: tuple[str, ...]) -> None:
    imported = _imported_by(*words)
    assert "textwrap" in imported
    assert not imported & {"pydantic", "numpy", "scipy", "matplotlib", "rich", "psutil"}


@pytest.mark.parametrize("words", [(), ("-h",), ("--help",)])
def test_what_there_is_is_told_without_click_or_any_room(words: tuple[str, ...]) -> None:
    imported = _imported_by(*words)
    assert "waltax.commands" in imported
    ours = {name for name in imported if name.startswith("waltax.")}
    assert ours <= {"waltax.commands", "waltax.__main__"}
    assert not imported & {"click", "inspect", "dataclasses"}


def _imported_by(*words: str) -> set[str]:
    argv = [sys.executable, "-X", "importtime", "-m", "waltax", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


def test_the_bare_command_and_click_print_the_same_help_on_stdout() -> None:
    by_click = "from waltax.cli import cli; cli(['--help'], standalone_mode=False)"
    said = []
    for words in (["-m", "waltax"], ["-m", "waltax", "--help"], ["-c", by_click]):
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
        assert done.stderr == ""
        said.append(done.stdout)
    assert len(set(said)) == 1
    assert said[0].startswith("Usage: waltax ")


@pytest.mark.parametrize("width", [60, 80, 200])
def test_every_command_is_listed_with_its_whole_sentence(width: int) -> None:
    said = commands.text(width)
    assert max(map(len, said.splitlines())) < width
    whole = " ".join(said.split())
    listed = {**commands.STUDIES, **commands.ROOMS}
    for name in _COMMANDS:
        sentence = listed[name].help if name in listed else commands.OWN[name]
        assert f" {name} {sentence}" in whole


def test_the_help_of_the_devices_cuts_no_sentence_off() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "waltax", "devices", "--help"], capture_output=True, text=True
    )
    whole = " ".join(done.stdout.split())
    for entry in commands.DEVICES.values():
        assert entry.help in whole
    assert "..." not in whole.replace("[ARGS]...", "")


def test_the_help_of_all_commands_imports_none() -> None:
    text = "import sys; from waltax.cli import cli; cli(['--help'], standalone_mode=False)"
    shown = f"{text}; print(*(name for name in sys.modules if name.endswith('.command')))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    assert "sweep-latency" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("entries", [commands.ROOMS, commands.DEVICES])
def test_the_tables_say_what_the_commands_say_of_themselves(entries: dict[str, Entry]) -> None:
    for entry in entries.values():
        module, _, name = entry.record.partition(":")
        command = getattr(importlib.import_module(f"waltax{module}"), name)
        assert _first_line(command) == entry.help


def test_what_the_command_line_has_itself_is_listed_as_it_says() -> None:
    assert sorted(_COMMANDS) == sorted([*commands.STUDIES, *commands.ROOMS, *commands.OWN])
    for name, sentence in commands.OWN.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert _first_line(command) == sentence
    assert _first_line(cli) == commands.ABOUT


def _first_line(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_has_a_help(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
