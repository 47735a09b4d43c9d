"""The command line: the table of commands, each imported only when it is called.

numpy, scipy, matplotlib and pydantic take a second to import, and no help must wait for them.
"""

from __future__ import annotations

import importlib
import itertools
import shlex
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from . import commands
from .base.errors import UsageError, meant


class _Command(click.Group):
    """A group that finds each command by its one or two words."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(commands.COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = commands.COMMANDS.get(cmd_name)
        return None if entry is None else _command(cmd_name, entry)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take two words where they are a command, else one. Errors: UsageError for an old name."""
        first, *rest = args
        ctx.meta[commands.TYPED] = args
        below = commands.below(first)
        if ctx.resilient_parsing and not (rest and rest[0] in below):  # a shell asks
            return super().resolve_command(ctx, args) if rest or not below else (None, None, [])
        if rest and rest[0] in below:
            words = f"{first} {rest[0]}"
            return words, self.get_command(ctx, words), rest[1:]
        for old in (first, " ".join(args[:2])):
            if old in commands.MOVED:
                given = dict(itertools.pairwise(args))
                file = Path(given.get("-c") or given.get("-P") or "FILE")
                named = str(file) if file.is_absolute() else f"./{file}"
                line = commands.MOVED[old].replace("./FILE", shlex.quote(named))
                raise UsageError(f"{old} has moved; type: waltax {line}")
        if below and not (rest and rest[0].startswith("-")):
            found, near = (repr(rest[0]), meant(rest[0], below)) if rest else ("nothing", "")
            if near or not commands.COMMANDS[first].record:
                choices = ", ".join(below)
                raise UsageError(f"{first}: found {found}, want one of {choices}{near}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the first words of commands, or what follows a first word that is there."""
        typed = [*ctx._protected_args, *ctx.args]
        if not typed:
            firsts = {words.partition(" ")[0] for words in commands.COMMANDS}
            found = [CompletionItem(word) for word in sorted(firsts) if word.startswith(incomplete)]
            return found + click.Command.shell_complete(self, ctx, incomplete)
        command = self.get_command(ctx, typed[0])
        words = [word for word in commands.below(typed[0]) if word.startswith(incomplete)]
        more = command.shell_complete(ctx, incomplete) if command else []
        return [*map(CompletionItem, words), *more]

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by their first words, each with its whole sentence."""
        with formatter.section("Commands"):
            formatter.write_dl(commands.listed())


def _command(words: str, entry: commands.Entry) -> click.Command:
    """Import a command; its help ends with those that begin with its words."""
    below = _see_also(words)
    if not entry.record:
        return click.Command(words, help=f"{entry.help}\n\n\b\n{below}")
    from .studies import frame
    from .studies.study import Study

    module, _, name = entry.record.partition(":")
    command = getattr(importlib.import_module(module, __package__), name)
    if isinstance(command, Study):
        command = frame.command(words)
    if below:
        command.epilog = f"\b\n{below}"
    found: click.Command = command
    return found


def _see_also(words: str) -> str:
    """Return the list of the commands that begin with this word; "" where there are none."""
    entries = [(f"{words} {word}", entry.help) for word, entry in commands.below(words).items()]
    formatter = click.HelpFormatter()
    with formatter.section("See also"):
        formatter.write_dl(entries or [("", "")])
    return formatter.getvalue().strip() if entries else ""


@click.group(
    cls=_Command,
    epilog=commands.MORE,
    subcommand_metavar="COMMAND [OPTIONS]...",
    options_metavar="",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="waltax")
def cli() -> None:
    """What does the write-ahead log cost, on this device, for this workload?"""
