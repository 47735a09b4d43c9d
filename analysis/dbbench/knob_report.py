"""The report on a sweep of knobs: table, knobs.csv, knobs.json, knobs.png, knobs.svg."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ...row import Row
from .. import facts, figures, layout, summary, words
from ..reading import load
from . import files, knob_figures
from .files import Line
from .knobs import KnobLine, compressed, failures, lines, recycled, sentences
from .points import times

NAME = "knobs"


def report(
    campaign: Path,
    console: Console,
    durabilities: Mapping[str, str],
    notes: Sequence[str] = (),
) -> list[Path]:
    """Print the table of a campaign; write its files beside its rows and return their paths.

    `durabilities` is as in `knobs.lines`; `notes` are what a reader must know of the device.
    Errors: UsageError when the rows are not of a sweep of knobs.
    """
    rows = load([campaign])
    found = lines(rows, dict(durabilities))
    for part in tables(found, rows, notes):
        console.print(part)
    return write(found, rows, notes, campaign) if campaign.is_dir() else []


def tables(found: list[KnobLine], rows: list[Row], notes: Sequence[str]) -> list[RenderableType]:
    failed = [f"{words.FAILED} {name}: {why}" for name, why in failures(rows).items()]
    return [
        _speed(found),
        _work(found),
        *_titled("Against the default", [*_said(found), *failed]),
        *_titled("What each does to durability", [f"{o.name}: {o.durability}" for o in found]),
        *_titled("The device", list(notes)),
    ]


def _said(found: list[KnobLine]) -> list[str]:
    return [*sentences(found), *compressed(found), *recycled(found)]


def _speed(found: list[KnobLine]) -> Table:
    title = words.group_title(found[0].estimate) + "\nsorted by throughput; x: over the default's"
    table = _table(title, ["ops/s", "x [95 %]", "overhead % [95 %]"])
    table.add_column("verdict", no_wrap=True)
    for one in found:
        over = "-" if one.is_default else times(one.over_default)
        cells = layout.throughput(one.estimate), over, layout.overhead(one.estimate)
        table.add_row(_label(one), *cells, one.verdict)
    return table


def _work(found: list[KnobLine]) -> Table:
    headers = ["CPU us", "syncs", "WAL bytes", "bytes in\nthe file", "context\nswitches"]
    table = _table("Per operation", headers)
    for one in found:
        values = (
            one.cpu_us_per_operation,
            one.proof.syncs_per_request,
            one.proof.wal_bytes_per_request,
            one.tap_bytes_per_operation,
            one.proof.context_switches_per_request,
        )
        table.add_row(_label(one), *map(words.number, values))
    return table


def _table(title: str, headers: list[str]) -> Table:
    table = layout.table(title, headers)
    table.columns[0].header = "setting"
    return table


def _label(one: KnobLine) -> str:
    return f"{one.name} (emulated)" if one.estimate.shows_model else one.name


def _titled(title: str, said: list[str]) -> list[RenderableType]:
    return [Text(title, style="bold"), *(Text(f"  {line}") for line in said), Text()] * bool(said)


def write(found: list[KnobLine], rows: list[Row], notes: Sequence[str], folder: Path) -> list[Path]:
    about = facts.of_rows(rows)
    content = {
        **dataclasses.asdict(about),
        "intervals": summary.INTERVALS,
        "sentences": _said(found),
        "failures": failures(rows),
        "notes": list(notes),
    }
    written = files.write(NAME, [_line(one) for one in found], content, folder)
    return written + figures.save({NAME: lambda: knob_figures.draw(found, about)}, folder)


def _line(one: KnobLine) -> Line:
    estimate, proof = one.estimate, one.proof
    return {
        "setting": one.name,
        "device": estimate.device,
        "durability": estimate.durability,
        "threads": estimate.threads,
        "emulated": estimate.shows_model,
        "rounds": estimate.rounds,
        "ops_per_s": estimate.throughput,
        "ops_per_s_low": estimate.throughput_low,
        "ops_per_s_high": estimate.throughput_high,
        "over_default": one.over_default.value,
        "over_default_low": one.over_default.low,
        "over_default_high": one.over_default.high,
        "verdict": one.verdict,
        "overhead": estimate.overhead,
        "overhead_low": estimate.low,
        "overhead_high": estimate.high,
        "cpu_us_per_operation": one.cpu_us_per_operation,
        "syncs_per_operation": proof.syncs_per_request,
        "wal_bytes_per_operation": proof.wal_bytes_per_request,
        "tap_bytes_per_operation": one.tap_bytes_per_operation,
        "logs_per_run": one.logs_per_run,
        "context_switches_per_operation": proof.context_switches_per_request,
        "does_to_durability": one.durability,
    }
