"""`waltax predict`: a device's overhead, read off a curve that was measured."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ... import workloads
from ...cell import STUDY, is_point
from ...engines import EMBEDDED, ENGINES
from ...errors import UsageError
from ...runners import typed
from ...terminal import say
from .. import options
from . import curves, marks

if TYPE_CHECKING:
    from rich.console import Console

    from ...analysis.sweep import Prediction
    from ...devices import Device
    from .curves import MeasuredCurve


@click.command()
@typed.device(
    "Of the catalog, or a device file: ./mybox.toml, as `waltax devices probe` writes it."
)
@click.option("--check", is_flag=True, help="Predict what the sweep measured, too: is it right?")
@click.option(
    "--workload",
    type=click.Choice(workloads.DEFAULT),
    default=workloads.DEFAULT[0],
    show_default=True,
)
@click.option("--engine", type=click.Choice(list(ENGINES)), default=EMBEDDED, show_default=True)
@click.option(
    "--threads",
    type=click.IntRange(1, options.MAX_THREADS),
    help="Default: those of the newest curve.",
)
@click.option(
    "--campaign",
    type=click.Path(path_type=Path),
    help="Default: the newest latency sweep of that engine and workload.",
)
@click.option("--json", "as_json", is_flag=True, help="For programs; fractions, not percent.")
@options.results()
def command(*, name: str | None, check: bool, as_json: bool, **wanted: Any) -> None:
    """What the log would cost on a device that was not measured, from a latency sweep."""
    from ...terminal import Terminal

    console = Terminal()
    if check:
        _refuse_beside_check(name, as_json=as_json)
        _check(curves.find(curves.Wanted(**wanted)), console)
        return
    device = _device(name)
    sweep = curves.find(curves.Wanted(**wanted))
    found = predict(sweep, device)
    if as_json:
        text = json.dumps(_content(sweep, device, found), indent=1, allow_nan=False)
        say(console, *text.split("\n"))
        return
    _print(sweep, device, found, console)


def _refuse_beside_check(name: str | None, *, as_json: bool) -> None:
    if name is not None or as_json:
        other = "--json" if name is None else "--device"
        raise UsageError(f"--check: found {other} beside it; leave one of them out")


def _device(name: str | None) -> Device:
    """Errors: UsageError for a device that has no sync times, which a curve is read at."""
    from ... import devices

    if name is None:
        raise UsageError(
            "--device: missing; name one of the catalog or a device file (with make: "
            "DEVICE=./mybox.toml), or type --check"
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


def predict(sweep: MeasuredCurve, device: Device) -> Prediction:
    from ...analysis.sweep import predictions

    assert device.model is not None
    times = {device.name: marks.sync_us(sweep.curve, device.model.tap_model())}
    return predictions(sweep.rows, sweep.curve, times)[0]


_LONGER = 1.05  # from then on it is worth a line
_EVIDENCE = {
    "measured": "its syncs were measured",
    "datasheet": "from a data sheet, not measured",
    "class-proxy": "of a similar product, not of this one",
    "estimate": "reasoned, not measured",
}


def _evidence(device: Device) -> str:
    """What kind of evidence the device's times are."""
    if device.probe is not None:
        return f"{device.kind}: probed on {device.probe.date}"
    return f"{device.kind}: {_EVIDENCE[device.kind]}"


def _print(sweep: MeasuredCurve, device: Device, found: Prediction, console: Console) -> None:
    curve = sweep.curve
    assert found.sync_us is not None  # `_device` saw that there is a model
    size = marks.bytes_per_sync(curve, found.sync_us)
    say(console, f"{curve.subject}, log on {device.name}: {device.stands_for}")
    say(console, f"  sync      {found.sync_us:,.1f} us at {size:,.0f} bytes ({_evidence(device)})")
    if found.waited_us > _LONGER * found.sync_us:
        say(console, f"  waited    {found.waited_us:,.1f} us, since callers wait for cores, too")
    say(console, f"  overhead  {_overhead(found)}")
    say(console, f"  that is   {_loss(found)}")
    if found.measured is not None:
        say(console, f"  measured  {found.sentence}")
    say(console, f"  curve     {sweep.relative}, {sweep.circumstances}")
    for one in _warnings(sweep, found):
        say(console, f"warning: {one}")


def _warnings(sweep: MeasuredCurve, found: Prediction) -> list[str]:
    """Of the prediction, then of the curve that it was read off: it is no better than that."""
    from ...analysis.sweep import doubts

    own = doubts.of_overhead(found.bound)
    if found.outside:
        low, high = sweep.curve.range_us
        slower = "slower" if found.outside == "above" else "faster"
        own.insert(
            0,
            f"outside the curve: callers would wait {found.waited_us:,.1f} us, {slower} than any "
            f"wait that was measured ({low:,.1f} to {high:,.1f} us); only a bound is known",
        )
    return own + _of_curve(sweep)


def _of_curve(sweep: MeasuredCurve) -> list[str]:
    from ...analysis.sweep import doubts

    return [f"the curve: {one}" for one in doubts.of_curve(sweep.rows, sweep.curve)]


def _overhead(found: Prediction) -> str:
    from ...analysis import words

    bound = {"above": "at least ", "below": "at most "}.get(found.outside, "")
    one = found.bound
    return f"{bound}{words.percent(one.value)} % {words.bounds(one.low, one.high)}"


def _loss(found: Prediction) -> str:
    """Throughput in words: what is left of a hundred requests."""
    one = found.bound
    if one.value is None:
        return "unknown"
    left = f"{100 * (1 - one.value):.0f}"
    if one.low is not None and one.high is not None:
        left += f" [{100 * (1 - one.high):.0f}, {100 * (1 - one.low):.0f}]"
    bound = {"above": "at most ", "below": "at least "}.get(found.outside, "")
    return f"{bound}{left} requests in the time of 100 without a log"


def _content(sweep: MeasuredCurve, device: Device, found: Prediction) -> dict[str, Any]:
    curve = sweep.curve
    assert found.sync_us is not None
    return {
        "device": device.name,
        "device_kind": device.kind,
        "probed": None if device.probe is None else device.probe.date,
        "engine": curve.engine,
        "workload": curve.workload,
        "profile": curve.profile,
        "threads": curve.threads,
        "sync_us": found.sync_us,
        "waited_us": found.waited_us,
        "bytes_per_sync": marks.bytes_per_sync(curve, found.sync_us),
        "outside": found.outside,
        "overhead": asdict(found.predicted),
        "overhead_bound": asdict(found.bound),
        "measured": None if found.measured is None else asdict(found.measured),
        "campaign": sweep.folder.name,
        "date": sweep.date,
        "range_sync_us": list(curve.range_us),
        "warnings": _warnings(sweep, found),
    }


def _check(sweep: MeasuredCurve, console: Console) -> None:
    """Errors: UsageError when the campaign measured no device beside its grid."""
    from ... import devices
    from ...analysis.sweep import doubts

    curve = sweep.curve
    say(
        console,
        f"{curve.subject}: the curve of {sweep.relative}, {sweep.circumstances}; "
        "its fit does not know these",
    )
    direct = [found for name in STUDY if (found := _direct(sweep, devices.load(name)))]
    if not direct:
        raise UsageError(f"--check: {sweep.folder.name} measured none of {', '.join(STUDY)}")
    for one in direct:
        say(console, f"  {one.sentence}")
    for one in direct:
        for doubt in doubts.of_overhead(one.bound):
            say(console, f"warning: {one.device}: {doubt}")
    for said in _of_curve(sweep):
        say(console, f"warning: {said}")


def _direct(sweep: MeasuredCurve, device: Device) -> Prediction | None:
    found = predict(sweep, device)
    return None if found.measured is None else found
