"""A server's last words."""

from __future__ import annotations

import re
from pathlib import Path

from ...base.errors import UsageError, WaltaxError

_LINES = 4  # of an error log that are quoted
_STAMP = re.compile(r"^\d{4}-\d\d-\d\d +\d+:\d\d:\d\d \d+ ")
_OURS = "waltax tap: "  # the tap's message when it ends a process


class ServerDied(WaltaxError):
    """A server died or did not start; the message carries its last words."""


def at_start(message: str) -> WaltaxError:
    """Return the error of a server that did not start: the user's, if it knows no such setting."""
    refused = "unknown variable" in message or "unknown option" in message
    return UsageError(message) if refused else ServerDied(message)


def last_words(log: Path, begins: int = 0) -> str:
    """Return the most relevant part of an error log: its last errors, or else its last lines.

    Everything before the byte `begins` is from an earlier server.
    """
    try:
        text = log.read_bytes()[begins:].decode(errors="replace")
    except OSError:
        return "silent"
    lines = [_STAMP.sub("", line.strip()) for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "[ERROR]" in line or line.startswith(_OURS)]
    # "Aborting" alone says nothing.
    telling = [line for line in errors if not line.endswith(("[ERROR] Aborting", "Aborted"))]
    return " | ".join((telling or lines)[-_LINES:]) or "silent"
