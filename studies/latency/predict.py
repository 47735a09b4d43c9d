"""`waltax devices predict`: read a device's overhead off a measured curve."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ... import workloads
from ...base.errors import UsageError
from ...base.terminal import say
from ...cell import is_point
from ...engines import EMBEDDED, PROGRAM, WHOLE
from ...runners.recipe import command_line
from .. import names, options
from . import curves

if TYPE_CHECKING:
    from rich.console import Console

    from ...analysis.sweep import Curve, Prediction
    from ...devices import Device
    from .curves import MeasuredCurve


def _of_report(_context: click.Context, _option: click.Parameter, typed: bool) -> None:
    if typed:
        raise UsageError(
            "--check: the report of a sweep has what it predicts beside what it measured; of one "
            "device type --device nvme, and of a tried program also --campaign results/..."
        )


@click.command()
@click.option(
    "--device",
    "name",
    callback=command_line.device,
    help="A device of the catalog, or a file: ./mybox.toml of `waltax devices probe`, ./fio.json.",
)
@click.option("--check", is_flag=True, hidden=True, expose_value=False, callback=_of_report)
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
def command(*, name: str | None, as_json: bool, **wanted: Any) -> None:
    """Predict what the log would cost on a device that was not measured, from a latency sweep."""
    from ...base.terminal import Terminal

    console = Terminal()
    names.refuse_without_off(wanted["engine"])
    device = _device(name)
    sweep = curves.find(curves.Wanted(**wanted), device.name)
    prediction = predict(sweep, device)
    if as_json:
        _say_json(console, _content(sweep, device, prediction))
        return
    _print(sweep, device, prediction, console)


def _say_json(console: Console, content: dict[str, Any]) -> None:
    say(console, *json.dumps(content, indent=1, allow_nan=False).split("\n"))


def _device(name: str | None) -> Device:
    """Return the named device. Errors: UsageError if it has no sync times to look up on a curve."""
    from ... import devices

    if name is None:
        raise UsageError(
            "--device: missing; name one of the catalog or a device file (./mybox.toml), "
            "or type --check"
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


def predict(sweep: MeasuredCurve, device: Device, times_as_long: float = 1.0) -> Prediction:
    """Predict a device whose syncs take so many times as long as its model says."""
    from ...analysis.sweep import predictions

    assert device.model is not None
    own_us = curves.sync_us(sweep.curve, device.model.tap_model())
    return predictions(sweep.rows, sweep.curve, {device.name: own_us * times_as_long})[0]


def in_states(sweep: MeasuredCurve, device: Device) -> tuple[Prediction, Prediction] | None:
    """Predict the fastest and the slowest state of the drive; None if one alone is known."""
    spread = device.spread
    if spread is None:
        return None
    return predict(sweep, device, spread.fastest), predict(sweep, device, spread.slowest)


def _between(states: tuple[Prediction, Prediction]) -> str:
    """Say the overheads of both states; beyond the curve each is a bound."""
    from ...analysis.results import words

    low, high = (words.percent(state.bound.value) for state in states)
    beyond = {"above": " or more", "below": " or less"}
    low, high = (
        f"{said}{beyond.get(state.outside, '')}"
        for said, state in zip((low, high), states, strict=True)
    )
    return f"between {low} and {high} %, depending on the state of the drive"


_LONGER = 1.05  # worth a line from this ratio on
_EVIDENCE = {
    "measured": "its syncs were measured",
    "datasheet": "from a data sheet, not measured",
    "class-proxy": "of a similar product, not of this one",
    "estimate": "reasoned, not measured",
}


def _evidence(device: Device) -> str:
    """Say where the device's times come from."""
    if device.probe is not None:
        return f"{device.kind}: probed on {device.probe.date}"
    return f"{device.kind}: {_EVIDENCE[device.kind]}"


def _print(sweep: MeasuredCurve, device: Device, prediction: Prediction, console: Console) -> None:
    curve = sweep.curve
    assert prediction.sync_us is not None  # `_device` checked that it has a model
    size, waited_us = curves.bytes_per_sync(curve, prediction.sync_us), prediction.waited_us
    sync = f"{prediction.sync_us:,.1f} us at {size:,.0f} bytes"
    say(console, f"{curve.subject}, log on {device.name}: {device.stands_for}")
    say(console, f"  sync      {sync} ({_evidence(device)})")
    if waited_us > _LONGER * prediction.sync_us:
        say(console, f"  waited    {waited_us:,.1f} us, since callers wait for cores, too")
    say(console, f"  overhead  {_overhead(prediction)}")
    say(console, f"  that is   {_loss(curve, prediction)}")
    if states := in_states(sweep, device):
        say(console, f"  states    {_between(states)}")
    if prediction.measured is not None:
        say(console, f"  measured  {prediction.sentence}")
    say(console, f"  curve     {sweep.relative}, {sweep.circumstances}")
    say(console, *(f"warning: {warning}" for warning in _warnings(sweep, prediction)))


def _warnings(sweep: MeasuredCurve, prediction: Prediction) -> list[str]:
    """Return the doubts about the prediction and about the curve behind it."""
    from ...analysis.sweep import doubts

    own = doubts.of_overhead(prediction.bound)
    if prediction.outside:
        low, high = sweep.curve.range_us
        slower = "slower" if prediction.outside == "above" else "faster"
        own.insert(
            0,
            f"outside the curve: callers would wait {prediction.waited_us:,.1f} us, {slower} than "
            f"any wait that was measured ({low:,.1f} to {high:,.1f} us); only a bound is known",
        )
    return own + _of_curve(sweep)


def _of_curve(sweep: MeasuredCurve) -> list[str]:
    from ...analysis.sweep import doubts

    return [f"the curve: {doubt}" for doubt in doubts.of_curve(sweep.rows, sweep.curve)]


def _overhead(prediction: Prediction) -> str:
    from ...analysis.results import words

    bound = {"above": "at least ", "below": "at most "}.get(prediction.outside, "")
    return f"{bound}{words.cost(prediction.bound)}"


def _loss(curve: Curve, prediction: Prediction) -> str:
    """Return the throughput in words: how many of a hundred requests are left."""
    unit, of_program = curve.baseline.unit.request, curve.baseline.engine == PROGRAM
    beside = "with syncs that take no time" if of_program else "without a log"
    lost = prediction.bound
    if lost.value is None:
        return "unknown"
    left = f"{100 * (1 - lost.value):.0f}"
    if lost.low is not None and lost.high is not None:
        left += f" [{100 * (1 - lost.high):.0f}, {100 * (1 - lost.low):.0f}]"
    bound = {"above": "at most ", "below": "at least "}.get(prediction.outside, "")
    return f"{bound}{left} {unit}s in the time of 100 {beside}"


def _content(sweep: MeasuredCurve, device: Device, prediction: Prediction) -> dict[str, Any]:
    curve = sweep.curve
    assert prediction.sync_us is not None
    states = in_states(sweep, device)
    return {
        "device": device.name,
        "device_kind": device.kind,
        "probed": None if device.probe is None else device.probe.date,
        "engine": curve.baseline.engine,
        "workload": curve.baseline.workload,
        "profile": curve.baseline.profile,
        "threads": curve.baseline.threads,
        "sync_us": prediction.sync_us,
        "waited_us": prediction.waited_us,
        "bytes_per_sync": curves.bytes_per_sync(curve, prediction.sync_us),
        "outside": prediction.outside,
        "overhead": asdict(prediction.predicted),
        "overhead_bound": asdict(prediction.bound),
        **({"in_states": [asdict(state.bound) for state in states]} if states else {}),
        "measured": None if prediction.measured is None else asdict(prediction.measured),
        "campaign": sweep.folder.name,
        "date": sweep.date,
        "range_sync_us": list(curve.range_us),
        "warnings": _warnings(sweep, prediction),
    }
