"""A sweep's report: tables on the console, files beside the rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from ...errors import UsageError
from ...row import Row
from ...terminal import say
from .. import facts, layout
from ..reading import load
from . import figures, summary, tables
from .curve import Curve, curves
from .modelled import Modelled, modelled
from .predictions import Prediction, at_own_waits, predictions
from .threads import ThreadSweep, thread_sweeps

if TYPE_CHECKING:
    from . import Devices


def latency(
    campaigns: Sequence[Path], console: Console, devices: Devices, asked: float
) -> list[Curve]:
    if not 0 < asked < 1:
        raise UsageError(f"overhead: found {asked}, want a fraction between 0 and 1, such as 0.05")
    rows = load(campaigns)
    found = [_marked(rows, one, devices) for one in curves(rows)]
    if not found:
        raise UsageError(
            f"{campaigns[0]}: found no latency sweep; it has two devices sync-<us>us or more, "
            "with syncs, beside their baseline: see `waltax sweep-latency`"
        )
    about = facts.of_rows(rows)
    _widen(console)
    for one in found:
        console.print(tables.curve(rows, *one, asked))
    if folder := _folder(campaigns):
        content = summary.of_curves(found, sorted({*tables.ASKED, asked}), about)
        written = summary.write("curve", content, summary.curve_lines(content), folder)
        written += figures.write_curves(found, asked, about, folder)
        _say(console, folder, written, about.warnings)
    return [curve for curve, _, _ in found]


def threads(campaigns: Sequence[Path], console: Console) -> list[ThreadSweep]:
    rows = load(campaigns)
    every = thread_sweeps(rows)
    found = [one for one in every if one.devices]
    if every and not found:
        raise UsageError(f"{campaigns[0]}: no device has an overhead at any number of clients")
    if not found:
        raise UsageError(
            f"{campaigns[0]}: found one number of clients; a sweep over clients has two or more: "
            "see `waltax sweep-threads`"
        )
    about = facts.of_rows(rows)
    _widen(console)
    for one in found:
        console.print(tables.threads(rows, one))
    if folder := _folder(campaigns):
        content = summary.of_threads(found, about)
        written = summary.write("threads", content, summary.threads_lines(content), folder)
        written += figures.write_threads(found, about, folder)
        _say(console, folder, written, about.warnings)
    return found


def _marked(
    rows: list[Row], curve: Curve, devices: Devices
) -> tuple[Curve, Modelled, list[Prediction]]:
    named = devices(curve) if callable(devices) else devices
    model = modelled(curve.panel, [point.estimate for point in curve.points])
    marks = predictions(rows, curve, named) + at_own_waits(rows, curve, named)
    return curve, model, sorted(marks, key=lambda one: one.waited_us)


def _folder(campaigns: Sequence[Path]) -> Path | None:
    """Where the files go: of several campaigns, none is theirs."""
    return campaigns[0] if len(campaigns) == 1 and campaigns[0].is_dir() else None


def _widen(console: Console) -> None:
    if not console.is_terminal:  # a pipe has no width of its own, and rich takes 80 for it
        console.width = max(console.width, layout.WIDTH)


def _say(console: Console, folder: Path, written: Sequence[Path], warnings: Sequence[str]) -> None:
    names = ", ".join(path.name for path in written)
    say(console, *(f"warning: {one}" for one in warnings), f"In {folder}: {names}")
