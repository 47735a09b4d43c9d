"""Turning a server's last words into an error that says what to do."""

from __future__ import annotations

import re
from pathlib import Path

from ...base.errors import UsageError, WaltaxError
from .binaries import VARIABLE, Binaries
from .settings import of_a_mode
from .spec import Spec

_LINES = 4  # of an error log that are quoted
_UNKNOWN = re.compile(r"unknown (?:variable|option) '(?:--)?([^'=]+)(?:=([^']*))?'")
_BAD = re.compile(
    r"(?:option|variable) '?([a-z_-]+)'?.*(?:can't be set to|argument required)|"
    r"Unknown suffix '.*' used for variable '([a-z_-]+)'|"
    r"Error while setting value '.*' to '([a-z_-]+)'"
)
_ADJUSTED = re.compile(r"option '([^']+)': \w+ value (\S+) adjusted to (\S+)")
_STAMP = re.compile(r"^\d{4}-\d\d-\d\d +\d+:\d\d:\d\d \d+ ")
_OURS = "waltax tap: "  # the tap's message when it ends a process


class ServerDied(WaltaxError):
    """A server died or did not start; the message carries its last words."""


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


def complaint(spec: Spec, server: Binaries, said: str, what: str) -> WaltaxError:
    """Return the error for a server that did not start, naming a setting that caused it.

    `said` are its last words.
    """
    match = _UNKNOWN.search(said) or _BAD.search(said)
    if match is not None:
        setting = next(group for group in match.groups() if group).replace("-", "_")
        return UsageError(
            f"{spec.name}: {server.mariadbd} {server.version} does not take the setting "
            f"{setting} ({said}); {_what_to_do(spec, setting)}"
        )
    return ServerDied(f"{spec.name}: {what}: {said}")


def _what_to_do(spec: Spec, setting: str) -> str:
    """Return advice: a setting is the profile's unless waltax sets it, always or for the mode."""
    if setting in spec.settings and not of_a_mode(spec.engine, setting):
        return "correct it in the profile"
    return (
        "waltax sets it on every server, so this release is not supported; "
        f"{VARIABLE}=/path/to/mariadbd names another"
    )


def require_unadjusted(spec: Spec, log: Path, begins: int) -> None:
    """Raise UsageError naming a setting whose value the server adjusted."""
    text = log.read_bytes()[begins:].decode(errors="replace")
    for name, given, taken in _ADJUSTED.findall(text):
        setting = name.replace("-", "_")
        if setting in spec.settings:
            raise UsageError(
                f"{spec.name}: the server takes {taken} and not {given} for {setting} "
                f"(told {spec.settings[setting]}); correct it in the profile"
            )
