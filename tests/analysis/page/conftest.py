"""Pages of campaigns with known rows, and Debian's chromium to open them in, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import Open, Opened
from page_rows import campaign_rows, write_campaign
from playwright.sync_api import Browser, ViewportSize, sync_playwright

_CHROMIUM = "/usr/bin/chromium"
_FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Browser) -> Open:
    """Open a file, offline, in a window of so many pixels; leave with it closed."""

    @contextmanager
    def open_(path: Path, width: int = 1280, **settings: Any) -> Iterator[Opened]:
        size = ViewportSize(width=width, height=900)
        context = chromium.new_context(viewport=size, offline=True, **settings)
        one = Opened(context.new_page())
        page = one.page
        page.on("console", lambda said: one.errors.append(said.text))
        page.on("pageerror", lambda error: one.errors.append(str(error)))
        page.on("dialog", lambda dialog: one.errors.append(f"dialog {dialog.message}"))
        page.on("request", lambda asked: one.requests.append(asked.url))
        page.goto(path.as_uri())
        one.requests.remove(path.as_uri())
        yield one
        context.close()

    return open_


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a campaign as it should be."""
    kept: dict[str, object] = {
        "kind": "run",
        "engine": "rocksdb",
        "workloads": ["linkbench"],
        "profile": "quick",
    }
    kept |= {"devices": ["nvme", "ssd"], "seed": 7}
    return write_campaign(tmp_path_factory.mktemp("usual"), campaign_rows(), kept)
