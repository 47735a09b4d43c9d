"""Examining named builds before anything is made."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...base.errors import UsageError
from .. import ENGINES
from . import rocksdb, server
from .build import Build
from .build_names import Named

_ALONE = ("ROCKSDB_ROOT", "MARIADBD")


def look(engine: str, builds: Sequence[Named]) -> dict[str, Build]:
    """Return the named builds by their names, without making anything.

    Errors: UsageError for a repeated name, for anything but a build of `engine`, and when a
    variable already names a build for all cells.
    """
    if not builds:
        return {}
    set_too = next((name for name in _ALONE if os.environ.get(name)), None)
    if set_too is not None:
        raise UsageError(
            f"--build: found {set_too}={os.environ[set_too]} as well, which names one build for "
            f"all cells; leave {set_too} out, or give it a name of its own: --build base=DIR"
        )
    names = [build.name for build in builds]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"--build: found {twice} twice; give each build a name of its own")
    of = server.look if ENGINES[engine].on_server else rocksdb.look
    return {build.name: of(build, engine) for build in builds}
