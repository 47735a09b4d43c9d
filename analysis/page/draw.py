"""A report as HTML, within a budget of bytes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...base.printable import one_line
from ..figures import vector
from ..report import Report
from ..reports import summary
from ..reports.campaign import proved
from ..results import CellResult, hosts
from ..series import Column
from . import cost, data, latency, parts, provenance, times
from .data import SHARES, Share
from .subject import SUMMARY, Subject

BUDGET = 1_000_000
"""The most bytes of a page, unless the text alone is longer."""

_HERE = Path(__file__).parent
_SHOWN: tuple[Column[CellResult], ...] = (
    Column("cell", "cell", "text"),
    Column("throughput", "throughput"),
    Column("overhead", "overhead %", "%"),
    Column("overhead_low", "low %", "%", "low"),
    Column("overhead_high", "high %", "%", "high"),
    Column("added_us_per_request", "added us"),
    proved("wal_bytes_per_request", "WAL bytes"),
    proved("syncs_per_request", "syncs"),
    proved("tap_sync_us_p50", "sync p50 us"),
    proved("cpu_us_per_request", "CPU us"),
    Column("rounds", "rounds", "whole"),
    Column("sessions", "sessions", "whole"),
)
_DRAWN = ("overhead",)


def page(report: Report) -> str:
    """Return the whole file, with as much of its rows as its budget has room for.

    Errors: ValueError for a report without rows.
    """
    of = Subject.of(report)
    fixed, template = _fixed(of), environment().get_template("page.html")
    for share in SHARES:
        text = template.render(fixed, **_sized(of, share))
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
        "title": of.name,
        "subject": of,
        "origin": of.source.origin,
        "parts": parts.parts_of(of),
        "plain": parts.plain,
        "judged": parts.judged(of),
        "parted": parts.parted,
        "sections": sections,
        "across": latency.ACROSS,
        "latency_block": Markup(data.json_block([section.plotted for section in sections])),
        "pictures": _pictures(of.report),
        "lanes": times.MACHINE,
        "machine": provenance.machine(of),
        "build": provenance.build(of),
        "devices": provenance.devices(of),
        "findings": hosts.findings(of.kept.get("doctor")),
        "modes": provenance.modes(of),
        "command": provenance.command(of.kept),
        "failures": [result for result in of.results if result.failed],
        "warnings": [*of.report.warnings, *of.report.remarks],
        "rows_file": data.rows_file(of),
        "shown": {column.name: column.heading for column in _SHOWN},
        # A text for each column, and the value by which it is sorted.
        "cells": [
            {column.name: (column.spelled(result), column.value(result)) for column in _SHOWN}
            for result in of.results
        ],
        "cells_block": Markup(data.json_block(summary.lines(of.results))),
        "script": Markup(script),
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "style": Markup(f"{_text('vendor/uPlot.min.css')}\n{_text('templates/style.css')}"),
    }


def _sized(of: Subject, share: Share) -> dict[str, Any]:
    """Return what depends on the room left."""
    charts = times.charts(of, share.every)
    return {
        "share": share,
        "plots": cost.plots(of, share.every),
        "charts": charts,
        "charts_block": Markup(data.json_block([chart.plotted for chart in charts])),
        "rows_block": data.packed(data.slim(of.rows, share)),
    }


def _pictures(report: Report) -> list[tuple[str, str]]:
    """Return a study's own figures as image data, so that nothing in them can reach the page.

    Figures of overheads are left out if the page draws them itself.
    """
    drawn = _DRAWN if report.name == SUMMARY else ()
    return [
        (name, base64.b64encode(vector.svg(report, name).encode()).decode())
        for name in report.figures
        if name not in drawn
    ]


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
    # A path that is a dot at each place of a strip.
    environment.filters["dots"] = lambda places: "".join(f"M{place:g} 76h0" for place in places)
    environment.filters["polyline"] = _polyline
    return environment


def _harmless(value: Any) -> Any:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return one_line(value)


def _polyline(points: tuple[tuple[float, float], ...]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("h0" if len(points) == 1 else "")
