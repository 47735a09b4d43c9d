"""Reading /proc and /sys, where every fact about a device comes from.

With another `root`, a recorded tree is read like the live one, so that stacks which this machine
lacks can be tested.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kernel:
    """The files of one machine; its methods take absolute paths below `root`."""

    root: Path = Path("/")

    def read(self, path: str) -> str | None:
        """Return the file's text without surrounding white space, None if it cannot be read."""
        try:
            return self._below(path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None

    def entries(self, path: str) -> tuple[str, ...]:
        """Return the sorted names in a directory, none if it cannot be read."""
        try:
            return tuple(sorted(entry.name for entry in self._below(path).iterdir()))
        except OSError:
            return ()

    def exists(self, path: str) -> bool:
        """Return whether the path exists; an inaccessible one counts as absent."""
        try:
            return self._below(path).exists()
        except OSError:
            return False

    def is_directory(self, path: str) -> bool:
        """Return whether the path is an accessible directory, following links."""
        try:
            return self._below(path).is_dir()
        except OSError:
            return False

    def realpath(self, path: str) -> str:
        """Return the absolute path with links followed, as seen inside `root`."""
        inside = self._below(path).resolve().relative_to(self.root.resolve())
        return str("/" / inside)

    def device_number(self, path: str) -> str:
        """Return the number of the device that the path is on. Errors: OSError."""
        return str(self._below(path).stat().st_dev)

    def inode(self, path: str) -> str:
        """Return the file's number on its file system. Errors: OSError."""
        return str(self._below(path).stat().st_ino)

    def file_system_id(self, path: str) -> str:
        """Return the id of statfs(2), "0" where the file system has none. Errors: OSError."""
        return f"{os.statvfs(self._below(path)).f_fsid:x}"

    def _below(self, path: str) -> Path:
        return self.root / path.lstrip("/")
