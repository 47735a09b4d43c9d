"""`waltax run --endpoint`: measure servers that their owners run, in place of devices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..engines import ELSEWHERE
from ..runners.recipe import command_line
from .request import Request
from .study import Changes

if TYPE_CHECKING:
    from ..runners.recipe.parts import Endpoint

OPTIONS = (
    command_line.endpoints(),
    click.option(
        "--allow-remote",
        is_flag=True,
        help="Let an endpoint be on another machine. The network is then in its figures.",
    ),
    click.option(
        "--remove-data",
        is_flag=True,
        help="Measure nothing, and remove what earlier campaigns wrote into the endpoints.",
    ),
)
_REMOVED = "ycsb-a"  # its data are removed unless another workload is named
# Options for what an endpoint's owner decides, or a session would create, beside those of axes.
_REFUSED = (
    *("engine", "devices", "durability", "wal_dir", "wal_with_data", "binlog", "allow_mismatch"),
    *("builds", "memory_mib", "ratios", "memory_by"),
    "releases",
    "read_latency_us",
)


@dataclass(frozen=True)
class EndpointsRequest(Request):
    """`endpoints` are the user's servers, as typed."""

    endpoints: tuple[str, ...] = ()
    allow_remote: bool = False
    remove_data: bool = False


def changes(request: EndpointsRequest) -> Changes:
    """Return those of a campaign with a cell for each endpoint.

    Errors: UsageError for an invalid endpoint, or a flag for what its owner decides.
    """
    from .. import workloads
    from ..runners.cells.driver.endpoint import require_comparison

    for name in (*request.axes, *_REFUSED):
        if name in request.given:
            raise UsageError(
                f"{request.given[name]}: found with --endpoint, whose owner decides on that; leave "
                "it out"
            )
    endpoints = _named(request)
    require_comparison(endpoints)
    return {
        "engine": ELSEWHERE,
        "workloads": tuple(name for word in request.workloads for name in workloads.named(word)),
        "endpoints": endpoints,
        "twin": False,  # a second driver would work on the same data
    }


def remove_data(request: EndpointsRequest) -> int | None:
    """Remove what was loaded into each endpoint if --remove-data was typed; else return None.

    Errors: UsageError without endpoints; DriverFailed for one that cannot be reached.
    """
    if not request.remove_data:
        _refuse_alone(request, "allow_remote")
        return None
    _refuse_alone(request, "remove_data")
    from .. import workloads
    from ..base.terminal import Terminal, say
    from ..runners.cells.driver.endpoint import remove

    console = Terminal()
    word = request.workloads[0] if request.workloads else _REMOVED
    for endpoint in _named(request):
        remove(endpoint, workloads.named(word)[0])
        say(console, f"{endpoint.label}, {endpoint.url}: holds nothing of waltax's any more")
    return 0


def _refuse_alone(request: EndpointsRequest, name: str) -> None:
    if name in request.given and not request.endpoints:
        raise UsageError(
            f"{request.given[name]}: found without --endpoint; name the endpoints, too"
        )


def _named(request: EndpointsRequest) -> tuple[Endpoint, ...]:
    from ..runners.cells.driver.endpoint import named

    endpoints = map(named, request.endpoints)
    return tuple(replace(endpoint, may_be_remote=request.allow_remote) for endpoint in endpoints)
