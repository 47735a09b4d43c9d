"""The report of a latency sweep: how fast a sync must be, the curve, and answers from it.

A program that wants another point of a curve reads the rows again (`results.curve.curves`);
`campaigns` and each curve's group identify them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..figures import style
from ..figures.points import whiskers
from ..numerals import number, share
from ..report import Report
from ..results import CellResult, words
from ..results.curve import Answer, Curve, Prediction, curves
from ..series import Column, Line, Plot, Series, View, plain
from ..stats import Interval
from . import sweeps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Devices = Callable[[Curve], Mapping[str, float]]
"""Returns the mean sync of devices, in us, for writes of the size that a curve's groups make."""

ASKED = (0.05, 0.10, 0.25, 0.50)
_FIT = "slowdown: isotonic regression over the mean latency of a sync, linear between the points"
_EDGES = {
    "": "",
    "below": "\N{LESS-THAN OR EQUAL TO} ",
    "above": "\N{GREATER-THAN OR EQUAL TO} ",
}
_LEGEND = (
    "points: measured on emulated devices of one latency each, with 95 % intervals; line and band: "
    "monotone fit; names: devices read off the fit, hollow where they were measured too"
)
_INK, _ANSWER = "#1f3b57", "#7a5c00"
_STEPS = 60  # along the x axis


def latency(campaigns: Sequence[Path], *, devices: Devices, emphasised: float = 0.05) -> Report:
    """Report the curves of these campaigns, and where `devices` lie on them.

    Any other device measured beside the grid, such as a directory, is marked at the time its own
    callers waited. `emphasised` is the overhead, a fraction, whose answer comes first. Errors:
    UsageError if the rows hold no latency sweep; else as `load`.
    """

    return sweeps.report(
        campaigns, name="curve",
        series=lambda rows: [_series(curve, devices, emphasised) for curve in curves(rows)],
        lacking="no latency sweep; it has two devices sync-<us>us or more, with syncs, beside "
        "their baseline: see `waltax sweep latency`",
        legend=_LEGEND, size=(10.0, 5.6), called="curves", content={"fit": _FIT},
    )  # fmt: skip


def _series(curve: Curve, devices: Devices, asked: float) -> Series[CellResult]:
    marks = sorted(curve.predictions(devices(curve)), key=lambda mark: mark.waited_us)
    baseline, answer = curve.baseline, curve.latency_for(asked).sentence
    doubtful = words.doubtful(curve.points)
    answers, on_curve = _answers(curve, asked), _devices_on(marks)
    return Series(
        axis="mean time that a caller waits for a sync of the log, us",
        subject=f"{curve.subject}, profile {baseline.profile}",
        points=curve.points,
        columns=[
            Column("device", "device", "text"),
            *plain("cell baseline"),
            Column("model_sync_us"),
            Column("sync_us", "sync us"),
            Column("overhead", "overhead % [95 %]", "%", "interval"),
            Column(
                "fitted", "fit % [95 %]", "%",
                lambda point: curve.overhead_at(point.facts["sync_us"]),
            ),
            Column("bytes_per_sync", "bytes\na sync"),
            *plain("sessions rounds"),
        ],
        views=[View("The curve")],
        verdict=f"{answer[0].upper()}{answer[1:]}{doubtful}.",
        sentences=judged(marks),
        group=sweeps.group(baseline) | {"threads": baseline.threads},
        own={
            "reference": baseline.reference,
            "range_sync_us": list(curve.range_us),
            "answers": answers.content()["points"],
            "predictions": on_curve.content()["points"],
        },
        more=[*answers.tables(), *on_curve.tables()],
        at=lambda point: point.facts["sync_us"],
        line=lambda _: Line("measured on the grid", "", "none", "o", style.INK),
        plots=[
            Plot(
                f"overhead, % of the throughput of {words.against(baseline)}", "overhead",
                draw=partial(_draw, curve, marks, curve.latency_for(asked)),
            )
        ],
    )  # fmt: skip


def _answers(curve: Curve, asked: float) -> Series[Answer]:
    """Return the answers; for programs null outside the range, with the side in `outside`."""

    def us(end: str) -> Column[Answer]:
        def of(answer: Answer) -> float | None:
            value: float | None = getattr(answer.sync_us, end)
            return value if value and math.isfinite(value) else None

        return Column("sync_us" if end == "value" else f"sync_us_{end}", of=of)

    return Series(
        points=[curve.latency_for(overhead) for overhead in sorted({*ASKED, asked})],
        columns=[
            Column("overhead", "for at most", text=lambda answer: f"{100 * answer.overhead:g} %"),
            *map(us, ("value", "low", "high")),
            Column("text", "a sync under us [95 %]", "text"),
            Column("device_us", "of which the\ndevice may take"),
            *plain("outside resolved"),
            *plain("sentence"),
        ],
        views=[View("How fast a sync must be")],
    )


def _devices_on(marks: Sequence[Prediction]) -> Series[Prediction]:
    """Return the series of what a curve says of devices."""

    def bound(mark: Prediction) -> str:
        return _EDGES[mark.outside] + share(mark.bound)

    return Series(
        points=marks,
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
        views=[View("Devices on the curve, percent and points")],
    )


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


def _draw(
    curve: Curve,
    marks: Sequence[Prediction],
    answer: Answer,
    axes: Axes,
    _points: Sequence[CellResult],
) -> None:
    """Draw the fit with its band, the overhead that was asked for, and the devices read off it."""
    at = np.geomspace(*curve.range_us, _STEPS)
    at[0], at[-1] = curve.range_us  # without rounding beyond the range
    fitted = [curve.overhead_at(float(us)).scaled(100) for us in at]
    ends = [(interval.value, interval.low, interval.high) for interval in fitted]
    value, low, high = np.array(ends, dtype=float).T
    axes.plot(at, value, color=_INK, label="monotone fit")
    axes.fill_between(at, low, high, color=_INK, alpha=0.16, linewidth=0, label="95 % band")
    height = 100 * answer.overhead
    said = f"for at most {height:g} % a sync under\n{answer.text} us"
    axes.axhline(height, color=_ANSWER, linewidth=0.9, linestyle=":", label=said)
    for mark in marks:
        own_us = mark.waited_us if mark.sync_us is None else mark.sync_us
        name = f"{mark.device} {number(own_us)} us"
        if not mark.outside:
            read = [Interval(mark.predicted.value, None, None).scaled(100)]
            look = Line(name, mark.device, "none")
            whiskers(axes, [mark.waited_us], read, look, markersize=7.5, zorder=5)
        if mark.measured is not None:
            look = Line(name if mark.outside else "_", mark.device, "none", is_open=True)
            place = [mark.measured_sync_us or mark.waited_us]
            whiskers(axes, place, [mark.measured.scaled(100)], look, markersize=7.5, zorder=4)
