"""A running server: started, frozen, stopped, and never left behind."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping

import psutil

from ...base import proc
from .. import ENGINES
from . import account, binaries
from .binaries import Binaries
from .failures import ServerDied, at_start, last_words
from .spec import Spec, make_folders, write_config

__all__ = ["Server", "ServerDied", "Spec", "running"]

START_S = 60.0
"""How long a start may take, including recovery of a crashed data directory."""
STOP_S = 300.0
"""How long a clean shutdown may take before the server is killed."""
_LOOK_S = 0.01  # between two looks at a server that starts
_GREETS_S = 1.0  # how long a server may take to greet a client


class Server:
    """One server process. Its methods may be called in any state; use from one thread."""

    def __init__(
        self, spec: Spec, child: subprocess.Popen[bytes], program: Binaries, log_begins: int
    ) -> None:
        self.spec = spec
        self.pid = child.pid
        self.socket = spec.socket_path
        self.error_log = spec.error_log
        self.program = program
        self._log_begins = log_begins
        self._child = child

    @property
    def user(self) -> str:
        """The account's name, which is the system's name of our user."""
        return account.user()

    def freeze(self) -> None:
        """Stop all threads, including background threads."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def shutdown(self) -> None:
        """Shut the server down cleanly and wait for it.

        Errors: ServerDied when it does not end in time or ends badly; it is gone then.
        """
        self.thaw()
        self._signal(signal.SIGTERM)
        try:
            code = self._child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()
            stopped = f"did not shut down in {STOP_S:.0f} s and was killed"
            raise ServerDied(self._message(stopped)) from None
        if code != 0:
            raise ServerDied(self._message(f"shut down badly ({self._how()})"))

    def kill(self) -> None:
        """Kill the server, as a crash would, and wait until it is gone."""
        self._signal(signal.SIGKILL)
        self._child.wait()

    def is_alive(self) -> bool:
        return self._child.poll() is None

    def require_alive(self) -> None:
        """Raise ServerDied with its name, how it died, and its last words, unless it is alive."""
        if not self.is_alive():
            raise ServerDied(self._message(f"the server died ({self._how()})"))

    def cpu_s(self) -> tuple[float, float]:
        """Return the user and system CPU time of all threads so far, in seconds (to 10 ms)."""
        self.require_alive()
        used = psutil.Process(self.pid).cpu_times()
        return used.user, used.system

    def engine_version(self) -> str:
        """Return the release of the built-in RocksDB ("6.29.5"), or else the server's."""
        info_log = ENGINES[self.spec.engine].served.version_in
        if info_log is None:
            return self.program.version
        log = self.spec.datadir / info_log
        match = re.search(r"RocksDB version: ([\d.]+)", log.read_text(errors="replace"))
        if match is None:
            raise ServerDied(f"{self.spec.name}: {log} does not tell RocksDB's version")
        return match.group(1)

    def wait_ready(self, start_s: float) -> None:
        """Wait until the server greets a client. Errors: as `running`."""
        deadline = time.monotonic() + start_s
        while not self._greets():
            if not self.is_alive():
                raise at_start(self._message(f"the server died while it started ({self._how()})"))
            if time.monotonic() > deadline:
                raise ServerDied(self._message(f"the server was not ready in {start_s:.0f} s"))
            time.sleep(_LOOK_S)

    def _greets(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
            client.settimeout(_GREETS_S)
            client.connect(str(self.socket))
            return bool(client.recv(1))
        return False

    def release(self) -> None:
        """Kill the server if it is alive, and release its resources."""
        self.kill()
        self.socket.unlink(missing_ok=True)

    def _signal(self, number: signal.Signals) -> None:
        # Popen sends nothing to a child it has waited for, whose pid may be another's.
        self._child.send_signal(number)

    def _how(self) -> str:
        return proc.how_ended(self._child.wait())

    def _message(self, what: str) -> str:
        return f"{self.spec.name}: {what}: {self._last_words()}"

    def _last_words(self) -> str:
        return last_words(self.error_log, self._log_begins)


@contextlib.contextmanager
def running(
    spec: Spec, *, env: Mapping[str, str] | None = None, start_s: float | None = None
) -> Iterator[Server]:
    """Start a server on an existing data directory; kill it at the end if it still runs.

    It runs as this user. The kernel kills it when this process dies for any reason. `env` is added
    to its environment. A start may take `start_s`, by default `START_S`. Errors: UsageError for a
    setting or a path that it cannot use; ServerDied when it dies or is not ready in time. Both name
    `spec.name`.
    """
    program = binaries.find(spec.engine, spec.mariadbd)
    make_folders(spec)
    write_config(spec, program)
    # A server that is started again appends to its log.
    log_begins = spec.error_log.stat().st_size if spec.error_log.exists() else 0
    with spec.error_log.open("ab") as log:
        argv = [str(program.mariadbd), f"--defaults-file={spec.config}"]
        child = proc.launch(argv, stdout=log, stderr=log, cwd=spec.home, env=env or {})
    server = Server(spec, child, program, log_begins)
    try:
        server.wait_ready(START_S if start_s is None else start_s)
        yield server
    finally:
        server.release()
