"""report.html: a report as one file that a browser opens without a network, and without scripts."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ...base import strictjson
from ...base.printable import one_line
from ...commands import COMMANDS
from ...row import Row
from .. import figures
from ..figures import devices
from ..report import Report
from ..reports import campaign, latencies
from ..reports.campaign_end import NAME, Ended, ended_as, results_of
from ..results import Source, by_group, hosts, words
from ..results.source import CAMPAIGN

if TYPE_CHECKING:
    from jinja2 import Environment

FILE = "report.html"
_TEMPLATES = Path(__file__).parent / "templates"


def page(report: Report, of: Source) -> str:
    """Return the whole file of a report of these rows.

    A study's own report is followed by what every campaign's says of overheads.
    """
    is_own = report.name != NAME
    results = report.results or results_of(of)
    kept = strictjson.read_object(of.folder / CAMPAIGN) if of.folder else {}
    ended = ended_as(of.folder, Ended((report.content or {}).get("stop_reason")))
    groups = by_group(results)
    parts = [*report.parts, *(campaign.parts(results) if is_own else ())]
    overheads = {"overhead": lambda: devices.overheads(results, of.origin)} if results else {}
    # As image data, so that nothing in a figure can reach the page.
    pictures = [
        (name, base64.b64encode(figures.draw(make).encode()).decode())
        for name, make in {**report.figures, **overheads}.items()
    ]
    return environment().get_template("page.html").render(
        title=", ".join(of.origin.campaigns),
        origin=of.origin,
        stop_reason=ended.stop_reason,
        verdicts=report.verdicts or [words.verdict(group) for group in groups],
        warnings=[*report.warnings, *report.remarks],
        pictures=pictures,
        latencies=[
            (words.group_title(group[0]), tables)
            for group in groups
            if (tables := latencies.tables(group))
        ],
        parts=[(type(part).__name__, part) for part in parts],
        facts=_facts(of, is_served=any(result.served for result in results)),
        findings=hosts.findings(kept.get("doctor")),
        command=command(kept),
        style=_style(),
    )  # fmt: skip


def _facts(of: Source, *, is_served: bool) -> list[tuple[str, str]]:
    """Return the machine, from the accepted rows, and what must be equal for equal results."""
    origin, rows = of.origin, of.rows
    ok = [row for row in rows if row["status"] == "ok"]
    digested = ("profile", "tap", "driver", *(["server"] if is_served else []))
    versions = [f"{name} {', '.join(each)}" for name, each in origin.versions.items()]
    facts = [
        ("CPU", _each(ok, "cpu_model")),
        ("CPUs", _each(ok, "cores")),
        ("memory", _each(ok, "memory_gib", " GiB")),
        ("kernel", _each(ok, "kernel")),
        ("measured on", ", ".join(origin.measured_on)),
        ("versions", "; ".join(versions)),
        ("commit of waltax", ", ".join(origin.git_commits)),
        ("seed", ", ".join(map(str, origin.seeds))),
        ("profile", ", ".join(origin.profiles)),
        *((f"digest of the {what}", _each(rows, f"{what}_digest")) for what in digested),
    ]
    return [(name, text or "not recorded") for name, text in facts]


def command(kept: Mapping[str, Any]) -> str:
    """Return what was typed, with the seed that was drawn; empty if the campaign does not say."""
    typed = shlex.split(str(kept.get("typed") or ""))
    if not typed:
        return ""
    behind = 2 if " ".join(typed[:2]) in COMMANDS else 1  # of the command's own words
    is_typed = any(word.partition("=")[0] == "--seed" for word in typed)
    drawn = [] if is_typed else ["--seed", str(kept.get("seed"))]
    return shlex.join(["waltax", *typed[:behind], *drawn, *typed[behind:]])


def _each(rows: Sequence[Row], column: str, unit: str = "") -> str:
    values = dict.fromkeys(row[column] for row in rows if row.get(column) is not None)
    said = (words.number(value) if isinstance(value, float) else str(value) for value in values)
    return ", ".join(f"{text}{unit}" for text in said)


def gallery(pages: Sequence[Mapping[str, Any]]) -> str:
    """Return the front page of a gallery, a section for each of these pages."""
    return environment().get_template("gallery.html").render(pages=pages, style=_style())


def _style() -> Markup:
    return Markup((_TEMPLATES / "style.css").read_text(encoding="utf-8"))


def _parted(sentence: str) -> tuple[str, str]:
    """Split a sentence into the finding and the doubts that end it."""
    finding, _, doubt = sentence.partition(f"; {words.DOUBTFUL}: ")
    return (f"{finding}.", doubt) if doubt else (finding, "")


@cache
def environment() -> Environment:
    """Return the templates' environment; it escapes every text and removes control characters."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # takes long to import

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["parted"] = _parted
    return environment


def _harmless(value: Any) -> Any:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return one_line(value)
