"""Plants, in front of the recorder, syncs that nobody carries out."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from waltax.crash.runs import recording
from waltax.devices import tap_preload

_SOURCE = """
int fsync(int fd) { (void)fd; return 0; }
int fdatasync(int fd) { (void)fd; return 0; }
"""


def swallow_syncs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every embedded run that is recorded from now on; `folder` keeps the library."""
    source, library = folder / "swallow.c", folder / "swallow.so"
    source.write_text(_SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)

    def planted(*arguments: Any) -> dict[str, str]:
        env = tap_preload.recorder_environment(*arguments)
        return env | {"LD_PRELOAD": f"{library}:{env['LD_PRELOAD']}"}

    monkeypatch.setattr(recording, "recorder_environment", planted)
