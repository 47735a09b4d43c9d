"""What of the user's environment does not reach the programs that are measured."""

from __future__ import annotations

import os

# Set anew for every driver and server: they load the tap, and nothing before it.
_TAKEN = ("LD_PRELOAD", "LD_LIBRARY_PATH")


def dropped() -> list[str]:
    """Return a sentence for each variable whose value here is replaced there, and what to do."""
    return [
        f"{name}={os.environ[name]} reaches no driver and no server that is measured: the tap "
        f"is put in its place; unset {name} to run without this warning"
        for name in _TAKEN
        if os.environ.get(name)
    ]
