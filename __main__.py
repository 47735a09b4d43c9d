"""`python -m waltax` and the installed command `waltax`."""

from __future__ import annotations

import sys

import click

from .errors import WaltaxError, in_words
from .printable import one_line


def main() -> None:
    """Exit codes: 0 done, 1 a run failed, 2 usage, 130 Ctrl-C.

    `--args TEXT` stands for the words of TEXT: so `make` passes its ARGS on.
    """
    from .cli import cli
    from .runners import typed

    try:
        cli(typed.expanded(sys.argv[1:]), prog_name="waltax", standalone_mode=False)
    except WaltaxError as error:
        _leave(error.exit_code, *error.lines)
    except click.ClickException as error:
        _leave(2, error.format_message())
    except OSError as error:
        _leave(1, in_words(error))
    except (click.Abort, KeyboardInterrupt):
        _leave(130, "interrupted")


def _leave(code: int, *lines: str) -> None:
    """Say why, in lines that hold no control character whatever was typed or found."""
    print("waltax: " + "\n".join(map(one_line, lines)), file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
