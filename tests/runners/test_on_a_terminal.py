"""A campaign on a terminal of 80 columns: its lines, Ctrl-C, and what stands last."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.drawn

Tiny = Callable[..., Path]
_COLUMNS, _MOST_LINES = 80, 12
_STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class OnTerminal:
    """A campaign whose controlling terminal is ours."""

    def __init__(self, argv: list[str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, _COLUMNS, 0, 0))
        kept = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            argv,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**kept, "TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self._arrived = b""

    def until(self, text: str, seconds: float = 120.0) -> None:
        """Read until the text has arrived. Fails when it does not, or the campaign ends before."""
        ends = time.monotonic() + seconds
        while text not in self.shown():
            assert time.monotonic() < ends, self.shown()
            assert self._read(1.0), self.shown()

    def close(self) -> None:
        """As who closes the window of the terminal."""
        os.close(self._ours)

    def type(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def rest(self) -> str:
        """All that was shown, when it has ended."""
        while self._read(120.0):
            pass
        self.process.wait(timeout=60)
        os.close(self._ours)
        return self.shown()

    def shown(self) -> str:
        text = _STYLES.sub("", self._arrived.decode(errors="replace"))
        return text.replace("\r\n", "\n").replace("\r", "")

    def _read(self, seconds: float) -> bool:
        """Whether there may be more."""
        if not select.select([self._ours], [], [], seconds)[0]:
            return seconds < 100
        try:
            piece = os.read(self._ours, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self._arrived += piece
        return bool(piece)


@pytest.fixture
def started(waltax: Any, tiny: Tiny) -> Iterator[OnTerminal]:
    """A campaign of a minute, some rounds after its begin."""
    found = OnTerminal(waltax.argv("--profile", tiny(time_budget_s="60.0")))
    found.until("session 1 round 2")
    yield found
    if found.process.poll() is None:
        found.process.kill()


@pytest.mark.parametrize("key", [b"\x03", b"\x1c"])
def test_ctrl_c_is_answered_at_once_and_the_verdict_the_hint_and_the_page_come_last(
    started: OnTerminal, waltax: Any, key: bytes
) -> None:
    assert re.search(r"by \d\d:\d\d\]  session 1 round 2, ", started.shown())
    started.type(key)
    started.until("finishing this slice, ")
    lines = started.rest().rstrip("\n").split("\n")
    assert started.process.returncode == 130
    begins = max(place for place, line in enumerate(lines) if line.startswith("LinkBench on "))
    last = lines[begins:]
    assert sum(1 + (len(line) - 1) // _COLUMNS for line in last) <= _MOST_LINES
    folder = os.path.relpath(waltax.folder())
    assert last[-1] == f"report: {folder}/report.html"
    assert last[-3] == "Continue with:"
    assert last[-2].endswith(f" -m waltax run --resume {folder}")
    assert Path(last[-1].removeprefix("report: ")).exists()


def test_a_second_ctrl_c_ends_it_at_once_and_leaves_the_hint(
    started: OnTerminal, waltax: Any
) -> None:
    os.kill(started.process.pid, 2)
    started.until("finishing this slice, ")
    os.kill(started.process.pid, 2)
    shown = started.rest()
    assert started.process.returncode == 130
    hint = shown.partition("Continue with:\n")[2]
    assert hint.split("\n")[0].endswith(f" run --resume {os.path.relpath(waltax.folder())}")


def test_a_terminal_that_is_closed_ends_it_with_its_report_however_often_that_is_told(
    started: OnTerminal, waltax: Any
) -> None:
    started.close()
    with contextlib.suppress(ProcessLookupError):
        os.kill(started.process.pid, signal.SIGHUP)
    assert started.process.wait(timeout=120) == 130
    assert (waltax.folder() / "report.html").exists()
