"""The help of `waltax`: it is there at once, and says what the commands say of themselves."""

from __future__ import annotations

import importlib
import subprocess
import sys

import click
import pytest
from waltax import cli as cli_module
from waltax.cli import cli
from waltax.study.table import Entry

_COMMANDS = sorted(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize("words", [("--help",), ("serve", "--help"), ("run", "--help")])
def test_a_help_imports_nothing_that_takes_long(words: tuple[str, ...]) -> None:
    argv = [sys.executable, "-X", "importtime", "-m", "waltax", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "click" in imported
    assert not imported & {"pydantic", "numpy", "scipy", "matplotlib", "rich", "psutil"}


def test_the_help_of_all_commands_imports_none() -> None:
    text = "import sys; from waltax.cli import cli; cli(['--help'], standalone_mode=False)"
    shown = f"{text}; print(*(name for name in sys.modules if name.endswith('.command')))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    assert "sweep-latency" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("entries", [cli_module._COMMANDS, cli_module._DEVICE_COMMANDS])
def test_the_tables_say_what_the_commands_say_of_themselves(entries: dict[str, Entry]) -> None:
    for entry in entries.values():
        module, _, name = entry.record.partition(":")
        command = getattr(importlib.import_module(f"waltax{module}"), name)
        assert " ".join(command.help.split("\n\n")[0].split()) == entry.help


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_has_a_help(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
