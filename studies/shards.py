"""`waltax sweep nodes`: the cost of the log in a store that is split over several nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base.errors import UsageError
from ..engines import ENGINES, SHARDED, Shards
from ..engines.shards import DIRECT, HASH, REDIRECT
from ..runners.recipe import command_line, mixes
from ..runners.recipe.axes import shards
from . import options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign, Recipe

_NODES = "1,2,4"
_WAYS = {way: way for way in ("direct", "redirect", "hash")}
_MOST_BYTES = 1 << 20
# Those of the published study.
_SIZES = "1 8 256 1024 4096 16384 65536 262144 1048576"
_WORKLOADS = tuple(name for name, record in workloads.WORKLOADS.items() if record.sharded)
_DEFAULT = _WORKLOADS[0]


@dataclass(frozen=True)
class ShardsRequest(Request):
    """`ways` are how the owner of a key is found; `value_sizes` are bytes of a single field."""

    ways: tuple[str, ...] = tuple(_WAYS)
    value_sizes: tuple[int, ...] = ()


def plan(request: ShardsRequest, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign of all cuts, each with its log off, flushed and synced.

    With value sizes, plan one for each size, with nodes that clients ask directly.
    """
    recipe = replace(
        request.recipe(STUDY.kind),
        durability="sync",
        beside=("flush",),
        shards=_cuts(request),
    )
    if not request.value_sizes:
        return [request.campaign(recipe)]
    return _of_sizes(request, replace(recipe, shards=tuple(_words(request, (DIRECT,)))))


def _cuts(request: ShardsRequest) -> tuple[str, ...]:
    """Return each cut once: some differ only when there are several nodes."""
    ways = request.ways
    if REDIRECT in ways and not ENGINES[request.engine].on_server:
        if "ways" in request.given:
            raise UsageError(
                f"--ways: found redirect with --engine {request.engine}, whose nodes are in one "
                "process; type --ways direct,hash, or --engine myrocks-shards"
            )
        ways = tuple(way for way in ways if way != REDIRECT)
    return tuple(dict.fromkeys(_words(request, ways)))


def _words(request: ShardsRequest, ways: Sequence[str]) -> list[str]:
    cuts = {
        DIRECT: Shards(shared=request.wal_shared),
        REDIRECT: Shards(route=REDIRECT, shared=request.wal_shared),
        HASH: Shards(owner=HASH, shared=request.wal_shared),
    }
    return [replace(cuts[way], nodes=number).word for number in request.nodes for way in ways]


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
    about="All cuts take turns, each with its log off, flushed and synced. Clients ask a key's "
    "owner (direct), one node, which asks the owner (redirect), or the owner by a hash (hash).",
    request=ShardsRequest,
    options=(
        *shards.nodes(_NODES),
        command_line.listed("--ways", "ways", _WAYS, _WAYS, "Ways to cut, separated by commas."),
        click.option(
            "--value-sizes",
            callback=_sizes,
            metavar="BYTES",
            help="Measure sizes of values instead, separated by blanks, a campaign each: records "
            "of one field, and nodes asked directly. published takes those of a published study.",
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
