"""`waltax sweep nodes`: the cost of the log in a store that is split over several nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .. import workloads
from ..engines import SHARDED, Shards
from ..engines.shards import OWNERS
from ..runners.recipe import command_line
from ..runners.recipe.axes import shards
from . import options
from .request import Request
from .study import Study, planned, reported

if TYPE_CHECKING:
    from ..runners.campaign import Recipe

_NODES = "1,2,4"
_WAYS = {owner: owner for owner in OWNERS}
_WORKLOADS = tuple(name for name, record in workloads.WORKLOADS.items() if record.sharded)
_DEFAULT = _WORKLOADS[0]


@dataclass(frozen=True)
class ShardsRequest(Request):
    """`ways` are how the owner of a key is found."""

    ways: tuple[str, ...] = OWNERS


def _recipe(request: ShardsRequest) -> Recipe:
    """Return the recipe of all cuts, each with its log off, flushed and synced."""
    cuts = [
        replace(Shards.of(word), owner=owner).word
        for word in request.axes["shards"]
        for owner in request.ways
    ]
    # Some differ only when there are several nodes.
    recipe = request.at(shards=tuple(dict.fromkeys(cuts))).recipe(STUDY.kind)
    return replace(recipe, durability="sync", beside=("flush",))


STUDY = Study(
    kind="study-shards",
    about="All cuts take turns, each with its log off, flushed and synced. A key's owner is the "
    "node of its range, or that of a hash.",
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
