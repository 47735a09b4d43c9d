"""`python -m waltax.manual`: print the manual page waltax(1), made of the command line's tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata

import click

from . import commands
from .base import home
from .cli import cli

_FILES = {
    "results/": "Campaigns, in the folder that you are in.",
    home.shown("data"): "Data sets and clones; --data-dir names another place.",
    home.shown("build"): "The C++ programs, where the package did not bring them along.",
    "~/.config/waltax/devices.toml": "Devices that are real on this machine.",
}
_ENDS = {
    "0": "What was asked for is done.",
    "1": "A run failed.",
    "2": "The command line, or a file that it names, cannot be used.",
    "130": "Ctrl-C.",
}


def page() -> str:
    """Return the page in roff."""
    version = metadata.version("waltax")
    parts = [
        f'.TH WALTAX 1 "" "waltax {version}" "User Commands"\n.ad l',
        f".SH NAME\nwaltax {_DASH} {_text('measure what the write-ahead log of a database costs')}",
        ".SH SYNOPSIS\n.B waltax\n.I COMMAND\n[OPTIONS]...",
        f".SH DESCRIPTION\n{_text(commands.ABOUT)}\n.PP\n{_text(commands.MORE)}",
        ".SH COMMANDS",
        *(_command(words) for words in commands.COMMANDS),
        *(".SH FILES", *_tagged(_FILES)),
        *(".SH EXIT STATUS", *_tagged(_ENDS)),
    ]
    return "\n".join(parts) + "\n"


_DASH = "\\-"


def _command(words: str) -> str:
    """Return the section of a command: its usage, its help, and a paragraph for each option."""
    command = cli.get_command(click.Context(cli), words)
    assert command is not None
    context = click.Context(command, info_name=f"waltax {words}", terminal_width=10_000)
    usage = " ".join(command.collect_usage_pieces(context))
    help_ = re.split(r"\n\s*\n", command.help or "")
    said = "\n.PP\n".join(_text(" ".join(text.split())) for text in help_ if "\b" not in text)
    records = (option.get_help_record(context) for option in command.get_params(context))
    options = {record[0]: record[1] for record in records if record is not None}
    return "\n".join([f'.SS "{_text(f"waltax {words} {usage}")}"', said, *_tagged(options)])


def _tagged(paragraphs: dict[str, str]) -> Iterator[str]:
    for name, text in paragraphs.items():
        yield f".TP\n\\fB{_text(name)}\\fR\n{_text(text)}"


def _text(text: str) -> str:
    """Return a text as roff shows it: no letter in it is a command, and dashes can be copied."""
    shown = text.replace("\\", "\\e").replace("-", _DASH).replace('"', "\\(dq")
    return re.sub(r"^([.'])", r"\\&\1", shown)


if __name__ == "__main__":
    print(page(), end="")
