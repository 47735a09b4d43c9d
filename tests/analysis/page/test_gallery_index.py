"""The front page of a gallery in chromium: offline, wide and narrow, for anybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Open
from waltax.analysis import page

_LONG = "--log=" + "x" * 200
_PAGES = [
    {
        "name": name,
        "question": f"What does {name} cost?",
        "line": f"waltax try {_LONG}",
        "failure": failure,
        "is_there": not failure,
        "verdicts": ["the log costs 29 %. Doubtful: few sessions.", "<b>It</b> is over."],
    }
    for name, failure in (("sqlite", ""), ("innodb", f"no room in /{_LONG}"))
]


@pytest.fixture
def index(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(page.gallery(_PAGES))
    return tmp_path / "index.html"


@pytest.mark.parametrize(("width", "colours"), [(1280, "light"), (360, "dark")])
def test_the_index_is_read_at_any_width_offline_and_by_anybody(
    index: Path, opened: Open, width: int, colours: str
) -> None:
    with opened(index, width=width, color_scheme=colours) as one:
        assert one.page.evaluate("document.documentElement.scrollWidth") == width
        found = Axe().run(one.page).response["violations"]
        assert [(broken["id"], broken["nodes"][0]["html"][:200]) for broken in found] == []
        one.require_calm()


def test_what_is_there_has_a_link_and_what_failed_its_message(index: Path, opened: Open) -> None:
    with opened(index) as one:
        links = one.page.locator("a")
        assert [link.get_attribute("href") for link in links.all()] == ["sqlite.html"]
        assert "no room in" in one.page.inner_text("section:nth-of-type(2)")
        assert "<b>It</b> is over." in one.page.inner_text("section:nth-of-type(1)")
