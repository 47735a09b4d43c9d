"""`waltax run --endpoint` in folders of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis_server import Waltax


@pytest.fixture
def waltax(tmp_path: Path) -> Waltax:
    return Waltax(tmp_path)
