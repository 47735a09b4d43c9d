"""A client that knows of each statement whether it was answered: MariaDB's own, line by line."""

from __future__ import annotations

import subprocess
from types import TracebackType

from ... import proc
from ...errors import WaltaxError
from ...mariadb import account
from ...mariadb.server import Server

_ANSWERED = "answered"


class Lost(WaltaxError):
    """The statement was not answered, or refused; the message has the client's words."""


class Client:
    """A connection to a server's database `waltax`. Use from one thread, within `with`."""

    def __init__(self, server: Server) -> None:
        argv = ["mariadb", "--no-defaults", "--unbuffered", "--skip-column-names", "--batch"]
        argv += [f"--socket={server.socket}", f"--user={server.user}", account.DATABASE]
        pipe = subprocess.PIPE
        self._child = proc.launch(argv, stdin=pipe, stdout=pipe, stderr=pipe)

    def ask(self, statement: str) -> None:
        """Run a statement without a result. Errors: Lost."""
        child = self._child
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            child.stdin.write(f"{statement};\nSELECT '{_ANSWERED}';\n".encode())
            child.stdin.flush()
        except OSError:
            raise Lost(child.stderr.read().decode(errors="replace").strip()) from None
        if child.stdout.readline().decode().strip() != _ANSWERED:
            raise Lost(child.stderr.read().decode(errors="replace").strip())

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
