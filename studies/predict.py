"""`waltax devices predict`: read a device's overhead off a measured curve.

A device lies on a curve at the mean time of its syncs, at the bytes that they would write.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..base.printable import say
from ..runners.recipe import command_line
from . import curve_lookup, options

if TYPE_CHECKING:
    from ..analysis.results.curve import Curve
    from ..devices import Device
    from ..row import Row

_BEYOND = {"above": " or more", "below": " or less"}


@click.command()
@click.option(
    "--device",
    "name",
    required=True,
    callback=command_line.device,
    help="A device of the catalog, or a file: ./mybox.toml of `waltax devices probe`, ./fio.json.",
)
@click.option(
    "--campaign",
    type=options.FOLDER,
    help="The latency sweep to use, or a campaign of `waltax try`. Default: the newest sweep.",
)
@options.results()
def command(*, name: str, results: Path, campaign: Path | None) -> None:
    """Predict what the log would cost on a device that was not measured, from a latency sweep."""
    from .. import analysis
    from ..analysis.results.curve import curves
    from ..base.terminal import Terminal

    device, folder = _device(name), campaign or options.last_campaign(results, "sweep-latency")
    rows = analysis.load([folder])
    measured = curves(rows)
    if device.name in {point.device for curve in measured for point in curve.points[1:-1]}:
        measured = curves(rows, without=device.name)
    if not measured:
        raise UsageError(
            f"--campaign: {folder} has no curve; name one of waltax sweep latency or waltax try"
        )
    for curve in measured:
        say(Terminal(), *_lines(folder, rows, curve, device))


def _device(name: str) -> Device:
    """Return the named device. Errors: UsageError if it has no sync times to look up on a curve."""
    from .. import devices

    device = devices.load(name)
    if device.is_off:
        raise UsageError(f"--device: {device.name} writes no log: nothing is to be predicted")
    if device.model is None:
        raise UsageError(
            f"--device: {device.name} has no [model] with times of its syncs; probe its directory: "
            f"waltax devices probe {device.path or 'DIR'}, and name the file that it writes"
        )
    return device


def _lines(folder: Path, rows: list[Row], curve: Curve, device: Device) -> list[str]:
    """Return what the curve says of the device, of the drive's states, and how it is known."""
    from ..analysis.results.source import origin_of
    from ..analysis.results.words import percent

    assert device.model is not None  # as `_device` checked
    sync, spread = curve_lookup.sync_us(curve, device.model.tap_model()), device.spread
    size = curve_lookup.bytes_per_sync(curve, sync)
    shares = () if spread is None else (spread.fastest, spread.slowest)
    predicted, *states = (
        curve.predict(device.name, sync * times_as_long) for times_as_long in (1, *shares)
    )
    ends = [percent(state.bound.value) + _BEYOND.get(state.outside, "") for state in states]
    origin, rounds = origin_of(rows), min(point.rounds for point in curve.points)
    return [
        f"{curve.subject}, log on {device.name}: {device.stands_for}",
        f"  {predicted.sentence}",
        *([f"  between {' and '.join(ends)} %, depending on the state of the drive"] * bool(ends)),
        f"  a sync takes {sync:,.1f} us at {size:,.0f} bytes (evidence: "
        f"{device.kind}), and callers wait {predicted.waited_us:,.1f} us",
        f"  the curve: {os.path.relpath(folder)}, measured on {', '.join(origin.measured_on)}, "
        f"{len(curve.points)} points, {rounds} rounds, on {', '.join(origin.machines)}",
        *(f"warning: the curve: {said}" for said in (*curve.warnings, *origin.warnings)),
    ]
