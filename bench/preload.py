"""Where the built tap is, and how to put it in front of a program."""

from __future__ import annotations

import os
from pathlib import Path


def build_dir() -> Path:
    """Return the CMake build folder: WALTAX_BUILD_DIR, else build/release beside the sources."""
    default = Path(__file__).parent.parent / "build" / "release"
    return Path(os.environ.get("WALTAX_BUILD_DIR", default)).absolute()


def tap_environment(wal_dir: Path, page: Path, model: Path | None = None) -> dict[str, str]:
    """Return this process's environment with the tap preloaded; no model means observe only."""
    environment = os.environ | {
        "LD_PRELOAD": str(build_dir() / "libwaltax_tap.so"),
        "WALTAX_TAP_WAL_DIR": str(wal_dir),
        "WALTAX_TAP_PAGE": str(page),
    }
    if model is not None:
        environment["WALTAX_TAP_MODEL"] = str(model)
    return environment
