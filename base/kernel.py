"""Reading /proc and /sys, where every fact about a device comes from.

With another `root`, a recorded tree is read like the live one, so that stacks which this machine
lacks can be tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kernel:
    """The files of one machine; its methods take absolute paths below `root`."""

    root: Path = Path("/")

    def read(self, path: str) -> str | None:
        """Return the file's text without surrounding white space, None if it cannot be read."""
        try:
            return self.at(path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None

    def entries(self, path: str) -> tuple[str, ...]:
        """Return the sorted names in a directory, none if it cannot be read."""
        try:
            return tuple(sorted(entry.name for entry in self.at(path).iterdir()))
        except OSError:
            return ()

    def exists(self, path: str) -> bool:
        """Return whether the path exists; an inaccessible one counts as absent."""
        try:
            return self.at(path).exists()
        except OSError:
            return False

    def realpath(self, path: str) -> str:
        """Return the absolute path with links followed, as seen inside `root`."""
        inside = self.at(path).resolve().relative_to(self.root.resolve())
        return str("/" / inside)

    def at(self, path: str) -> Path:
        """Return where the path is on this machine."""
        return self.root / path.lstrip("/")
