"""`waltax try` in folders of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from trying import Try


@pytest.fixture
def attempt(tmp_path: Path) -> Try:
    return Try(tmp_path)
