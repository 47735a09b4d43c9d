"""report.html in chromium: offline, with and without JavaScript, by keyboard, narrow, printed."""

from __future__ import annotations

import shutil
from pathlib import Path

import hostile_rows as hostile
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Open
from page_rows import write_campaign
from rich.console import Console
from waltax import analysis
from waltax.analysis import reports


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_campaign(tmp_path_factory.mktemp("evil"), hostile.rows(), hostile.KEPT)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of ladders, whose own report has tables of equal titles and a figure."""
    folder = tmp_path_factory.mktemp("why")
    for path in (Path(__file__).parents[2] / "golden" / "why").glob("*.json*"):
        shutil.copy(path, folder)
    analysis.publish(reports.why([folder]), Console(quiet=True), formats=["html"])
    return folder / "report.html"


def test_a_page_loads_nothing_and_complains_of_nothing(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        assert one.page.locator("section").count() == 6
        assert one.page.locator(".live-chart canvas").count() == 2
        one.require_calm()


def test_texts_of_others_do_nothing_in_a_browser(opened: Open, evil: Path) -> None:
    with opened(evil) as one:
        assert one.page.locator("img").count() == 0
        assert hostile.MARKUP in one.page.inner_text("body")
        one.require_calm()


def test_without_javascript_all_of_it_can_be_read(opened: Open, usual: Path) -> None:
    with opened(usual, java_script_enabled=False) as one:
        assert "the WAL costs" in one.page.inner_text("#verdict")
        assert one.page.locator(".strip").count() == 4
        assert not one.page.locator(".needs-js").first.is_visible()
        one.page.locator("#time summary").click()
        assert one.page.locator("#time tbody tr").count() == 32
        one.page.locator("#latency summary").click()
        assert "ADD_LINK" in one.page.inner_text("#latency")
        one.require_calm()


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


def test_the_keyboard_reaches_the_verdict_and_the_chart(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        page = one.page
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "verdict"

        page.locator("#time .live-chart [tabindex]").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#live").startswith("2 s, session 1; nvram")
        one.require_calm()


def test_a_toggle_hides_what_it_names_and_says_so(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        toggle = one.page.locator(".toggles button", has_text="disk writes")
        assert toggle.get_attribute("aria-pressed") == "false"
        toggle.press("Enter")
        assert toggle.get_attribute("aria-pressed") == "true"
        one.require_calm()


def test_a_curve_is_of_the_operation_that_is_chosen(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        chart = one.page.locator("#latency .live-chart")
        for operation in ("ADD_LINK", "GET_NODE", "all operations"):
            chart.locator("select").select_option(operation)
            chart.locator("[tabindex]").press("Home")
            assert one.page.inner_text("#live").startswith(f"{operation}: 0 % took at most; off ")
        chart.locator("[tabindex]").press("End")
        assert "99.9" in one.page.inner_text("#live")
        one.require_calm()


@pytest.mark.parametrize("which", ["usual", "evil", "study"])
def test_360_pixels_are_wide_enough(
    opened: Open, request: pytest.FixtureRequest, which: str
) -> None:
    with opened(request.getfixturevalue(which), width=360) as one:
        assert one.page.evaluate("document.documentElement.scrollWidth") == 360


def test_on_paper_everything_is_open_and_charts_are_as_wide_as_paper(
    opened: Open, usual: Path
) -> None:
    with opened(usual) as one:
        assert one.page.pdf(format="A4").startswith(b"%PDF")
        one.page.emulate_media(media="print")
        one.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert one.page.locator("details:not([open])").count() == 0
        chart = one.page.locator(".live-chart .uplot").first
        assert chart.is_visible()
        assert chart.evaluate("chart => chart.clientWidth") == 620
        one.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert one.page.locator("details[open]").count() == 0


def test_the_command_is_copied_or_selected(opened: Open, usual: Path) -> None:
    with opened(usual) as one:
        one.page.locator("[data-copy]").click()
        one.page.wait_for_function("document.getElementById('live').textContent !== ''")
        one.require_calm()
