"""`waltax devices predict`: read a device's overhead off a measured curve."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..base.terminal import say
from ..device_names import is_point
from ..engines import PROGRAM
from ..runners.recipe import campaign_file, command_line
from . import curves, options

if TYPE_CHECKING:
    from ..analysis.sweep import Curve, Prediction
    from ..devices import Device
    from ..row import Row

_EVIDENCE = {
    "measured": "its syncs were measured",
    "datasheet": "from a data sheet, not measured",
    "class-proxy": "of a similar product, not of this one",
    "estimate": "reasoned, not measured",
}
_BEYOND = {"above": " or more", "below": " or less"}


@click.command()
@click.option(
    "--device",
    "name",
    callback=command_line.device,
    help="A device of the catalog, or a file: ./mybox.toml of `waltax devices probe`, ./fio.json.",
)
@options.gone(
    "--check",
    "the report of a sweep has what it predicts beside what it measured; of one device type "
    "--device nvme, and of a tried program also --campaign results/...",
    is_flag=True,
)
@options.several(
    options.gone(
        flag, "found {}; a sweep has one of each: name the sweep, as in --campaign results/..."
    )
    for flag in ("--engine", "--workload", "--threads")
)
@click.option(
    "--campaign",
    type=options.FOLDER,
    help="The latency sweep to use, or a campaign of `waltax try`. Default: the newest sweep.",
)
@options.gone(
    "--json",
    "curve.json has it, which waltax sweep latency --campaign results/... --device NAME writes",
    is_flag=True,
)
@options.results()
def command(*, name: str | None, results: Path, campaign: Path | None) -> None:
    """Predict what the log would cost on a device that was not measured, from a latency sweep."""
    from .. import analysis
    from ..base.terminal import Terminal

    device, folder = _device(name), campaign or _newest_sweep(results)
    rows = analysis.load([folder])
    of_program = campaign_file.told(folder).engine == PROGRAM
    measured = _curves(rows, device.name if of_program else "")
    if not measured:
        raise UsageError(
            f"--campaign: {folder} has no curve; name one of waltax sweep latency or waltax try"
        )
    for curve in measured:
        say(Terminal(), *_lines(folder, rows, curve, device))


def _newest_sweep(results: Path) -> Path:
    """Return the folder of the newest latency sweep; names sort by time. Errors: UsageError."""
    for path in sorted(results.glob("*/rows.jsonl"), reverse=True):
        if campaign_file.told(path.parent).kind == "sweep-latency":
            return path.parent
    raise UsageError(
        f"{os.path.relpath(results)}: no latency sweep there; measure one, in about ten minutes: "
        f"{command_line.program()} sweep latency"
    )


def _curves(rows: list[Row], without: str) -> Sequence[Curve]:
    """Return the curves of these rows, without a device that is no end of them."""
    from ..analysis import sweep

    every = sweep.curves(rows)
    inner = {point.device for curve in every for point in curve.points[1:-1]}
    return sweep.curves(rows, without=without) if without in inner else every


def _device(name: str | None) -> Device:
    """Return the named device. Errors: UsageError if it has no sync times to look up on a curve."""
    from .. import devices

    if name is None:
        raise UsageError(
            "--device: missing; name one of the catalog or a device file (./mybox.toml)"
        )
    device = devices.load(name)
    if device.is_off:
        raise UsageError(f"--device: {device.name} writes no log: nothing is to be predicted")
    if device.model is None:
        raise UsageError(
            f"--device: {device.name} has no [model] with times of its syncs; probe its directory: "
            f"waltax devices probe {device.path or 'DIR'}, and name the file that it writes"
        )
    if is_point(device.name):
        raise UsageError(
            f"--device: {device.name} is one of the sweep's own, which the curve goes through: "
            "see curve.csv of the campaign"
        )
    return device


def _predicted(curve: Curve, device: Device, times_as_long: float = 1.0) -> Prediction:
    """Predict a device whose syncs take so many times as long as its model says."""
    from ..analysis.sweep import predictions

    assert device.model is not None
    own_us = curves.sync_us(curve, device.model.tap_model())
    return predictions(curve, {device.name: own_us * times_as_long})[0]


def _lines(folder: Path, rows: list[Row], curve: Curve, device: Device) -> list[str]:
    """Return what the curve says of the device, of the drive's states, and how it is known."""
    from ..analysis.results.source import origin_of
    from ..analysis.results.words import percent
    from ..analysis.sweep.predictions import doubts

    predicted, origin, spread = _predicted(curve, device), origin_of(rows), device.spread
    assert predicted.sync_us is not None  # `_device` checked that it has a model
    shares = () if spread is None else (spread.fastest, spread.slowest)
    states = [_predicted(curve, device, share) for share in shares]
    ends = [percent(state.bound.value) + _BEYOND.get(state.outside, "") for state in states]
    why = _EVIDENCE[device.kind] if device.probe is None else "by devices probe"
    rounds = min(point.rounds for point in curve.points)
    return [
        f"{curve.subject}, log on {device.name}: {device.stands_for}",
        f"  {predicted.sentence}",
        *([f"  between {' and '.join(ends)} %, depending on the state of the drive"] * bool(ends)),
        f"  a sync takes {predicted.sync_us:,.1f} us at "
        f"{curves.bytes_per_sync(curve, predicted.sync_us):,.0f} bytes ({device.kind}: {why}), and "
        f"callers wait {predicted.waited_us:,.1f} us",
        f"  the curve: {os.path.relpath(folder)}, measured on {', '.join(origin.measured_on)}, "
        f"{len(curve.points)} points, {rounds} rounds, on {', '.join(origin.machines)}",
        *(f"warning: {doubt}" for doubt in doubts(rows, curve, predicted.bound)),
    ]
