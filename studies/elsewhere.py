"""`waltax run --endpoint`: servers that their owners run, in place of devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..engines import ELSEWHERE
from ..runners.recipe import typed

if TYPE_CHECKING:
    from ..runners.campaign import Campaign
    from ..runners.cells.setting import Endpoint
    from .devices import DevicesAsked

OPTIONS = (
    typed.endpoints(),
    click.option(
        "--allow-remote",
        is_flag=True,
        help="An endpoint may be on another machine, whose network is in its figures.",
    ),
    click.option(
        "--remove-data",
        is_flag=True,
        help="Measure nothing: remove what earlier campaigns wrote into the endpoints.",
    ),
)
# What says of an endpoint what its owner decides, or what a session would have to make anew.
_REMOVED = "ycsb-a"  # whose data go, where no workload is named
_REFUSED = (
    *(
        "set",
        "options",
        "engine",
        "devices",
        "durability",
        "wal_dir",
        "wal_with_data",
        "binlog",
        "allow_mismatch",
    ),
    *("builds", "benches", "memory_mib", "ratios", "memory_by", "receipts"),
    *("read_latency_us", "cpu_counters"),
)


def campaigns(asked: DevicesAsked) -> Sequence[Campaign]:
    """One of a cell for each endpoint.

    Errors: UsageError for what is none, and for a flag of what its owner decides.
    """
    from .. import workloads
    from ..runners.cells.endpoint.label import require_comparison

    for name in _REFUSED:
        if name in asked.given:
            raise UsageError(
                f"{asked.given[name]}: found with --endpoint, whose owner decides on that; leave "
                "it out"
            )
    endpoints = _named(asked)
    require_comparison(endpoints)
    recipe = replace(
        asked.recipe("run"),
        engine=ELSEWHERE,
        workloads=tuple(name for word in asked.workloads for name in workloads.named(word)),
        endpoints=endpoints,
        twin=False,  # a second driver would work on the same data
    )
    return [asked.campaign(recipe)]


def remove_data(asked: DevicesAsked) -> int | None:
    """Remove from each endpoint what was loaded into it, where that was asked for; else None.

    Errors: UsageError without endpoints; DriverFailed for one that cannot be reached.
    """
    if not asked.remove_data:
        _refuse_alone(asked, "allow_remote")
        return None
    _refuse_alone(asked, "remove_data")
    from .. import workloads
    from ..base.terminal import Terminal, say
    from ..runners.cells.endpoint.loading import Loader

    console = Terminal()
    word = asked.workloads[0] if asked.workloads else _REMOVED
    for one in _named(asked):
        Loader(one, workloads.named(word)[0]).remove()
        say(console, f"{one.label}, {one.url}: holds nothing of waltax's any more")
    return 0


def _refuse_alone(asked: DevicesAsked, name: str) -> None:
    if name in asked.given and not asked.endpoints:
        raise UsageError(f"{asked.given[name]}: found without --endpoint; name the endpoints, too")


def _named(asked: DevicesAsked) -> tuple[Endpoint, ...]:
    from ..runners.cells.endpoint.label import named

    found = map(named, asked.endpoints)
    return tuple(replace(one, may_be_remote=asked.allow_remote) for one in found)
