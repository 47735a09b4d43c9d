"""report.html in chromium: offline, by keyboard, narrow, printed."""

from __future__ import annotations

import shutil
from pathlib import Path

import hostile_rows as hostile
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Open
from page_rows import write_campaign
from rich.console import Console
from waltax.analysis import reports, writers


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_campaign(tmp_path_factory.mktemp("evil"), hostile.rows(), hostile.KEPT)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of ladders, whose own report has tables of equal titles and a figure."""
    folder = tmp_path_factory.mktemp("why")
    for path in (Path(__file__).parents[2] / "golden" / "why").glob("*.json*"):
        shutil.copy(path, folder)
    writers.publish(reports.why([folder]), Console(quiet=True), formats=["html"])
    return folder / "report.html"


def test_a_page_loads_nothing_and_complains_of_nothing(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        assert one.page.locator("section").count() == 5
        assert one.page.locator("img").evaluate("image => image.naturalWidth") > 500
        one.require_calm()


def test_texts_of_others_do_nothing_in_a_browser(opened: Open, evil: Path) -> None:
    with opened(evil) as one:
        assert one.page.locator("img:not([src^='data:image/svg+xml;base64,'])").count() == 0
        assert hostile.MARKUP in one.page.inner_text("body")
        one.require_calm()


def test_every_operation_has_its_percentiles(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        assert "ADD_LINK" in one.page.inner_text("#latency")
        assert not one.page.get_by_text("Latency of GET_NODE, us").is_visible()
        one.page.locator("#latency summary").click()
        assert one.page.get_by_text("Latency of GET_NODE, us").is_visible()


@pytest.mark.parametrize(
    ("which", "colours"),
    [
        ("usual", "light"),
        ("study", "dark"),
        pytest.param("usual", "dark", marks=pytest.mark.nightly),
        pytest.param("study", "light", marks=pytest.mark.nightly),
        pytest.param("evil", "light", marks=pytest.mark.nightly),
        pytest.param("evil", "dark", marks=pytest.mark.nightly),
    ],
)
def test_nobody_is_shut_out(
    opened: Open, request: pytest.FixtureRequest, which: str, colours: str
) -> None:
    with opened(request.getfixturevalue(which), color_scheme=colours) as one:
        one.page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
        found = Axe().run(one.page).response["violations"]
        assert [(broken["id"], broken["nodes"][0]["html"][:200]) for broken in found] == []


def test_the_keyboard_reaches_the_verdict(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        one.page.keyboard.press("Tab")
        one.page.keyboard.press("Enter")
        assert one.page.evaluate("document.activeElement.id") == "verdict"


@pytest.mark.parametrize("which", ["usual", "evil", "study"])
def test_360_pixels_are_wide_enough(
    opened: Open, request: pytest.FixtureRequest, which: str
) -> None:
    with opened(request.getfixturevalue(which), width=360) as one:
        assert one.page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_page_can_be_printed(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        assert one.page.pdf(format="A4").startswith(b"%PDF")
        one.page.emulate_media(media="print")
        assert not one.page.locator("nav").is_visible()
