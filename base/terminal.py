"""What waltax prints: foreign text reaches the terminal without control characters.

Rows, device files and other programs' words may hold escape sequences, newlines and rich's own
markup; nothing of it may move the cursor, forge a line or open a link.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from typing import Any, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from .printable import one_line


class Terminal(Console):
    """A console that lets no control character through but line ends and rich's own styles.

    A text is what it says: neither markup nor the names of emojis in it are looked for.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, **settings})

    def on_broken_pipe(self) -> None:
        """End in silence, where rich ends with 1."""
        leave_unread()

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of `renderable`, their texts made printable."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control is None and not text.isprintable() and text != "\n":
                lines = text.split("\n")
                segment = Segment("\n".join(map(one_line, lines)), style)
            yield segment


def leave_unread() -> NoReturn:
    """End in silence because nobody reads what is printed, as in `waltax report | head`.

    The exit code is a shell's for a program that SIGPIPE ended, as it ends `yes` there. The signal
    itself stays ignored: a driver that ends early must not take a whole campaign with it.
    """
    # What is still in Python's buffer is written at the very end, and must not fail then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    raise SystemExit(128 + signal.SIGPIPE)


def say(console: Console, *lines: object, style: str | None = None) -> None:
    """Print each of `lines` on a line of its own, as it is, and for the reader to break."""
    for line in lines:
        text = one_line(str(line))
        console.print(text, style=style, markup=False, emoji=False, highlight=False, soft_wrap=True)
