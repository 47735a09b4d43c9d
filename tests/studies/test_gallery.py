"""The gallery: a site that stays whole when a campaign fails, of campaigns that waltax takes."""

from __future__ import annotations

import shlex
import shutil
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.cli import cli
from waltax.studies import gallery

_SHOWS = tomllib.loads(gallery.SHOWS.read_text())
_GOLDEN = Path(__file__).parents[1] / "golden" / "devices"


def _made(place: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> Result:
    """A gallery whose campaigns are a recorded one, but for one that fails."""

    def run(argv: list[str], **_choices: object) -> str:
        words = shlex.join(argv)
        if failing and f"/gallery/{failing}" in words:
            raise WaltaxError(f"{words}: ended by exit code 2: first\nno <room> for it")
        (results,) = [word for word in argv if word.startswith("--results=")] or [""]
        if results:
            _recorded(Path(results.removeprefix("--results=")))
        return ""

    monkeypatch.setattr(proc, "run", run)
    out = ["--out", str(place / "site"), "--results", str(place / "results")]
    return CliRunner().invoke(gallery.command, [*out, "--data-dir", str(place)])


def _recorded(results: Path) -> None:
    folder = results / f"2026-{len(list(results.glob('*')))}"
    folder.mkdir(parents=True)
    shutil.copy(_GOLDEN / "rows.jsonl", folder)
    said = (
        '<p class="sentence">it costs 29 % &amp; more. <span class="doubt">Doubtful: few</span></p>'
    )
    last = '<p class="sentence">The last has <b>its doubt</b>, too.</p>'
    (folder / "report.html").write_text(f"<!doctype html><title>a report</title>{said * 2}{last}")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    done = _made(tmp_path, monkeypatch, failing="innodb")
    assert done.exit_code == 1, done.output
    return tmp_path / "site"


def test_a_campaign_that_fails_is_listed_with_its_message_and_the_others_stay(site: Path) -> None:
    text = (site / "index.html").read_text()
    assert text.count("FAILED") == 1
    assert "no &lt;room&gt; for it" in text
    pages = {page.stem for page in site.glob("*.html")} - {"index"}
    assert pages == set(_SHOWS) - {"innodb"}
    assert {name for name in _SHOWS if f'href="{name}.html"' in text} == pages
    whole = len(_SHOWS) - 2  # innodb has none, and the gate its own
    assert text.count("The last has its doubt, too.") == whole
    assert text.count("it costs 29 % &amp; more.") == 2 * whole
    assert "UNKNOWN (overhead)" in text  # of so few slices


def test_what_is_there_is_not_measured_again(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(list((tmp_path / "results").rglob("report.html")))
    done = _made(tmp_path, monkeypatch, failing="")
    assert done.exit_code == 0, done.output
    assert len(list((tmp_path / "results").rglob("report.html"))) == before + 1
    assert "FAILED" not in (site / "index.html").read_text()


@pytest.mark.parametrize("name", _SHOWS)
def test_each_campaign_is_one_that_waltax_takes(name: str) -> None:
    words = _SHOWS[name]["words"]
    context = click.Context(cli)
    called, command, rest = cli.resolve_command(context, list(words))
    assert command is not None
    command.make_context(called, rest, resilient_parsing=False)


def test_a_plan_names_what_would_be_measured_and_makes_nothing(tmp_path: Path) -> None:
    done = CliRunner().invoke(gallery.command, ["--plan", "--out", str(tmp_path / "site")])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.partition(": waltax ")[0] for line in lines[:-1]] == list(_SHOWS)
    assert list(tmp_path.iterdir()) == []
