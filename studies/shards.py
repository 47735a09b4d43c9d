"""`waltax sweep nodes`: the cost of the log in a store that is split over several nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .. import workloads
from ..base.errors import UsageError
from ..engines import ENGINES, SHARDED, Shards
from ..engines.shards import DIRECT, HASH, REDIRECT
from ..runners.recipe import command_line
from ..runners.recipe.axes import shards
from . import options
from .request import Request
from .study import Study, planned, reported

if TYPE_CHECKING:
    from ..runners.campaign import Recipe

_NODES = "1,2,4"
_WAYS = {way: way for way in ("direct", "redirect", "hash")}
_WORKLOADS = tuple(name for name, record in workloads.WORKLOADS.items() if record.sharded)
_DEFAULT = _WORKLOADS[0]


@dataclass(frozen=True)
class ShardsRequest(Request):
    """`ways` are how the owner of a key is found."""

    ways: tuple[str, ...] = tuple(_WAYS)


def _recipe(request: ShardsRequest) -> Recipe:
    """Return the recipe of all cuts, each with its log off, flushed and synced."""
    recipe = request.recipe(STUDY.kind)
    return replace(recipe, durability="sync", beside=("flush",), shards=_cuts(request))


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
    cuts = {
        DIRECT: Shards(shared=request.wal_shared),
        REDIRECT: Shards(route=REDIRECT, shared=request.wal_shared),
        HASH: Shards(owner=HASH, shared=request.wal_shared),
    }
    each = (replace(cuts[way], nodes=number).word for number in request.nodes for way in ways)
    return tuple(dict.fromkeys(each))


STUDY = Study(
    kind="study-shards",
    about="All cuts take turns, each with its log off, flushed and synced. Clients ask a key's "
    "owner (direct), one node, which asks the owner (redirect), or the owner by a hash (hash).",
    request=ShardsRequest,
    options=(
        *shards.nodes(_NODES),
        command_line.listed("--ways", "ways", _WAYS, _WAYS, "Ways to cut, separated by commas."),
        options.gone("--value-sizes", "a file of yours sets the size: type --workload ./mine.toml"),
        command_line.devices("Devices, separated by blanks; repeatable. Default: nvme.", "nvme"),
        options.wal_dir("Directory for the log on the real device."),
        options.profile("shards", "Size of data and caches, and time."),
        options.one_workload(_WORKLOADS, _DEFAULT),
        options.engine(SHARDED, "rocksdb-shards: one process, no network.", SHARDED[0]),
        options.threads(),
    ),
    plan=planned(_recipe),
    shows_overheads=False,
    report=reported("shards"),
)
