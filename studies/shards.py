"""`waltax sweep nodes`: the cost of the log in a store that is split over several nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..engines import SHARDED, Shards
from ..engines.shards import OWNERS, RANGE
from ..runners.recipe import command_line, mixes
from ..runners.recipe.axes import shards
from . import options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign, Recipe

_NODES = "1,2,4"
_WAYS = {owner: owner for owner in OWNERS}
_MOST_BYTES = 1 << 20
# Those of the published study.
_SIZES = "1 8 256 1024 4096 16384 65536 262144 1048576"
_WORKLOADS = tuple(name for name, record in workloads.WORKLOADS.items() if record.sharded)
_DEFAULT = _WORKLOADS[0]


@dataclass(frozen=True)
class ShardsRequest(Request):
    """`ways` are the owners of keys; `value_sizes` are bytes of a single field."""

    ways: tuple[str, ...] = OWNERS
    value_sizes: tuple[int, ...] = ()


def plan(request: ShardsRequest, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign of all cuts, each with its log off, flushed and synced.

    With value sizes, plan one for each size, with equal ranges of keys.
    """
    recipe = replace(
        request.recipe(STUDY.kind),
        durability="sync",
        beside=("flush",),
        shards=_cuts(request, request.ways),
    )
    if not request.value_sizes:
        return [request.campaign(recipe)]
    return _of_sizes(request, replace(recipe, shards=_cuts(request, (RANGE,))))


def _cuts(request: ShardsRequest, owners: Sequence[str]) -> tuple[str, ...]:
    """Return each cut once: some differ only when there are several nodes."""
    return tuple(
        dict.fromkeys(
            Shards(nodes, owner, request.wal_shared).word
            for nodes in request.nodes
            for owner in owners
        )
    )


def _of_sizes(request: ShardsRequest, recipe: Recipe) -> list[Campaign]:
    """Plan a campaign for each size of values, all with as many bytes of data."""
    from .. import profiles
    from . import profile_scale

    profile = profiles.load(recipe.profile, recipe.engine)
    made = []
    for size in request.value_sizes:
        sized, name = profile_scale.at_value_size(profile, recipe.workloads[0], size)
        of_size = replace(recipe, workloads=(name,), mixes=mixes.texts((name,)))
        made.append(request.campaign(of_size, sized))
    return made


def _sizes(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...]:
    read = command_line.numbers(_MOST_BYTES, "--value-sizes '1 256 4096', of bytes, or: published")
    return read(context, option, _SIZES if text == "published" else text)


STUDY = Study(
    kind="study-shards",
    noun="study of shards",
    about="All cuts take turns, each with its log off, flushed and synced. A key's owner is the "
    "node of its range, or that of a hash.",
    request=ShardsRequest,
    options=(
        *shards.nodes(_NODES),
        command_line.listed("--ways", "ways", _WAYS, _WAYS, "Ways to cut, separated by commas."),
        click.option(
            "--value-sizes",
            callback=_sizes,
            metavar="BYTES",
            help="Measure sizes of values instead, separated by blanks, a campaign each: records "
            "of one field, and equal ranges of keys. published takes those of a published study.",
        ),
        command_line.devices("Devices, separated by blanks; repeatable. Default: nvme.", "nvme"),
        options.wal_dir("Directory for the log on the real device."),
        options.profile("shards", "Size of data and caches, and time."),
        options.one_workload(_WORKLOADS, _DEFAULT),
        options.engine(SHARDED, "rocksdb-shards: one process, no network.", SHARDED[0]),
        options.threads(),
    ),
    plan=plan,
    tells_sizes=True,
    shows_overheads=False,
    report=reported("shards"),
)
