"""`python -m waltax` and the installed command `waltax`."""

from __future__ import annotations

import re
import select
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


def main() -> None:
    """Do what was typed. Exits with 0, 1 a run failed, 2 usage, 130 Ctrl-C, 141 output unread.

    `--make` and `--known` are for the Makefile (makefile.py): they do what make was asked for, or
    check that its targets take what was typed.
    """
    import click

    from . import makefile
    from .base.errors import WaltaxError, in_words
    from .cli import cli

    _let_kin_end_us_as_ctrl_c_does()
    first, rest = sys.argv[1:2], sys.argv[2:]
    try:
        if first not in (["--known"], ["--make"]):
            _run(sys.argv[1:] or ["--help"])
        elif (line := makefile.command_line(cli, rest)) and first == ["--make"]:
            _run(line, "make")
    except WaltaxError as error:
        hint = makefile.hint(error.lines) if first == ["--make"] else ()
        _leave(error.exit_code, *error.lines, *hint)
    except click.ClickException as error:
        _leave(2, _with_the_nearest(error))
    except OSError as error:
        _leave(1, in_words(error))
    except (click.Abort, KeyboardInterrupt):
        _leave(130, "interrupted")


def _let_kin_end_us_as_ctrl_c_does() -> None:
    """Remove what was made after SIGTERM, SIGHUP and SIGQUIT, too; one that is ignored stays so, as
    SIGHUP under nohup.
    """
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def _run(words: Sequence[str], came_by: str = "waltax") -> None:
    """Run one command line; `came_by` is what a person types it with. Exits when it failed."""
    from .cli import cli

    try:
        cli(words, prog_name="waltax", standalone_mode=False, obj=came_by)
    except SystemExit as end:
        if end.code == 1 and not _is_read():  # as click ends then
            from .base.terminal import leave_unread

            leave_unread()
        if end.code:
            raise


def _with_the_nearest(error: click.ClickException) -> str:
    """Return click's words, then the nearest option, choice or command, or the help to read."""
    import click

    from . import commands
    from .base.errors import meant

    context = getattr(error, "ctx", None) or click.Context(click.Group(), info_name="waltax")
    group, said, near = context.command, error.format_message().removesuffix("."), ""
    if isinstance(error, click.NoSuchOption):
        name = _as_typed(error.option_name)
        flag = name.partition("=")[0]
        said, old = f"No such option {flag!r}", commands.instead(context.info_name or "", flag)
        near = old or meant(name, error.possibilities or ())
    elif isinstance(group, click.Group) and (no := re.match(r"No such command '([^']*)'", said)):
        said, near = no[0], meant(no[1], group.list_commands(context))
    elif choice := re.fullmatch(r".*'(.*)' is not one of (.*)", said):
        near = meant(choice[1], re.findall(r"'([^']*)'", choice[2]))
    return said + (near or f"; see {context.command_path} --help")


def _as_typed(name: str) -> str:
    """Return an option as it was typed, since click reads one dash and a word as letters."""
    return name if name[:2] == "--" else next((w for w in sys.argv if w.startswith(name)), name)


def _is_read() -> bool:
    """Return whether somebody still reads what is printed."""
    poll = select.poll()
    poll.register(1, 0)
    return not poll.poll(0)


def _leave(code: int, *lines: str) -> None:
    """Print why in lines without control characters, and exit."""
    from .base.printable import one_line

    who = "" if lines[0].startswith("make ") else "waltax: "
    print(who + "\n".join(map(one_line, lines)), file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
