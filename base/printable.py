"""Foreign text made safe for a terminal: one line, without control characters.

Text from a file or another program may hold escape sequences that move the cursor, newlines that
forge a line of ours, and marks that turn the reading direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def one_line(text: str) -> str:
    """Return `text` with each white space a space and each other unprintable character a "?".

    `str.isprintable` decides what is printable: no control or format characters (escape, marks of
    direction), no line ends, no halves of surrogate pairs, which cannot be encoded.
    """
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(letter: str) -> str:
    if letter.isprintable():
        return letter
    return " " if letter.isspace() else "?"


def minutes(seconds: float) -> str:
    """Return a time as minutes and seconds: 61 s is 1:01."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def shorten(text: str, most: int = 60) -> str:
    """Return `text` as `one_line` does, cut to at most `most` letters."""
    line = one_line(text[: most + 1])
    return line if len(text) <= most else f"{line[: most - 3]}..."


def say(console: Console, *lines: object, style: str | None = None) -> None:
    """Print each of `lines` literally on its own line, and leave wrapping to the terminal."""
    for line in lines:
        text = one_line(str(line))
        console.print(text, style=style, markup=False, emoji=False, highlight=False, soft_wrap=True)
