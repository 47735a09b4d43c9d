"""The client of a driver program, which reads commands and writes events as JSON lines."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from ..base import proc
from ..base.errors import UsageError, WaltaxError
from .patience import STILL_S, Patience

Event = dict[str, Any]
_USAGE = 2  # the exit code of a driver that refuses its flags
_GRACE_S = 60.0  # how much longer than requested an answer may take
# A signal just before we begin to wait is handled only when the wait ends.
_LOOK_S = 1.0


class DriverFailed(WaltaxError):
    """The driver reported an error or died; the message carries its last words."""


class Driver:
    """One running driver program. It dies with us, frozen or not, and at the end of a `with`.

    A `name` begins each message about it; without one the driver is the only one that its user
    knows of, and its own words are the message. `log` keeps its standard error, whose last lines
    are quoted when it dies. `server_pids` are the processes of the servers whose client it is, one
    of which may be what hangs when the driver does not answer.
    """

    def __init__(
        self,
        name: str | None,
        argv: Sequence[str | Path],
        *,
        log: Path | None = None,
        env: Mapping[str, str] | None = None,
        server_pids: Sequence[int] = (),
    ) -> None:
        self._prefix = "" if name is None else f"{name}: "
        self._called = name or Path(argv[0]).name
        self._server_pids = server_pids
        # Open until the driver is released.
        self._stderr = log.open("w+b") if log else tempfile.TemporaryFile()  # noqa: SIM115
        pipe = subprocess.PIPE
        self._child = proc.launch(argv, env=env or {}, stdin=pipe, stdout=pipe, stderr=self._stderr)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._stdin, self._stdout = self._child.stdin, self._child.stdout
        os.set_blocking(self._stdout.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._buffer = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        return self._child.pid

    def send(self, **command: object) -> None:
        """Send a command. If the driver has ended, the next wait for an event fails."""
        with suppress(BrokenPipeError):
            self._stdin.write(json.dumps(command).encode() + b"\n")
            self._stdin.flush()

    def ask(self, wanted: str, *, within_s: float, **command: object) -> Event:
        """Send a command and return the event that answers it; see `wait_for`."""
        self.send(**command)
        return self.wait_for(wanted, within_s=within_s)

    def wait_for(
        self,
        wanted: str,
        *,
        within_s: float | None = None,
        still_s: float = STILL_S,
        on_progress: Callable[[Event], None] = lambda _: None,
    ) -> Event:
        """Return the next event named `wanted`; earlier ones go to `on_progress`.

        Errors: DriverFailed when the driver reports an error, ends, or tells nothing new for
        `within_s` and a minute, or else for `still_s` in which nothing happens either: then it is
        killed, and the message names what hangs. UsageError when it refuses its flags.
        """
        if within_s is not None:
            patience = Patience(within_s + _GRACE_S)
        else:
            patience = Patience(still_s, [self.pid, *self._server_pids])
        while (line := self._line(patience)) is not None:
            event: Event = json.loads(line)
            patience.hear(event)
            if event["event"] == "error":
                raise DriverFailed(f"{self._prefix}{event['message']}")
            if event["event"] == wanted:
                return event
            on_progress(event)
        raise self._died()

    def _line(self, patience: Patience) -> bytes | None:
        """Return the next line of its output; None at its end. Errors: DriverFailed if it hangs."""
        while b"\n" not in self._buffer:
            ready = self._selector.select(min(patience.left_s(), _LOOK_S))
            over = patience.over()
            if over is not None and not ready:
                raise self._hung(over)
            if not ready:
                continue
            piece = os.read(self._stdout.fileno(), 1 << 20)
            if not piece:
                return None
            self._buffer += piece
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line

    def _hung(self, over: str) -> DriverFailed:
        """Kill the driver, and return the error that says what hangs."""
        failed = DriverFailed(f"{self._called}: {over}: {self._what_hangs()}; it was killed")
        self.kill()
        return failed

    def _what_hangs(self) -> str:
        """Name the driver or its servers, whichever the kernel says is blocked; else all."""
        processes = {"the driver": self.pid}
        several = len(self._server_pids) > 1
        for number, pid in enumerate(self._server_pids):
            processes["the server" + f" of node {number}" * several] = pid
        hung = {who: pid for who, pid in processes.items() if proc.hangs(pid)}
        return ", ".join(f"{who}, {proc.standing(pid)}" for who, pid in (hung or processes).items())

    def _died(self) -> WaltaxError:
        code = self._child.wait()
        how = proc.how_ended(code)
        self._stderr.seek(0)
        words = proc.last_words(self._stderr.read().decode(errors="replace"))
        if code == _USAGE and words:
            return UsageError(words)
        if words and not self._prefix:
            return DriverFailed(words)
        return DriverFailed(f"{self._called}: the driver died ({how}): {words or 'silent'}")

    def check(self) -> dict[str, int]:
        """Have the driver verify the workload's invariants, and return how much it checked.

        Errors: DriverFailed naming the violations.
        """
        self.send(cmd="check")
        event = self.wait_for("check")
        if not event["ok"]:
            raise DriverFailed(f"the check found: {'; '.join(event['violations'][:3])}")
        return dict(event["counted"])

    def freeze(self) -> None:
        """Stop all its threads, RocksDB's background ones too. REQUIRES: no slice runs."""
        self._child.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._child.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Let the driver end by itself, or by force if it does not."""
        self.thaw()
        with suppress(BrokenPipeError):
            self._stdin.close()
        try:
            self._child.wait(timeout=_GRACE_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._release()

    def kill(self) -> None:
        self._child.kill()
        self._child.wait()
        self._release()

    def _release(self) -> None:
        self._selector.close()
        for file in (self._stdin, self._stdout, self._stderr):
            with suppress(BrokenPipeError):
                file.close()
