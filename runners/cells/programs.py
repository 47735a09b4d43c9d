"""Identify the programs that measured a slice, by a digest of each one's file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ...devices import tap_preload
from ...engines import ENGINES
from ...engines.builds import mapped_files
from ...engines.builds.build import Build
from ...row import Row
from .live import Live

_LETTERS = 12
TAP = "tap_digest"
NAMES = {TAP: "the tap", "driver_digest": "the driver program", "server_digest": "the server"}
"""What each column has a digest of."""


def digests(live: Live) -> dict[str, str]:
    """Return row columns: the digests of the tap's library, of the driver and of the server.

    A user's command has no driver of ours, an embedded engine no server, and a server that its
    owner runs no tap. A server's digest covers its program and the engine's plugin.
    """
    elsewhere = ENGINES[live.cell.engine].elsewhere
    columns = {} if elsewhere else {TAP: digest(tap_preload.library())}
    if live.argv:
        columns["driver_digest"] = digest(Path(live.argv[0]))
    if live.server is not None:
        columns["server_digest"] = digest(*live.server.program.files(live.cell.engine))
    return columns


def another(now: Mapping[str, Any], cell: str, rows: Sequence[Row]) -> str | None:
    """Say which program of a cell differs from the rows so far; None if all agree.

    `now` are digests by column. The tap is the same in all cells.
    """
    for name in NAMES.keys() & now.keys():
        others = (row for row in rows if name == TAP or row["cell"] == cell)
        kept = next((row[name] for row in others if row.get(name) is not None), now[name])
        if kept != now[name]:
            return (
                f"{NAMES[name]} is another than when it began ({name} {kept}, now {now[name]}): it "
                "was built or installed anew"
            )
    return None


def engine_columns(live: Live) -> dict[str, Any]:
    """Return row columns: the engine's files that its process mapped, and their sha256.

    There are none for a program that does not wait between slices. Errors: WaltaxError for a file
    that was replaced since.
    """
    seen = (
        None
        if live.engine_pid is None
        else mapped_files.of_process(live.engine_pid, live.cell.engine)
    )
    if seen is None:
        return {}
    return {"engine_files": dict(seen.files), "engine_linked_in": seen.linked_in}


def require_build(live: Live, build: Build | None, so_far: Sequence[Row]) -> None:
    """Raise WaltaxError if the process does not contain the build that its cell names, or if the
    build differs from the rows `so_far` of the cell.
    """
    if build is None:
        return
    assert live.engine_pid is not None
    seen = mapped_files.of_process(live.engine_pid, live.cell.engine)
    rows = (row for row in so_far if row["cell"] == live.cell.id)
    before = next((row["engine_files"] for row in rows if row.get("engine_files")), None)
    mapped_files.require(build, seen, before)


def digest(*files: Path) -> str:
    """Return a digest of the files' bytes, in their order. Errors: OSError."""
    stats = [(str(file), file.stat()) for file in files]
    return _of_files(tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats))


@cache
def _of_files(files: tuple[tuple[str, int, int], ...]) -> str:
    """Digest files; read one only once until it is written anew."""
    content = hashlib.sha256()
    for name, _, _ in files:
        with Path(name).open("rb") as file:
            content.update(hashlib.file_digest(file, "sha256").digest())
    return content.hexdigest()[:_LETTERS]
