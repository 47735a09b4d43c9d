"""A report as HTML."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...base import strictjson
from ...base.printable import one_line
from ..figures import devices, vector
from ..report import Report
from ..reports import campaign, latencies
from ..reports.campaign_end import NAME, Ended, ended_as, results_of
from ..results import Source, by_group, hosts, words
from ..results.source import CAMPAIGN
from . import provenance

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
        (name, base64.b64encode(vector.draw(make).encode()).decode())
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
            if (tables := latencies.every_table(group))
        ],
        parts=[(type(part).__name__, part) for part in parts],
        machine=provenance.machine(of),
        build=provenance.build(of, is_served=any(result.served for result in results)),
        findings=hosts.findings(kept.get("doctor")),
        command=provenance.command(kept),
        style=_style(),
    )  # fmt: skip


def index(pages: Sequence[Mapping[str, Any]]) -> str:
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
