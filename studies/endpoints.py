"""`waltax run --endpoint`: measure servers that their owners run, in place of devices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import click

from ..base.errors import UsageError
from ..engines import ELSEWHERE
from ..runners.recipe import command_line
from .request import Request
from .study import Changes

OPTIONS = (
    command_line.endpoints(),
    click.option(
        "--allow-remote",
        is_flag=True,
        help="Let an endpoint be on another machine. The network is then in its figures.",
    ),
)
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


def changes(request: EndpointsRequest) -> Changes:
    """Return those of a campaign with a cell for each endpoint.

    Errors: UsageError for an invalid endpoint, or a flag for what its owner decides.
    """
    from .. import workloads
    from ..runners.cells.driver.endpoint import named, require_comparison

    for name in (*request.axes, *_REFUSED):
        if name in request.given:
            raise UsageError(
                f"{request.given[name]}: found with --endpoint, whose owner decides on that; leave "
                "it out"
            )
    endpoints = tuple(
        replace(named(typed), may_be_remote=request.allow_remote) for typed in request.endpoints
    )
    require_comparison(endpoints)
    return {
        "engine": ELSEWHERE,
        "workloads": tuple(name for word in request.workloads for name in workloads.named(word)),
        "endpoints": endpoints,
        "twin": False,  # a second driver would work on the same data
    }
