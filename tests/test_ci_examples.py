"""The examples for CI: the device holds every sync still, and the gate's script keeps its order."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from waltax import devices

EXAMPLES = Path(__file__).parent.parent / "ci-examples"
_STAND_IN = """#!/bin/sh
[ "$1" != compare ] || exit 3
while [ "$1" != --results ]; do shift; done
mkdir -p "$2/campaign"; cp program "$2/campaign"
"""


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def test_every_sync_of_the_device_takes_the_same_time() -> None:
    device = devices.load(EXAMPLES / "steady.toml")
    assert device.model is not None
    (row,) = device.model.sync
    assert len(set(row.quantiles_us.values())) == 1


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A program of two revisions; the newer one is checked out."""
    folder = tmp_path / "repository"
    folder.mkdir()
    _git(folder, "init", "-q")
    for text in ("old", "new"):
        (folder / "source").write_text(text)
        _git(folder, "add", "source")
        _git(folder, "commit", "-qm", text)
    return folder


def test_each_revision_is_built_and_measured_and_the_gate_s_exit_code_is_the_script_s(
    repository: Path, tmp_path: Path
) -> None:
    waltax = tmp_path / "waltax"
    waltax.write_text(_STAND_IN)
    waltax.chmod(0o755)
    words = ["HEAD~1", "HEAD", "cp source program", "*.wal", "./program"]
    env = {**os.environ, "WALTAX": str(waltax), "WALTAX_OUT": str(tmp_path / "out")}
    done = subprocess.run([EXAMPLES / "gate.sh", *words], cwd=repository, env=env, check=False)
    assert done.returncode == 3
    kept = [(tmp_path / "out" / side / "campaign/program").read_text() for side in ("base", "new")]
    assert kept == ["old", "new"]
