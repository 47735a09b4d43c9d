"""`waltax serve` in folders of its own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import Serve


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Unlike pytest's own, it can be entered by the servers' user."""
    path = Path(tempfile.mkdtemp(prefix="waltax-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    home = tmp_path / "home"
    home.mkdir()
    serve = Serve(home)
    yield serve
    serve.end()
