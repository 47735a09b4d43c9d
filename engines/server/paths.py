"""Rejecting paths that a MariaDB server cannot handle before anything is made.

Spaces, quotes, apostrophes, `#`, backslashes and letters of any language work, in both engines.
"""

from __future__ import annotations

from pathlib import Path

from ...base.errors import UsageError

_REFUSED = {
    ":": "a colon, at which MariaDB divides lists of directories",
    ";": "a semicolon, at which MariaDB and the loader of libraries divide lists",
    " --": "a blank before dashes, which MariaDB's program that makes data directories takes "
    "for an option",
}


def require_plain(path: Path, flag: str = "--data-dir") -> None:
    """Raise UsageError naming what a server cannot handle in `path`, which `flag` sets."""
    wrong = next((why for what, why in _REFUSED.items() if what in str(path)), None)
    wrong = wrong or _of_its_letters(str(path))
    if wrong is not None:
        raise UsageError(f"{str(path)!r}: has {wrong}; choose a directory without it with {flag}")


def _of_its_letters(path: str) -> str | None:
    for letter in path:
        if not letter.isprintable() and letter != " ":
            if "\udc80" <= letter <= "\udcff":
                return f"a byte {ord(letter) - 0xDC00:#x} that is no UTF-8"
            return f"a control character ({letter!r})"
        if letter > "\uffff":
            return f"the letter {letter}, which a server shows as a question mark"
    return None
