"""What an engine's own log says about its recovery."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...base.errors import WaltaxError

_EVENT = "EVENT_LOG_v1 "  # the prefix of an event in RocksDB's LOG
_FLUSH = "flush_started"
_LOOK_S = 0.005
_BEGAN = re.compile(r"InnoDB: Starting crash recovery from checkpoint LSN=(\d+)")
_SCANNED = re.compile(r"InnoDB: End of log at LSN=(\d+)")
_ENDED = re.compile(r"InnoDB: log sequence number (\d+)")

Line = tuple[float, str]
"""A line of a log, and when it appeared, in seconds of time.monotonic."""


def rocksdb_s(log: str, name: Path) -> float:
    """Return the seconds from recovery_started to recovery_finished in the text of a LOG.

    Errors: WaltaxError, which calls it `name`, when it has no complete recovery.
    """
    at: dict[str, int] = {}
    for event in _events(log):
        at.setdefault(str(event.get("event")), event.get("time_micros", 0))
    try:
        return (at["recovery_finished"] - at["recovery_started"]) / 1e6
    except KeyError as error:
        raise WaltaxError(
            f"{name}: tells of no {error.args[0]}; was there a log to replay?"
        ) from None


def require_unflushed(log: str, name: Path) -> None:
    """Refuse the text of a LOG, called `name`, with flushed memtables. Errors: WaltaxError."""
    reasons = [
        str(event.get("flush_reason")) for event in _events(log) if event.get("event") == _FLUSH
    ]
    if reasons:
        raise WaltaxError(
            f"{name}: {len(reasons)} memtables were flushed before the kill ({reasons[0]}), whose "
            "log needs no replay; leave out what the profile sets of flushes"
        )


def _events(log: str) -> Iterator[dict[str, Any]]:
    for line in log.splitlines():
        _, marker, text = line.partition(_EVENT)
        if marker:
            try:
                event = json.loads(text)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


def innodb(lines: Sequence[Line], name: Path) -> tuple[float, int]:
    """Return the seconds of InnoDB's recovery, and the bytes of log after its checkpoint.

    Errors: WaltaxError, which calls the log `name`, when it has no complete recovery.
    """
    (began_s, checkpoint), (_, end), (ended_s, _) = (
        _first(lines, pattern, name) for pattern in (_BEGAN, _SCANNED, _ENDED)
    )
    return ended_s - began_s, end - checkpoint


def _first(lines: Sequence[Line], pattern: re.Pattern[str], name: Path) -> tuple[float, int]:
    for at_s, line in lines:
        if match := pattern.search(line):
            return at_s, int(match[1])
    raise WaltaxError(f"{name}: says no {pattern.pattern!r}; was there a log to replay?")


@contextlib.contextmanager
def heard(log: Path) -> Iterator[list[Line]]:
    """Yield the lines that a log gets meanwhile, timed to 5 ms (a server's stamps are seconds)."""
    lines: list[Line] = []
    over = threading.Event()

    def listen() -> None:
        rest, at = b"", 0
        while True:
            ends = over.is_set()  # still read what was written until now
            with contextlib.suppress(FileNotFoundError), log.open("rb") as file:
                file.seek(at)
                piece = file.read()
                at += len(piece)
                *whole, rest = (rest + piece).split(b"\n")
                lines.extend((time.monotonic(), text.decode(errors="replace")) for text in whole)
            if ends:
                return
            over.wait(_LOOK_S)

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        yield lines
    finally:
        over.set()
        listener.join()
