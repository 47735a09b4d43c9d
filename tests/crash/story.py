"""Logs made by hand, for the cutter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from waltax.crash.cutter import history, state
from waltax.crash.cutter.history import History
from waltax.crash.cutter.state import Cut
from waltax.crash.log import Call, Kind, Log

ROOT = Path("/recorded")


class Story:
    """Calls on files of ROOT, one after the other; each takes 10 ns.

    `before` is what was there at the start. A file's number is given out by `create`, or when it
    is first used.
    """

    def __init__(self, room: Path, before: Mapping[str, bytes] | None = None) -> None:
        self._room = room
        self._start = room / "start"
        self._start.mkdir()
        for name, content in (before or {}).items():
            (self._start / name).parent.mkdir(exist_ok=True)
            (self._start / name).write_bytes(content)
        self._calls: list[Call] = []
        self._acks: list[Call] = []
        self._files: dict[str, int] = {}
        self.now = 0
        self._states = 0

    def call(self, kind: Kind, name: str = "", *, file: str = "", **fields: Any) -> Call:
        """Add a call. `ends` is when it returned, if not after 10 ns; -1 for never."""
        begin = self.now + 1
        self.now = begin + 10
        ends: int = fields.pop("ends", self.now)
        values: dict[str, Any] = {"flags": 0, "offset": 0, "length": 0, "other": ""}
        values["data"] = memoryview(b"")
        made = Call(
            kind=kind,
            begin=begin,
            end=None if ends < 0 else ends,
            thread=1,
            file=self._number(file) if file else 0,
            text=str(ROOT / name) if name else "",
            **(values | fields),
        )
        (self._acks if kind == Kind.ACK else self._calls).append(made)
        return made

    def _number(self, name: str) -> int:
        if name not in self._files:
            self._files[name] = len(self._files) + 1
            self.call(Kind.FILE, name, file=name)
        return self._files[name]

    def create(self, name: str) -> None:
        self._files[name] = len(self._files) + 1
        self.call(Kind.CREATE, name, file=name)

    def write(self, file: str, offset: int, data: bytes, **fields: Any) -> Call:
        what: dict[str, Any] = {"offset": offset, "length": len(data), "data": memoryview(data)}
        return self.call(Kind.WRITE, file=file, **what, **fields)

    def sync(self, file: str, **fields: Any) -> Call:
        return self.call(Kind.SYNC, file=file, **fields)

    def fdatasync(self, file: str) -> Call:
        return self.sync(file, flags=1)

    def sync_folder(self, name: str = ".") -> Call:
        return self.call(Kind.SYNC_DIR, name)

    def rename(self, old: str, new: str) -> None:
        self.call(Kind.RENAME, old, other=str(ROOT / new))
        if old in self._files:
            self._files[new] = self._files.pop(old)

    def acknowledge(self, line: bytes) -> None:
        self.call(Kind.ACK, file="", data=memoryview(line), length=len(line))

    @property
    def log(self) -> Log:
        return Log((ROOT,), tuple(self._calls), tuple(self._acks))

    @property
    def history(self) -> History:
        return history.of(self.log, {ROOT: self._start})

    @property
    def last(self) -> Path:
        """The folder of the last state."""
        return self._room / f"state{self._states - 1}"

    def after(
        self, strategy: str, names: str = "journal", *, seed: int = 0, moment: int | None = None
    ) -> dict[str, bytes]:
        """What the state of a cut holds; without a moment, of one after all calls."""
        self._states += 1
        at = self.now if moment is None else moment
        state.write(self.history, Cut(at, strategy, names, seed), {ROOT: self.last})
        return contents(self.last)


def contents(folder: Path) -> dict[str, bytes]:
    """Each file below it, by its path from there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
