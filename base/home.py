"""Where waltax keeps what it makes: in its repository, or, installed, where its user is.

Only the standard library is imported, because `clean` runs without any other.
"""

from __future__ import annotations

import hashlib
import os
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
IS_INSTALLED = not (ROOT / "Makefile").exists()
"""Whether this is a package without its repository."""
SET_UP = "waltax doctor" if IS_INSTALLED else "make setup"
"""What to type when a program is missing."""
CALL = "waltax" if IS_INSTALLED else "make"
_BUILD_DIR = "WALTAX_BUILD_DIR"
_LETTERS = 12


def place(name: str) -> Path:
    """Return the default folder of `results`, `data` or `build`. Errors: OSError."""
    if name == "build" and (chosen := os.environ.get(_BUILD_DIR)):
        return (ROOT / chosen).absolute().parent
    if not IS_INSTALLED:
        return ROOT / name
    return Path.cwd() / name if name == "results" else _cache() / name


def shown(name: str) -> str:
    """Return what help says of that folder."""
    if not IS_INSTALLED:
        return f"{name}/ of the repository"
    return f"{name}/ here" if name == "results" else f"~/.cache/waltax/{name}"


def programs() -> Path:
    """Return the folder of the C++ programs: $WALTAX_BUILD_DIR, build/release, or in the cache.

    A package may bring them along. In the cache each installation has a folder of its own.
    """
    chosen = os.environ.get(_BUILD_DIR)
    built = ROOT / (chosen or "build/release")
    if chosen or not IS_INSTALLED or built.exists():
        return built
    files = metadata.distribution("waltax").read_text("RECORD") or ""
    return place("build") / hashlib.sha256(files.encode()).hexdigest()[:_LETTERS]


def commit() -> str:
    """Return the commit that this was packed from, "unknown", or "" in a repository."""
    packed = (ROOT / "base" / "commit.txt").read_text()
    if packed[0] != "$":  # git writes it when it exports the tree
        return packed[:_LETTERS]
    return "unknown" if IS_INSTALLED else ""


def _cache() -> Path:
    """Root's is where the user whom a program runs as can enter."""
    usual = Path("/var/cache") if os.geteuid() == 0 else Path.home() / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or usual) / "waltax"
