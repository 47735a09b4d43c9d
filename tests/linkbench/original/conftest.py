"""A LinkBench home with the stock values."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_driver import FakeDriver
from waltax.linkbench.original.settings import HOME_VARIABLE, read_config
from waltax.workloads.original.properties import Properties

STOCK = Path(__file__).parent / "config"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with config/, as the original is unpacked; without Distribution.dat."""
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    shutil.copytree(STOCK, tmp_path / "config")
    return tmp_path


@pytest.fixture
def configured(home: Path) -> Callable[..., Properties]:
    """The stock configuration with some keys set by -D."""

    def read(*overrides: str) -> Properties:
        return read_config(home / "config" / "LinkConfigMysql.properties", overrides)

    return read


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    folder = tmp_path / "build"
    folder.mkdir()
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(folder))
    driver = FakeDriver(folder, "linkbench")
    driver.answer("run", {"event": "ready", "warnings": []})  # which tries the flags before a load
    return driver
