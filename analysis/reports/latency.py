"""The report of a latency sweep: how fast a sync must be, the curve, and answers from it.

A program that wants another point of a curve reads the rows again (`analysis.sweep.curves`);
`campaigns` and each curve's group identify them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...base.errors import UsageError
from ..figures import curves as figures
from ..numerals import share
from ..report import Lines, Part, Report, Table, Verdict, numbers
from ..results import read, words
from ..series import Column, Series, View, plain, spelled
from ..stats import NOTHING
from ..sweep.answers import Answer
from ..sweep.curve import Curve, Point, curves
from ..sweep.predictions import Marked, Prediction, at_own_waits, predictions
from . import cell_columns, sweeps

Devices = Mapping[str, float] | Callable[[Curve], Mapping[str, float]]
"""The mean sync of each device, in us, for writes of the size that a curve's groups make."""

ASKED = (0.05, 0.10, 0.25, 0.50)
_FIT = "slowdown: isotonic regression over the mean latency of a sync, linear between the points"
_EDGES = {
    "": "",
    "below": "\N{LESS-THAN OR EQUAL TO} ",
    "above": "\N{GREATER-THAN OR EQUAL TO} ",
}


def latency(campaigns: Sequence[Path], *, devices: Devices, emphasised: float = 0.05) -> Report:
    """Report the curves of these campaigns, and where `devices` lie on them.

    `devices` may be a function of the curve. Any other device measured beside the grid, such as a
    directory, is marked at the time its own callers waited. `emphasised` is the overhead, a
    fraction, whose answer comes first. Errors: UsageError if the rows hold no latency sweep; else
    as `load`.
    """
    if not 0 < emphasised < 1:
        raise UsageError(
            f"overhead: found {emphasised}, want a fraction between 0 and 1, such as 0.05"
        )
    of = read(campaigns)
    marked_curves = []
    for curve in curves(of.rows):
        named = devices(curve) if callable(devices) else devices
        marks = predictions(of.rows, curve, named) + at_own_waits(of.rows, curve, named)
        marked_curves.append(Marked(curve, sorted(marks, key=lambda mark: mark.waited_us)))
    if not marked_curves:
        raise UsageError(
            f"{campaigns[0]}: found no latency sweep; it has two devices sync-<us>us or more, "
            "with syncs, beside their baseline: see `waltax sweep latency`"
        )
    overheads = sorted({*ASKED, emphasised})
    content = [_content(marked, overheads) for marked in marked_curves]
    return cell_columns.report(
        of,
        "curve",
        parts=[part for marked in marked_curves for part in _parts(marked, emphasised)],
        content={"fit": _FIT, "curves": content},
        lines=[line for marked in marked_curves for line in _lines(marked)],
        figures={"curve": lambda: figures.curves(marked_curves, emphasised, of.origin)},
    )


def _parts(marked: Marked, overhead: float) -> list[Part]:
    curve, answer = marked.curve, marked.curve.latency_for(overhead).sentence
    points = [point.result for point in curve.points]
    return [
        Verdict(f"{answer[0].upper()}{answer[1:]}{words.doubtful(points)}."),
        *_points(curve).tables(),
        _answers(curve, sorted({*ASKED, overhead})),
        *_marks(marked).tables(),
        Lines(judged(marked.marks), "Predictions"),
        sweeps.notes([f"{said}: left out of the curve" for said in curve.left_out], points),
        sweeps.evidence([curve.baseline, *points]),
    ]


def _points(curve: Curve) -> Series[Point]:
    fitted = dict(zip(curve.points, curve.fitted, strict=True))
    title = f"{curve.subject}, profile {curve.baseline.profile}"
    return Series(
        axis="sync us",
        subject=curve.subject,
        points=curve.points,
        columns=[
            Column("device", "device", "text"),
            *plain("cell baseline"),
            Column("model_sync_us", of="work.model_sync_us"),
            Column("sync_us", "sync us"),
            Column("overhead", "overhead % [95 %]", "%"),
            Column("fitted", "fit % [95 %]", "%", lambda point: fitted[point]),
            Column("bytes_per_sync", "bytes\na sync", of="work.bytes_per_sync"),
            *plain("sessions rounds"),
        ],
        views=[View(title, "device sync_us overhead fitted bytes_per_sync")],
    )


def _marks(marked: Marked) -> Series[Prediction]:
    def bound(mark: Prediction) -> str:
        return _EDGES[mark.outside] + share(mark.bound)

    return Series(
        axis="sync us",
        subject=marked.curve.subject,
        points=marked.marks,
        columns=[
            Column("device", "device", "text"),
            Column("sync_us", "sync us"),
            Column("waited_us", "waited us"),
            *plain("outside"),
            Column("predicted", "predicted [95 %]", "%", text=bound),
            *plain("bound"),
            Column("measured", "measured [95 %]", "%"),
            *plain("measured_sync_us"),
            Column("difference", "difference [95 %]", "%"),
            *plain("agrees too_wide sentence"),
        ],
        views=[
            View(
                "Devices on the curve, percent and points",
                "device sync_us waited_us predicted measured difference",
            )
        ],
    )


def _answers(curve: Curve, overheads: Sequence[float]) -> Table:
    rows = [
        (
            f"{100 * answer.overhead:g} %",
            answer.text,
            "-" if answer.outside else words.number(answer.device_us),
        )
        for answer in map(curve.latency_for, overheads)
    ]
    headers = "for at most", "a sync under us [95 %]", "of which the\ndevice may take"
    return Table("How fast a sync must be", numbers(*headers), rows)


def judged(marks: Sequence[Prediction]) -> list[str]:
    """Say how many devices agree with their own measurement, then what a reader must not miss."""
    agree = [mark.agrees is True for mark in marks if mark.agrees is not None or mark.too_wide]
    counted = f"{sum(agree)} of {len(agree)} devices measured beside the grid agree with the curve"
    if wide := sum(mark.too_wide for mark in marks):
        counted += f"; for {wide} the interval is too wide to tell"
    said = [
        mark.sentence for mark in marks if mark.outside or mark.agrees is False or mark.too_wide
    ]
    return [counted if agree else "no device was measured beside the grid", *said]


def _content(marked: Marked, overheads: Sequence[float]) -> dict[str, Any]:
    """Return a curve for programs. Fractions, not percent; units are in the names."""
    curve = marked.curve
    return {
        "group": _group(curve),
        "subject": curve.subject,
        "reference": curve.baseline.reference,
        "range_sync_us": list(curve.range_us),
        "points": _points(curve).content()["points"],
        "left_out": list(curve.left_out),
        "answers": [_answer(curve.latency_for(overhead)) for overhead in overheads],
        "predictions": _marks(marked).content()["points"],
    }


def _group(curve: Curve) -> dict[str, Any]:
    return sweeps.group(curve.baseline) | {"threads": curve.baseline.threads}


def _answer(answer: Answer) -> dict[str, Any]:
    """Return an answer for programs: null outside the range, with the side in `outside`."""
    ends = {"sync_us": answer.sync_us, "sync_us_low": answer.low, "sync_us_high": answer.high}
    ends["device_us"] = answer.device_us
    return {
        "overhead": answer.overhead,
        **{name: us if us is not None and math.isfinite(us) else None for name, us in ends.items()},
        "outside": answer.outside,
        "resolved": answer.resolved,
        "text": answer.text,
        "sentence": answer.sentence,
    }


def _lines(marked: Marked) -> list[dict[str, Any]]:
    """Return a line per point and per device; callers of a point waited its sync."""
    every: list[tuple[Any, ...]] = [
        ("points", p.result.device, p.sync_us, p.sync_us, fit, p.overhead, p.work.bytes_per_sync)
        for p, fit in zip(marked.curve.points, marked.curve.fitted, strict=True)
    ]
    every += [
        ("predictions", m.device, m.sync_us, m.waited_us, m.predicted, m.measured or NOTHING, None)
        for m in marked.marks
    ]
    return [
        {
            **_group(marked.curve),
            **{"kind": kind, "device": device, "sync_us": sync_us, "waited_us": waited_us},
            **spelled("fitted", fitted),
            **spelled("measured", measured),
            "bytes_per_sync": size,
        }
        for kind, device, sync_us, waited_us, fitted, measured, size in every
    ]
