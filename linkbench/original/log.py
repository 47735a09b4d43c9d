"""Log lines as the original's logger lays them out, on the terminal and in a file."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from typing import IO

from ...printable import one_line

_NAMES = {logging.INFO: "INFO", logging.WARNING: "WARN", logging.ERROR: "ERROR"}


def line(level: int, message: str, thread: str, now: datetime) -> str:
    """Return one line: level, time with milliseconds, thread, message."""
    stamp = f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d}"
    return f"{_NAMES[level]} {stamp} [{thread}]: {message}"


class Log:
    """A log on standard error, or in a file; then only its warnings are on standard error, too."""

    def __init__(self, level: int, file: IO[str] | None = None) -> None:
        self._level = level
        self._file = file

    def info(self, message: str, *, thread: str = "main") -> None:
        self._write(logging.INFO, message, thread)

    def warn(self, message: str, *, thread: str = "main") -> None:
        self._write(logging.WARNING, message, thread)

    def error(self, message: str, *, thread: str = "main") -> None:
        self._write(logging.ERROR, message, thread)

    def _write(self, level: int, message: str, thread: str) -> None:
        if level < self._level:
            return
        text = one_line(line(level, message, thread, datetime.now()))
        if self._file is not None:
            print(text, file=self._file, flush=True)
        if self._file is None or level >= logging.WARNING:
            print(text, file=sys.stderr, flush=True)
