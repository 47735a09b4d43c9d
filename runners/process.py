"""A driver process: commands in, events out, both as JSON lines."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import proc
from ..driver.patience import Patience
from ..errors import UsageError, WaltaxError

Event = dict[str, Any]
_USAGE = 2  # the exit code of a driver that refuses its flags
_GRACE_S = 60.0  # how much longer than asked an answer may take


class DriverFailed(WaltaxError):
    """The driver reported an error or died; the message carries its last words."""


class Driver:
    """One running driver program. It dies with us, frozen or not.

    `log` receives its standard error; its last lines are quoted when it dies. `server_pid` is that
    of the server whose client it is: the one that hangs, perhaps, when it does not answer.
    """

    def __init__(
        self,
        name: str,
        argv: Sequence[str | Path],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
        server_pid: int | None = None,
    ) -> None:
        self.name = name
        self._server_pid = server_pid
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

    def ask(
        self, wanted: str, *, within_s: float, still_s: float | None = None, **command: object
    ) -> Event:
        """Send a command and wait for the event it is answered with."""
        self.send(**command)
        return self.wait_for(wanted, within_s=within_s, still_s=still_s)

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
        still_s: float | None = None,
        on_progress: Callable[[Event], None] = lambda _: None,
    ) -> Event:
        """The next event of this name.

        Errors: DriverFailed when the driver reports an error, dies, or tells nothing new for
        `within_s` and a minute, or for `still_s` in which nothing happens either: then it is
        killed, and the message names what hangs. UsageError when it refuses its flags.
        """
        silent_s = None if within_s is None else within_s + _GRACE_S
        pids = [self.pid, *([] if self._server_pid is None else [self._server_pid])]
        patience = Patience(silent_s, still_s, pids)
        while True:
            event = self._next_event(patience)
            patience.hear(event)
            if event["event"] == wanted:
                return event
            if event["event"] == "error":
                raise DriverFailed(f"{self.name}: {event['message']}")
            on_progress(event)

    def _next_event(self, patience: Patience) -> Event:
        while b"\n" not in self._buffer:
            ready = self._selector.select(patience.left_s())
            over = patience.over()
            if over is not None and not ready:
                what = self._what_hangs()
                self.kill()
                raise DriverFailed(f"{self.name}: {over}: {what}; it was killed")
            if not ready:
                continue
            assert self._child.stdout is not None
            piece = os.read(self._child.stdout.fileno(), 1 << 20)
            if not piece:
                raise self._died()
            self._buffer += piece
        line, self._buffer = self._buffer.split(b"\n", 1)
        event: Event = json.loads(line)
        return event

    def _what_hangs(self) -> str:
        """The driver, or its server: that which the kernel says is held up, else both."""
        processes = {"the driver": self.pid}
        if self._server_pid is not None:
            processes["the server"] = self._server_pid
        hung = {who: pid for who, pid in processes.items() if proc.hangs(pid)}
        return ", ".join(f"{who}, {proc.standing(pid)}" for who, pid in (hung or processes).items())

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
