"""`waltax report gallery`: small campaigns of every kind, and one offline site of their pages."""

from __future__ import annotations

import html
import os
import re
import shlex
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..base.errors import WaltaxError
from . import options

SHOWS = Path(__file__).with_suffix(".toml")
_LONGEST_S = 1800.0


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("gallery"),
    show_default=True,
    help="Folder of the site. A campaign whose page is in it is not measured again.",
)
@click.option("--plan", is_flag=True, help="Print what would be measured, and measure nothing.")
@options.results("Where campaigns are kept: below gallery/, a folder for each page.")
@options.data_dir()
def command(out: Path, plan: bool, results: Path, data_dir: Path) -> None:
    """Measure ten small campaigns, and write one offline site of their reports.

    It takes half an hour. A campaign that fails is listed with its message, and the others go on;
    then the exit code is 1.
    """
    from ..analysis.page import gallery
    from ..base.folders.places import require_own
    from ..base.terminal import Terminal, say

    shows = tomllib.loads(SHOWS.read_text())
    if plan:
        for name, show in shows.items():
            click.echo(f"{name}: waltax {shlex.join(show['words'])}")
        click.echo(f"{len(shows)} pages, some 10 MB, in {out}: half an hour on two CPUs")
        return
    out.mkdir(parents=True, exist_ok=True)
    require_own(out)
    console, pages = Terminal(), []
    for name, show in shows.items():
        page, place = out / f"{name}.html", results / "gallery" / name
        line = f"waltax {shlex.join(show['words'])}"
        say(console, f"{name}: kept" if page.exists() else f"{name}: {line}")
        failure = "" if page.exists() else _failure(show, place, data_dir, page)
        if failure:
            say(console, f"FAILED {failure}")
        told = {"name": name, "line": line, "failure": failure, "is_there": page.exists()}
        pages.append({**show, **told, "verdicts": _verdicts(show, place, page)})
        # Written after each, so that what is there can be looked at.
        (out / "index.html").write_text(gallery(pages), encoding="utf-8")
    size = sum(file.stat().st_size for file in out.glob("*.html"))
    there = sum(page["is_there"] for page in pages)
    say(console, f"{out / 'index.html'}: {there} of {len(pages)} pages, {size / 1e6:.1f} MB")
    raise SystemExit(1 if any(page["failure"] for page in pages) else 0)


def _failure(show: Mapping[str, Any], results: Path, data_dir: Path, page: Path) -> str:
    """Measure a campaign and copy its page; return why it failed, or an empty text."""
    from ..base import proc

    where = [f"--results={results.absolute()}", f"--data-dir={data_dir.absolute()}"]
    with tempfile.TemporaryDirectory() as place:
        words = [_placed(word, place) for word in show["words"]]
        at = words.index("--") if "--" in words else len(words)
        line = [sys.executable, "-m", "waltax", *words[:at], *where, *words[at:]]
        try:
            if "prepare" in show:
                proc.run(["sh", "-ec", _placed(show["prepare"], place)])
            for _ in range(2 if show.get("is_gate") else 1):
                proc.run(line, timeout_s=_LONGEST_S)
        except WaltaxError as error:
            return str(error).removeprefix(" ".join(line) + ": ")
    shutil.copyfile(_campaigns(results)[-1] / "report.html", page)
    return ""


def _placed(word: str, place: str) -> str:
    # The data may lie below root's own home, which another user cannot enter without this right.
    user = "setpriv --reuid=postgres --regid=postgres --clear-groups --inh-caps=+dac_override"
    other = f"{user} --ambient-caps=+dac_override " if os.geteuid() == 0 else ""
    return word.replace("PLACE", place).replace("AS ", other)


def _campaigns(results: Path) -> Sequence[Path]:
    return sorted(path.parent for path in results.glob("*/report.html"))


def _verdicts(show: Mapping[str, Any], results: Path, page: Path) -> list[str]:
    """Return the sentences of a page, with their doubts, or the gate's; none before it is there."""
    from ..analysis import reports
    from ..analysis.results import read

    folders = _campaigns(results)
    if show.get("is_gate") and len(folders) > 1:
        base, new = (read([folder]) for folder in folders[-2:])
        return reports.gate(base, new, []).verdicts
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    sentences = re.findall(r'<p class="sentence">(.*?)</p>', text, re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", sentence)).strip() for sentence in sentences]
