"""`waltax serve` in folders of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import Serve
from with_server import MEMORY, open_folder


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Unlike pytest's own, it can be entered by the servers' user; and no disk is waited for."""
    with open_folder(MEMORY) as path:
        yield path


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    home = tmp_path / "home"
    home.mkdir()
    serve = Serve(home)
    yield serve
    serve.end()
