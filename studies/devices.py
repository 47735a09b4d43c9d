"""`waltax run` and `run-device`: the cost of the log on each device, interleaved with no log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base.errors import UsageError
from ..cell import STUDY as DEVICES
from ..engines import PLACED
from ..runners.recipe import axes, command_line
from ..runners.recipe.parts import Cutting
from . import endpoints as elsewhere
from . import memory_campaigns, names, options, releases
from .study import Say, Study

if TYPE_CHECKING:
    from ..runners.campaign import Campaign


@dataclass(frozen=True)
class DevicesRequest(releases.ReleasesRequest, elsewhere.EndpointsRequest):
    """`receipts` also measures what each cell loses when the power is cut."""

    receipts: bool = False


def plan(request: DevicesRequest, say: Say) -> Sequence[Campaign]:
    """Plan one campaign, or one for each ratio of data to memory.

    Errors: UsageError for two devices in one folder.
    """
    if request.endpoints:
        return elsewhere.campaigns(request)
    if request.releases:
        request = releases.as_builds(request, say)
    named = request.devices or DEVICES
    if request.hosts is not None:
        _refuse_beside_hosts(request)
    names.refuse_shared_directory(request.wal_dir, named)
    devices = names.and_with_data(named, request)
    each = (name for word in request.workloads for name in workloads.named(word))
    request = replace(request, devices=devices, workloads=tuple(dict.fromkeys(each)))
    if request.receipts and request.builds:
        raise UsageError(
            "--receipts: found --build as well, but power is cut for the usual build alone; leave "
            "one of them out"
        )
    cutting = Cutting() if request.receipts else None
    recipe = replace(request.recipe(RUN.kind), cutting=cutting)
    if request.releases:
        beside = ("flush",) if request.durability is None else ()
        mode = request.durability or "sync"
        recipe = replace(recipe, durability=mode, beside=beside, twin=False)
    return memory_campaigns.campaigns(request, recipe)


def _refuse_beside_hosts(request: DevicesRequest) -> None:
    """Refuse what only this machine has, with --hosts. Errors: UsageError."""
    if request.receipts:
        raise UsageError(
            "--receipts: found --hosts as well; power is cut on one machine: type waltax receipts "
            "there, or leave one out"
        )
    if request.axes.get("options"):
        raise UsageError(
            "--options: found --hosts as well, which do not have the files of this machine; give "
            "their settings in a --profile, or by --set"
        )
    if request.wal_dir is not None:
        raise UsageError(
            "--wal-dir: found --hosts as well; each host says in its own devices.toml where its "
            "devices are (see docs/getting-started.md): leave --wal-dir out"
        )


def _plan_of_named(request: DevicesRequest, say: Say) -> Sequence[Campaign]:
    if not (request.devices or request.endpoints):
        raise UsageError(
            "--device: missing; type --device nvme, or --resume with a campaign's folder"
        )
    return plan(request, say)


def _instead(request: DevicesRequest) -> int | None:
    code = releases.unplanned(request)
    return elsewhere.remove_data(request) if code is None else code


OPTIONS = (
    options.profile("quick"),
    options.engine(
        PLACED,
        "rocksdb runs in the driver's process, myrocks and innodb in a MariaDB server; an engine "
        "with -shards has several --nodes.",
    ),
    command_line.workloads(
        workloads.WORDS,
        "Workloads, separated by blanks; repeatable. They take turns in the same rounds. "
        f"Default: {' and '.join(workloads.DEFAULT)}, where the profile has them.",
    ),
    command_line.devices(
        "Devices by name or file, separated by blanks; repeatable. They are compared with `off`, "
        "no log at all, and those of innodb with delayed. Default: ssd, nvme and nvram. A device "
        "that is named twice is an A/A comparison.",
    ),
    options.durability(
        "When a commit is acknowledged: once the device has its log (sync), once the kernel has "
        "it (flush), at once with the log written a second later (delayed), or at once without a "
        "log (off). Default: sync; for innodb sync and flush, compared with delayed.",
    ),
    options.wal_dir(),
    options.allow_mismatch(),
    options.threads("Number of clients; sweep threads takes several. Default: the profile's."),
    options.hosts(),
    *axes.options(*(name for name in axes.TABLE if name not in options.AXES_OF_EVERY)),
    *elsewhere.OPTIONS,
    options.gone("--route", "found {}, but clients ask the node that owns a key; leave it out"),
    click.option(
        "--receipts",
        is_flag=True,
        help="Afterwards cut the power at ten moments of a run of TPC-C in each cell, and report "
        "what is lost; see `waltax receipts`.",
    ),
)
RUN = Study(
    kind="run",
    noun="comparison of devices",
    about="The devices take turns in short slices, so that the machine's drift cancels. --resume "
    "goes on with an interrupted campaign of any command.",
    request=DevicesRequest,
    options=(*OPTIONS, *releases.OPTIONS),
    plan=plan,
    instead=_instead,
)
RUN_DEVICE = replace(RUN, plan=_plan_of_named)
