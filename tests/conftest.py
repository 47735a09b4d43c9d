"""For all rooms. This file puts the helpers beside it on their path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from with_server import open_folder


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that the servers' user can reach, which pytest's own is not."""
    with open_folder() as folder:
        yield folder
