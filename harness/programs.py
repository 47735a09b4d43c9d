"""With which programs a slice was measured: a digest of each one's file."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ..devices import tap_preload
from ..engines import ENGINES
from .live import Live

_LETTERS = 12
TAP = "tap_digest"
NAMES = {TAP: "the tap", "driver_digest": "the driver program", "server_digest": "the server"}
"""What the digest of each column is of."""


def digests(live: Live) -> dict[str, str]:
    """Row columns: the digests of the tap's library, of the driver and of the server.

    A user's command has no driver of ours, and an embedded engine no server. A server's digest is
    of its program and of the engine's plugin.
    """
    columns = {TAP: _digest(tap_preload.library())}
    if live.argv:
        columns["driver_digest"] = _digest(Path(live.argv[0]))
    if live.server is not None:
        program, plugin = live.server.program, ENGINES[live.cell.engine].served.plugin
        files = [program.mariadbd, *([program.plugin_dir / plugin] if plugin else [])]
        columns["server_digest"] = _digest(*files)
    return columns


def _digest(*files: Path) -> str:
    stats = [(str(file), file.stat()) for file in files]
    return _of_files(tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats))


@cache
def _of_files(files: tuple[tuple[str, int, int], ...]) -> str:
    """Read once as long as a file is not written anew."""
    content = hashlib.sha256()
    for name, _, _ in files:
        with Path(name).open("rb") as file:
            content.update(hashlib.file_digest(file, "sha256").digest())
    return content.hexdigest()[:_LETTERS]
