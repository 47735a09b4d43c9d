"""`waltax try` as a user types it, with programs of a few lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from waltax.profiles.model import FOLDER

_TIMING = {"min_sessions": 1, "time_budget_s": 0.001, "target_half_width": 0.5}

# Appends to wal/log and syncs it, as often as the first argument says; then syncs a table once.
WRITER = """\
import os, sys
os.makedirs("wal", exist_ok=True)
log = os.open("wal/log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for _ in range(int(sys.argv[1])):
    os.write(log, bytes(100))
    os.fsync(log)
table = os.open("table", os.O_WRONLY | os.O_CREAT)
os.write(table, bytes(5000))
os.fsync(table)
print("rows:", sys.argv[1])
"""

# A process for each connection appends what it is sent to a log, which another process syncs
# before the connection is closed, unless the first argument says otherwise. The first process, on
# the socket $WALTAX_SOCKETS/s, says when it is asked to end.
SERVER = """\
import os, pathlib, signal, socket, sys
def listen(name):
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(f"{os.environ['WALTAX_SOCKETS']}/{name}")
    listening.listen()
    return listening
def end(*_):
    pathlib.Path(os.environ["WALTAX_HERE"], "ended").touch()
    sys.exit()
log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
to_sync = listen("to_sync")
if os.fork() == 0:
    while True:
        asked, _ = to_sync.accept()
        if sys.argv[1] == "sync":
            os.fsync(log)
        asked.close()
signal.signal(signal.SIGTERM, end)
listening = listen("s")
while True:
    asked, _ = listening.accept()
    if os.fork() == 0:
        os.write(log, asked.recv(100))
        synced = socket.socket(socket.AF_UNIX)
        synced.connect(os.environ["WALTAX_SOCKETS"] + "/to_sync")
        synced.recv(1)
        os._exit(0)
    asked.close()
"""

LOAD = """\
import os, socket
acks = os.open(os.environ["WALTAX_ACKS"], os.O_WRONLY | os.O_APPEND)
for number in range(20):
    item = b"item %d\\n" % number
    asked = socket.socket(socket.AF_UNIX)
    asked.connect(os.environ["WALTAX_SOCKETS"] + "/s")
    asked.send(item)
    asked.recv(1)
    os.write(acks, item)
print("answers: 20")
"""


# Inserts rows by SQLite in the synchronous mode of the first argument, and acknowledges each.
ACKS = """\
import os, sqlite3, sys
db = sqlite3.connect("t.db", isolation_level=None)
db.execute(f"pragma synchronous = {sys.argv[1]}")
acks = os.open(os.environ["WALTAX_ACKS"], os.O_WRONLY | os.O_APPEND)
for i in range(60):
    db.execute("insert into t values (?)", (f"row {i}",))
    os.write(acks, b"row %d\\n" % i)
"""


class Try:
    """The command, with folders of its own and programs to run."""

    def __init__(self, home: Path) -> None:
        self.home, self.results, self.work = home, home / "results", home / "data"
        (home / "tiny.toml").write_text(_profile())
        for name, text in {"writer": WRITER, "server": SERVER, "load": LOAD, "acks": ACKS}.items():
            (home / f"{name}.py").write_text(text)

    def python(self, name: str, *words: object) -> str:
        """Return the shell's line that runs one of the programs."""
        return " ".join(map(str, (sys.executable, self.home / f"{name}.py", *words)))

    def run(
        self, *words: object, stdin: int = subprocess.DEVNULL
    ) -> subprocess.CompletedProcess[str]:
        """Run it to its end."""
        argv = [*self.argv, f"--data-dir={self.work}", *map(str, words)]
        return subprocess.run(
            argv, stdin=stdin, cwd=self.home, capture_output=True, text=True, check=False
        )

    def measure(self, *words: object, log: str = "wal/") -> subprocess.CompletedProcess[str]:
        """Measure one session of two rounds on nvme."""
        return self.run(
            *(f"--log={log}", "--device=nvme", "--sessions=1", "--rounds=2", "--share-machine"),
            *(f"--results={self.results}", f"--profile={self.home / 'tiny.toml'}", *words),
        )

    @property
    def argv(self) -> list[str]:
        return [sys.executable, "-m", "waltax", "try"]

    @property
    def folder(self) -> Path:
        """The only campaign's."""
        (found,) = self.results.iterdir()
        return found


def _profile() -> str:
    """The shipped `ci`, whose campaigns end after one session."""
    text = (FOLDER / "ci.toml").read_text().replace('name = "ci"', 'name = "tiny-try"')
    for name, value in _TIMING.items():
        text = re.sub(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
    return text
