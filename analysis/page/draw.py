"""A report as HTML, within a budget of bytes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...base.printable import one_line
from ..figures import vector
from ..report import Part, Report
from ..reports import campaign
from ..results import hosts, words
from . import cost, latency, provenance, times
from .subject import Subject

BUDGET = 1_000_000
"""The most bytes of a page, unless the text alone is longer."""

_HERE = Path(__file__).parent
_MOST = 12  # times that the dots and slices of a page are halved


def page(report: Report) -> str:
    """Return the whole file, with as many rounds in its charts as its budget has room for.

    Errors: ValueError for a report without rows.
    """
    of = Subject.of(report)
    fixed, template = _fixed(of), environment().get_template("page.html")
    for every in (1 << power for power in range(_MOST)):
        charts = times.charts(of, every)
        block = _json_block([chart["plotted"] for chart in charts])
        plots = cost.plots(of, every)
        text = template.render(fixed, every=every, plots=plots, charts=charts, charts_block=block)
        if len(text.encode()) < BUDGET:
            break
    return text


def index(pages: Sequence[Mapping[str, Any]]) -> str:
    """Return the front page of a gallery, a section for each of these pages."""
    style = Markup(_text("templates/style.css"))
    template = environment().get_template("gallery.html")
    return template.render(pages=pages, style=style)


def _fixed(of: Subject) -> dict[str, Any]:
    """Return what is on the page however many rows it carries."""
    script = "\n".join(_text(name) for name in ("vendor/uPlot.iife.min.js", "templates/page.js"))
    sections = latency.sections(of)
    return {
        "title": ", ".join(of.source.origin.campaigns),
        "subject": of,
        "origin": of.source.origin,
        "parts": _parts(of),
        "verdicts": of.report.verdicts or [words.verdict(group) for group in of.groups],
        "sections": sections,
        "latency_block": _json_block([plotted for plotted, _ in sections]),
        "pictures": _pictures(of),
        "lanes": times.MACHINE,
        "machine": provenance.machine(of),
        "build": provenance.build(of),
        "findings": hosts.findings(of.kept.get("doctor")),
        "command": provenance.command(of.kept),
        "warnings": [*of.report.warnings, *of.report.remarks],
        "rows_file": provenance.rows_file(of),
        "script": Markup(script),
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "style": Markup(f"{_text('vendor/uPlot.min.css')}\n{_text('templates/style.css')}"),
    }


def _parts(of: Subject) -> list[tuple[str, Part]]:
    """Return the report's parts, and those about overheads, with the names of their kinds."""
    own = of.report.parts
    every = [*own, *campaign.parts(of.results)] if of.is_own else own
    return [(type(part).__name__, part) for part in every]


def _parted(sentence: str) -> tuple[str, str]:
    """Split a sentence into the finding and the doubts that end it."""
    finding, _, doubt = sentence.partition(f"; {words.DOUBTFUL}: ")
    return (f"{finding}.", doubt) if doubt else (finding, "")


def _pictures(of: Subject) -> list[tuple[str, str]]:
    """Return a study's own figures as image data, so that nothing in them can reach the page.

    Figures of overheads are left out if the page draws them itself.
    """
    drawn = "" if of.is_own else "overhead"
    return [
        (name, base64.b64encode(vector.svg(of.report, name).encode()).decode())
        for name in of.report.figures
        if name != drawn
    ]


def _json_block(value: object) -> Markup:
    """Return JSON for a script element, which no markup can end, without control characters."""
    text = json.dumps(_plain(value), allow_nan=False, separators=(",", ":"))
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return Markup(text)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, Mapping):
        return {one_line(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Return the templates' environment; it escapes every text and removes control characters."""
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
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
