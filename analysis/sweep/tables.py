"""Curves and thread sweeps on a terminal; laid out as the report's tables are."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...row import Row
from .. import evidence, layout, proof_lines, words
from ..overhead import CellEstimate
from ..stats import Interval
from . import doubts
from .curve import Curve
from .modelled import TOLERANCE, Modelled
from .predictions import Prediction
from .threads import ThreadSweep

ASKED = (0.05, 0.10, 0.25, 0.50)


def curve(
    rows: list[Row], one: Curve, model: Modelled, marks: Sequence[Prediction], asked: float
) -> RenderableType:
    """Everything about one curve; `asked` is the overhead whose answer comes first."""
    answer = one.latency_for(asked).sentence
    parts: list[RenderableType] = [Text(answer[0].upper() + answer[1:] + ".", style="bold"), Text()]
    parts += [_points(one, model), _answers(one, asked)]
    parts += [_predictions(marks)] if marks else []
    parts += _titled("Predictions", _judged(marks))
    parts += _titled("Group-commit model", _model_lines(model))
    notes = [f"{said}: left out of the curve" for said in one.left_out]
    cells = [point.estimate for point in one.points]
    parts += _titled("Notes", notes + _notes(cells, rows))
    parts += _titled("Evidence", _evidence(rows, [one.baseline, *cells]))
    return Group(*parts)


def threads(rows: list[Row], sweep: ThreadSweep) -> RenderableType:
    table = layout.table(
        f"{sweep.subject}, profile {sweep.baseline.profile}",
        ["clients", "overhead % [95 %]", "model %", "sync us", "commits\na sync", "cores %"],
    )
    cells = []
    for device, points in sweep.devices.items():
        for point in points:
            expected = None if point.expected is None else point.expected.expected
            table.add_row(
                device,
                str(point.threads),
                _interval(point.overhead),
                words.percent(expected),
                words.number(point.work.sync_us),
                words.number(point.work.commits_per_group),
                words.percent(point.work.cpu_share),
            )
            cells.append(point.estimate)
    parts: list[RenderableType] = [*_titled(f"{sweep.subject}", sweep.sentences), table]
    misses = sweep.failures or [_holds()]
    parts += _titled("Group-commit model", misses)
    notes = [f"{said}: left out" for said in sweep.left_out]
    parts += _titled("Notes", notes + _notes(cells, rows))
    parts += _titled("Evidence", _evidence(rows, cells))
    return Group(*parts)


def _points(one: Curve, model: Modelled) -> Table:
    headers = ["sync us", "overhead % [95 %]", "fit % [95 %]", "model %", "bytes\na sync"]
    table = layout.table(f"{one.subject}, profile {one.profile}", headers)
    for point, fitted in zip(one.points, one.fitted, strict=True):
        table.add_row(
            point.estimate.device,
            words.number(point.sync_us),
            _interval(point.overhead),
            _interval(fitted),
            words.percent(model.overhead_at(point.sync_us)),
            words.number(point.work.bytes_per_sync),
        )
    return table


def _answers(one: Curve, asked: float) -> Table:
    table = layout.table("How fast a sync must be", [])
    table.columns[0].header = "for at most"
    table.add_column("a sync under us [95 %]", justify="right", no_wrap=True)
    table.add_column("of which the\ndevice may take", justify="right", no_wrap=True)
    for overhead in sorted({*ASKED, asked}):
        answer = one.latency_for(overhead)
        table.add_row(
            f"{100 * overhead:g} %",
            answer.text,
            "-" if answer.outside else words.number(answer.device_us),
        )
    return table


def _predictions(marks: Sequence[Prediction]) -> Table:
    table = layout.table(
        "Devices on the curve, percent and points",
        ["sync us", "waited us", "predicted [95 %]", "measured [95 %]", "difference [95 %]"],
    )
    for one in marks:
        edge = {
            "": "",
            "below": "\N{LESS-THAN OR EQUAL TO} ",
            "above": "\N{GREATER-THAN OR EQUAL TO} ",
        }
        table.add_row(
            one.device,
            words.number(one.sync_us),
            words.number(one.waited_us),
            edge[one.outside] + _interval(one.bound),
            "-" if one.measured is None else _interval(one.measured),
            "-" if one.difference is None else _interval(one.difference),
        )
    return table


def _judged(marks: Sequence[Prediction]) -> list[str]:
    """How many agree with their own measurement, and what must not be missed, a line each."""
    agree = [one.agrees is True for one in marks if one.agrees is not None or one.too_wide]
    counted = f"{sum(agree)} of {len(agree)} devices measured beside the grid agree with the curve"
    if wide := sum(one.too_wide for one in marks):
        counted += f"; for {wide} the interval is too wide to tell"
    said = [one.sentence for one in marks if one.outside or one.agrees is False or one.too_wide]
    return [counted if agree else "no device was measured beside the grid", *said]


def _model_lines(model: Modelled) -> list[str]:
    given = model.parameters
    if given is None:
        return [f"no model: {model.why_not}"]
    said = (
        f"{given.clients} clients, {given.cores} cores; {words.number(given.cpu_us)} us of a core "
        f"and {words.number(given.commits)} commits per request, from off; writing the log "
        f"{words.number(given.group_us)} us per group and {words.number(given.commit_us)} us per "
        f"commit, from {model.fastest}"
    )
    return [said, *(model.failures or [_holds()])]


def _holds() -> str:
    return f"within {TOLERANCE:.0%} of the throughput, or the interval, everywhere".replace(
        "%", " %"
    )


def _interval(found: Interval) -> str:
    return f"{words.percent(found.value)} {words.bounds(found.low, found.high)}"


def _notes(cells: Sequence[CellEstimate], rows: list[Row]) -> list[str]:
    """Those that several cells share once, with their names."""
    by_note: dict[str, list[str]] = {}
    for one in cells:
        name = f"{one.device}, {one.threads} clients"
        for note in words.notes(one, rows):
            by_note.setdefault(note, []).append(name)
    return [f"{doubts.names(names)}: {note}" for note, names in by_note.items()]


def _evidence(rows: list[Row], cells: Sequence[CellEstimate]) -> list[str]:
    proofs = [evidence.of_cell(rows, one.cell) for one in cells]
    lines = proof_lines.engine(proofs)
    for one, proof in zip(cells, proofs, strict=True):
        if proof.wal_bytes is not None:
            name = f"{one.device}, {one.threads} clients"
            lines.append(f"{name}: {proof_lines.wal(proof)}; {proof_lines.syncs(proof)}")
    lines += [f"warning: {one}" for one in doubts.of_cells(cells, proofs)]
    return lines or ["the rows carry none"]


def _titled(title: str, lines: Sequence[str]) -> list[RenderableType]:
    body = [Text(f"  {line}") for line in lines]
    return [Text(title, style="bold"), *body, Text()] if lines else []
