"""`waltax devices predict`: read a device's overhead off a measured curve."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import workloads
from ..base.errors import UsageError
from ..base.terminal import say
from ..cell import is_point
from ..engines import EMBEDDED, WHOLE
from ..runners.recipe import command_line
from . import curves, names, options

if TYPE_CHECKING:
    from ..analysis.sweep import Prediction
    from ..devices import Device
    from .curves import MeasuredCurve

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
@click.option(
    "--workload",
    type=click.Choice(workloads.DRIVEN),
    metavar="NAME",
    default=workloads.DEFAULT[0],
    show_default=True,
    help="The workload of the latency sweep.",
)
@click.option("--engine", type=click.Choice(WHOLE), default=EMBEDDED, show_default=True)
@click.option(
    "--threads",
    type=click.IntRange(1, options.MAX_THREADS),
    help="Number of clients. Default: that of the newest curve.",
)
@click.option(
    "--campaign",
    type=click.Path(path_type=Path),
    help="The latency sweep to use, or a campaign of `waltax try`. Default: the newest sweep of "
    "that engine and workload.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: fractions, not percent.")
@options.results()
def command(
    *, name: str | None, as_json: bool, results: Path, campaign: Path | None, **wanted: Any
) -> None:
    """Predict what the log would cost on a device that was not measured, from a latency sweep."""
    from ..base.terminal import Terminal

    names.refuse_without_off(wanted["engine"])
    device = _device(name)
    measured = curves.find(results, campaign, device.name, **wanted)
    content = _content(measured, device)
    if as_json:
        say(Terminal(), *json.dumps(content, indent=1, allow_nan=False).split("\n"))
    else:
        say(Terminal(), *_lines(measured, device, content))


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


def predict(measured: MeasuredCurve, device: Device, times_as_long: float = 1.0) -> Prediction:
    """Predict a device whose syncs take so many times as long as its model says."""
    from ..analysis.sweep import predictions

    assert device.model is not None
    own_us = curves.sync_us(measured.curve, device.model.tap_model())
    return predictions(measured.curve, {device.name: own_us * times_as_long})[0]


def in_states(measured: MeasuredCurve, device: Device) -> list[Prediction]:
    """Predict the fastest and the slowest state of the drive; none if one alone is known."""
    spread = device.spread
    ends = () if spread is None else (spread.fastest, spread.slowest)
    return [predict(measured, device, end) for end in ends]


def _content(measured: MeasuredCurve, device: Device) -> dict[str, Any]:
    """Return the prediction for programs."""
    from ..analysis.reports.latency import devices_on
    from ..analysis.reports.sweeps import group
    from ..analysis.results.source import origin_of
    from ..analysis.sweep import doubts

    curve, predicted = measured.curve, predict(measured, device)
    assert predicted.sync_us is not None  # `_device` checked that it has a model
    origin = origin_of(measured.rows)
    of_curve = (f"the curve: {doubt}" for doubt in doubts.of_curve(measured.rows, curve))
    return {
        **group(curve.baseline),
        "threads": curve.baseline.threads,
        **devices_on(curve.subject, [predicted]).content()["points"][0],
        "device_kind": device.kind,
        "probed": None if device.probe is None else device.probe.date,
        "bytes_per_sync": curves.bytes_per_sync(curve, predicted.sync_us),
        "in_states": [asdict(state.bound) for state in in_states(measured, device)],
        "campaign": measured.folder.name,
        "date": ", ".join(origin.measured_on),
        "machine": ", ".join(origin.machines),
        "range_sync_us": list(curve.range_us),
        "warnings": [*doubts.of_overhead(predicted.bound), *of_curve],
    }


def _lines(measured: MeasuredCurve, device: Device, content: dict[str, Any]) -> list[str]:
    """Return the prediction for people."""
    from ..analysis.results.words import percent

    curve, sentence = measured.curve, content["sentence"]
    why = _EVIDENCE[device.kind] if device.probe is None else f"probed on {device.probe.date}"
    rounds = min(point.rounds for point in curve.points)
    ends = [
        f"{percent(state.bound.value)}{_BEYOND.get(state.outside, '')}"
        for state in in_states(measured, device)
    ]
    return [
        f"{curve.subject}, log on {device.name}: {device.stands_for}",
        f"  {sentence}",
        *([f"  between {' and '.join(ends)} %, depending on the state of the drive"] * bool(ends)),
        f"  a sync takes {content['sync_us']:,.1f} us at {content['bytes_per_sync']:,.0f} bytes "
        f"({device.kind}: {why}), and callers wait {content['waited_us']:,.1f} us",
        f"  the curve: {os.path.relpath(measured.folder)}, measured on {content['date']}, "
        f"{len(curve.points)} points, {rounds} rounds, on {content['machine']}",
        *(f"warning: {warning}" for warning in content["warnings"]),
    ]
