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
    # A control character, a byte that is no UTF-8, or what a server shows as a question mark.
    strange = next((c for c in str(path) if not c.isprintable() or c > "\uffff"), None)
    if wrong is None and strange is not None:
        wrong = f"the character {strange!r}, which a server cannot be told"
    if wrong is not None:
        raise UsageError(f"{str(path)!r}: has {wrong}; choose a directory without it with {flag}")
