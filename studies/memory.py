"""`waltax sweep memory`: the cost of the log with less and more data than memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import workloads
from ..runners.recipe import command_line
from ..runners.recipe.axes import memory_bound
from ..runners.recipe.parts import Bound
from . import memory_campaigns, options
from .request import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..runners.campaign import Campaign

_THREADS = ("1", "4")
_MEMORY_MIB = {"rocksdb": 128, "myrocks": 256}  # a server takes much of it for itself
_RATIOS = "0.25 0.75 1.25 2.5 5"
# Workloads whose size in bytes is known at every scale.
_WORKLOADS = tuple(name for name, record in workloads.WORKLOADS.items() if record.scale.in_bytes)
_DEFAULT = "shop"


def plan(request: Request, _say: Say) -> Sequence[Campaign]:
    """Plan a campaign for each ratio: off and the devices, with one client and with four.

    Errors: UsageError for a bound that cannot be enforced.
    """
    usual, typed = _MEMORY_MIB[request.engine], map(Bound.of, request.axes["memory"])
    memory = tuple(replace(bound, mib=bound.mib or usual).word for bound in typed)
    threads = request.axes.get("threads", _THREADS)
    recipe = request.at(memory=memory, threads=threads).recipe(STUDY.kind)
    return memory_campaigns.campaigns(request, replace(recipe, durability="sync"))


STUDY = Study(
    kind="study-memory",
    about="Each ratio of data to memory is a campaign: off and the devices, one client and four. "
    "Memory is 128 MiB, or 256 with MyRocks, unless --memory says otherwise. The report has "
    "throughput, tails, device reads and waits per operation, and the overhead.",
    request=Request,
    options=(
        *memory_bound.options(ratios=_RATIOS),
        command_line.devices("Devices, separated by blanks; repeatable. Default: nvme.", "nvme"),
        options.profile("memory", "Size of caches, and time. --ratio sets the size of the data."),
        options.one_workload(_WORKLOADS, _DEFAULT),
        options.engine(options.WITH_OFF, "An engine that can run without a log."),
        options.threads("Number of clients. Default: 1 and 4."),
    ),
    plan=plan,
    shows_overheads=False,
    report=reported("memory"),
)
