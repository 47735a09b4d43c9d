"""`waltax sweep load`: what the log adds to latency at 10 to 95 % of what `off` can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..runners.recipe import command_line
from ..runners.recipe.axes import load
from . import names, options
from .request import Request
from .study import Study, planned

if TYPE_CHECKING:
    from ..analysis import Report

_LOADS = "10,30,50,80,95"
# As in the profile of this study: with few clients a sync would hold up who does not wait for it.
_CLIENTS = 64


@dataclass(frozen=True)
class LoadRequest(Request):
    """`p99_ms` is the bound that a device passes at its knee."""

    p99_ms: int = 10


def _report(request: LoadRequest, folders: Sequence[Path]) -> list[Report]:
    from ..analysis import reports

    return [reports.load(folders, p99_ms=request.p99_ms)]


STUDY = Study(
    kind="sweep load",
    about="Requests arrive at random moments, at shares of what off does in a closed loop, which "
    "is measured first. Latency counts from when a request was due. All cells take turns.",
    request=LoadRequest,
    options=(
        *options.beside_the_study("sweep-load", "Size of the experiment; for myrocks: sweep."),
        options.threads(
            f"Number of clients, whose requests add up to the load. Default: {_CLIENTS}.",
            _CLIENTS,
        ),
        click.option(
            "--load",
            "load",
            callback=command_line.numbers(load.MOST, _LOADS, fewest=2),
            default=_LOADS,
            show_default=True,
            help="Loads to compare, in percent, separated by commas; two or more.",
        ),
        options.number(
            "--p99-ms", 10, (1, 10**6), "The knee of a device is the load at which p99 passes this."
        ),
    ),
    plan=planned(lambda request: names.beside_the_study(request, "sweep load")),
    shows_overheads=False,
    report=_report,
    of_report=frozenset({"p99_ms"}),
)
