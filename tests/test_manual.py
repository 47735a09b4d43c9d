"""waltax(1) and what a shell completes, both of the command line's own tables."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest
from click.shell_completion import BashComplete
from waltax import devices, manual
from waltax.cli import cli
from waltax.commands import COMMANDS


def _plain(roff: str) -> str:
    return roff.replace("\\-", "-").replace("\\(dq", '"').replace("\\&", "").replace("\\e", "\\")


def test_the_manual_has_every_command_and_each_of_its_options() -> None:
    parts = _plain(manual.page()).split('\n.SS "waltax ')[1:]
    titles = [re.split(r" \[| [A-Z]|\"", part, maxsplit=1)[0] for part in parts]
    sections = dict(zip(titles, parts, strict=True))
    assert sections.keys() == COMMANDS.keys()
    for words in COMMANDS:
        command = cli.get_command(click.Context(cli), words)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert option.opts[0] in sections[words], words


def test_nothing_that_a_command_says_is_taken_for_one_of_roff() -> None:
    lines = manual.page().splitlines()
    macros = {line.split()[0] for line in lines if line.startswith((".", "'"))}
    assert macros == {".TH", ".ad", ".SH", ".SS", ".B", ".I", ".PP", ".TP"}
    assert [line for line in lines if re.search(r"\\(?![-e&]|\(dq|f[BR])", line)] == []


def _completed(*words: str) -> list[str]:
    *typed, incomplete = words
    shell = BashComplete(cli, {}, "waltax", "_WALTAX_COMPLETE")
    return [item.value for item in shell.get_completions(list(typed), incomplete)]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("",), {words.split()[0] for words in COMMANDS}),
        (("sw",), {"sweep"}),
        (("sweep", "l"), {"latency", "load"}),
        (("receipts", "re"), {"recovery"}),
        (("sweep", "latency", "--dev"), {"--device"}),
        (("run", "--wal", ""), {"sync", "flush", "delayed", "off"}),
        (("run", "--device", "nvr"), {"nvram"}),
        (("devices", "compare", ""), set()),
        (("gate", "--"), set()),
    ],
)
def test_a_shell_completes_words_options_and_what_they_take(
    typed: tuple[str, ...], offered: set[str]
) -> None:
    assert set(_completed(*typed)) - {"--help"} == offered


def test_a_first_word_that_is_a_command_itself_offers_its_options_too() -> None:
    assert {"--workload", "--device"} <= {*_completed("receipts", "--")}
    assert {*_completed("run", "--device", "")} == {*devices.names()}


def test_the_installed_command_answers_a_shell_instead_of_printing_its_help() -> None:
    env = {"_WALTAX_COMPLETE": "bash_complete", "COMP_WORDS": "waltax ", "COMP_CWORD": "1"}
    argv = [sys.executable, "-c", "from waltax.__main__ import main; main()"]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    assert "plain,run" in done.stdout.splitlines()
