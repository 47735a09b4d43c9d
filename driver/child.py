"""One driver process of the command line: commands in, events out, dead when we are."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from .. import proc
from ..errors import UsageError, WaltaxError
from .patience import Patience


class Child:
    """A running driver."""

    def __init__(self, argv: Sequence[str], stderr: IO[bytes]) -> None:
        self._program = Path(argv[0]).name
        pipe = subprocess.PIPE
        self._process = proc.launch(argv, stdin=pipe, stdout=pipe, stderr=stderr)
        self._stderr = stderr
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout

    def send(self, **command: object) -> None:
        """Send one command; a driver that is gone says so in its events."""
        with suppress(BrokenPipeError):
            self._stdin.write(json.dumps(command).encode() + b"\n")
            self._stdin.flush()

    def events(self, still_s: float | None = None) -> Iterator[dict[str, Any]]:
        """Events up to the end of the driver.

        Errors: WaltaxError for an `error` event or an exit code other than 0, with the
        driver's own words, and when nothing happens for `still_s` seconds; UsageError when it
        refused its flags.
        """
        patience = Patience(None, still_s, [self._process.pid])
        for line in self._lines(patience):
            event = json.loads(line)
            patience.hear(event)
            if event["event"] == "error":
                raise WaltaxError(event["message"])
            yield event
        code = self._process.wait()
        if code != 0:
            raise (UsageError if code == 2 else WaltaxError)(self._last_words(code))

    def _lines(self, patience: Patience) -> Iterator[bytes]:
        """Whole ones, as they come. Errors: WaltaxError naming what hangs."""
        rest, output = b"", self._stdout.fileno()
        while True:
            if not select.select([output], [], [], patience.left_s())[0]:
                over = patience.over()
                if over is not None:
                    raise WaltaxError(
                        f"{self._program}: {over}: {proc.standing(self._process.pid)}"
                    )
                continue
            piece = os.read(output, 1 << 20)
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines
            if not piece:
                return

    def end(self) -> None:
        """Kill it unless it ended by itself."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        with suppress(BrokenPipeError):
            self._stdin.close()
        self._stdout.close()

    def _last_words(self, code: int) -> str:
        self._stderr.seek(0)
        words = self._stderr.read().decode(errors="replace").strip()
        how = proc.how_ended(code)
        return words or f"{self._program}: the driver died without a word: {how}"


@contextmanager
def running(argv: Sequence[str]) -> Iterator[Child]:
    """A driver for the length of a `with`."""
    with tempfile.TemporaryFile() as stderr:
        child = Child(argv, stderr)
        try:
            yield child
        finally:
            child.end()
