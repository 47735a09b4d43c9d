"""A pretending driver, and a directory that looks like a data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from tpcc_fake import FakeDriver


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    folder = tmp_path / "build"
    folder.mkdir()
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(folder))
    return FakeDriver(folder)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    folder = tmp_path / "db"
    folder.mkdir()
    (folder / "CURRENT").touch()
    return folder
