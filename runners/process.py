"""A driver process: commands in, events out, both as JSON lines."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import proc
from ..errors import UsageError, WaltaxError

Event = dict[str, Any]
_USAGE = 2  # the exit code of a driver that refuses its flags
_GRACE_S = 60.0  # how much longer than asked an answer may take


class DriverFailed(WaltaxError):
    """The driver reported an error or died; the message carries its last words."""


class Driver:
    """One running driver program. It dies with us, frozen or not.

    `log` receives its standard error; its last lines are quoted when it dies.
    """

    def __init__(
        self,
        name: str,
        argv: Sequence[str | Path],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self._log = log
        with log.open("wb") as stderr:
            pipe = subprocess.PIPE
            self._child = proc.launch(argv, env=env or {}, stdin=pipe, stdout=pipe, stderr=stderr)
        assert self._child.stdout is not None
        os.set_blocking(self._child.stdout.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._child.stdout, selectors.EVENT_READ)
        self._buffer = b""

    @property
    def pid(self) -> int:
        return self._child.pid

    def ask(self, wanted: str, *, within_s: float, **command: object) -> Event:
        """Send a command and wait for the event it is answered with."""
        self.send(**command)
        return self.wait_for(wanted, within_s=within_s)

    def send(self, **command: object) -> None:
        """Send a command. Errors: DriverFailed when the driver is gone."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(command).encode() + b"\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            raise self._died() from None

    def wait_for(
        self,
        wanted: str,
        *,
        within_s: float | None = None,
        on_progress: Callable[[Event], None] = lambda _: None,
    ) -> Event:
        """The next event of this name.

        Errors: DriverFailed when the driver reports an error, dies, or keeps silent for
        `within_s` and a minute; UsageError when it refuses its flags.
        """
        deadline = None if within_s is None else time.monotonic() + within_s + _GRACE_S
        while True:
            event = self._next_event(deadline)
            if event["event"] == wanted:
                return event
            if event["event"] == "error":
                raise DriverFailed(f"{self.name}: {event['message']}")
            on_progress(event)

    def _next_event(self, deadline: float | None) -> Event:
        while b"\n" not in self._buffer:
            left = None if deadline is None else deadline - time.monotonic()
            if not self._selector.select(left):
                self.kill()
                raise DriverFailed(f"{self.name}: no answer in time; it was killed")
            assert self._child.stdout is not None
            piece = os.read(self._child.stdout.fileno(), 1 << 20)
            if not piece:
                raise self._died()
            self._buffer += piece
        line, self._buffer = self._buffer.split(b"\n", 1)
        event: Event = json.loads(line)
        return event

    def _died(self) -> WaltaxError:
        code = self._child.wait()
        how = proc.how_ended(code)
        words = self._log.read_text(errors="replace").strip().splitlines()[-3:]
        if code == _USAGE:
            return UsageError(" | ".join(words))
        return DriverFailed(
            f"{self.name}: the driver died ({how}): {' | '.join(words) or 'silent'}"
        )

    def freeze(self) -> None:
        """Stop all its threads, RocksDB's background ones too. REQUIRES: no slice runs."""
        self._child.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._child.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Let it end by itself, and by force if it does not."""
        self.thaw()
        with contextlib.suppress(BrokenPipeError):
            assert self._child.stdin is not None
            self._child.stdin.close()
        try:
            self._child.wait(timeout=_GRACE_S)
        except Exception:
            self.kill()
        self._release()

    def kill(self) -> None:
        self._child.kill()
        self._child.wait()
        self._release()

    def _release(self) -> None:
        self._selector.close()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
