"""`waltax sweep latency`: how fast a log device must be, from a curve over sync latencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..device_names import is_point, point_name
from . import names, options
from .request import Request
from .study import Study, planned

if TYPE_CHECKING:
    from ..analysis import Report
    from ..devices import Device
    from ..runners.campaign import Recipe

# From 5 to 5,000 us in equal logarithmic steps, three per decade; 0 is the tap's floor.
LATENCIES_US = (0, 5, 11, 23, 50, 108, 232, 500, 1077, 2321, 5000)


@dataclass(frozen=True)
class LatencyRequest(Request):
    """`overhead` is in percent: the report says how fast a sync must be to cost no more."""

    overhead: float = 5.0


def _recipe(request: LatencyRequest) -> Recipe:
    """Return the recipe of off, the grid, the study's devices and the user's own."""
    recipe = names.beside_the_study(request, STUDY.kind)
    devices = dict.fromkeys([*map(point_name, LATENCIES_US), *recipe.devices])
    return replace(recipe, devices=tuple(devices))


def _report(request: LatencyRequest, folders: Sequence[Path]) -> list[Report]:
    """Report the curve, and mark on it the catalog's devices and the user's own."""
    from ..analysis import reports
    from . import curves

    on = curves.on(_known(folders, request.devices))
    return [reports.latency(folders, devices=on, emphasised=request.overhead / 100)]


def _known(folders: Sequence[Path], named: Sequence[str]) -> list[Device]:
    """Return the user's devices to mark: those named, and measured ones whose file exists."""
    from .. import devices
    from ..runners.recipe import campaign_file

    measured = [name for folder in folders for name in campaign_file.told(folder).devices]
    there = [name for name in measured if Path(name).is_file() and not is_point(Path(name).stem)]
    return [devices.load(name) for name in dict.fromkeys([*there, *named])]


STUDY = Study(
    kind="sweep-latency",
    about="Emulated devices from 0 to 5,000 us take turns with off, ssd, nvme and nvram. The curve "
    "is fitted to the grid alone, so that these three, and each --device, test its predictions.",
    request=LatencyRequest,
    options=(
        *options.beside_the_study("sweep", "Size of the experiment."),
        options.threads(),
        options.number(
            "--overhead",
            5.0,
            (0.01, 99.99),
            "The most percent that the log may cost; the report says how fast a sync must be.",
        ),
    ),
    plan=planned(_recipe),
    report=_report,
    of_report=frozenset({"overhead"}),
    of_report_again=frozenset({"devices"}),
)
