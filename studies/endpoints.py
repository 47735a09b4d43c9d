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
# All but these is what an endpoint's owner decides, or what a session would create.
_OURS = (
    *("endpoints", "allow_remote", "workloads", "profile", "threads", "seed"),
    *("repeat", "interval_s", "hosts", "resume", "only_plan", "share_machine"),
    *("results", "data_dir"),
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

    refused = [flag for name, flag in request.given.items() if name not in _OURS]
    if refused:
        raise UsageError(
            f"{', '.join(refused)}: found with --endpoint, whose owner decides on that; leave it "
            "out"
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
