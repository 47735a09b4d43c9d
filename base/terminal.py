"""Printing: foreign text reaches the terminal without control characters.

Rows, device files and other programs' output may hold escape sequences, newlines and rich's own
markup; none of them may move the cursor, forge a line or open a link.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from typing import Any, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from .printable import one_line
from .printable import say as say


class Terminal(Console):
    """A console that passes no control characters except line ends and rich's own styles.

    Text is printed literally: markup and emoji names in it are not interpreted.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, **settings})

    def on_broken_pipe(self) -> None:
        """Exit silently; rich would exit with 1."""
        leave_unread()

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of `renderable` with their text made printable."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control is None and not text.isprintable() and text != "\n":
                lines = text.split("\n")
                segment = Segment("\n".join(map(one_line, lines)), style)
            yield segment


def leave_unread() -> NoReturn:
    """Exit silently because nobody reads the output, as in `waltax report | head`.

    The exit code is what a shell reports for a program killed by SIGPIPE. The signal itself stays
    ignored: a driver that ends early must not kill a whole campaign.
    """
    # Python flushes its buffer at exit, and that must not fail.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    raise SystemExit(128 + signal.SIGPIPE)
