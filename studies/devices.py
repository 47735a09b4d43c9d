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
from ..runners.hosts import where
from ..runners.recipe import axes, command_line
from . import endpoints as elsewhere
from . import memory_campaigns, names, options, releases
from .study import Say, Study

if TYPE_CHECKING:
    from ..runners.campaign import Campaign


@dataclass(frozen=True)
class DevicesRequest(elsewhere.EndpointsRequest):
    """`releases` are versions of RocksDB."""

    releases: tuple[str, ...] = ()


def plan(request: DevicesRequest, say: Say) -> Sequence[Campaign]:
    """Plan one campaign, or one for each ratio of data to memory.

    Errors: UsageError for two devices in one folder.
    """
    if request.endpoints:
        return elsewhere.campaigns(request)
    if request.releases:
        named = map(str, releases.builds(request.releases, request, say))
        request = request.at(build=(*named, *request.axes.get("build", ())))
    if request.hosts is not None:
        _refuse_beside_hosts(request)
    devices = request.devices or DEVICES
    names.refuse_shared_directory(request.wal_dir, devices)
    each = (name for word in request.workloads for name in workloads.named(word))
    request = replace(request, devices=devices, workloads=tuple(dict.fromkeys(each)))
    return memory_campaigns.campaigns(request, request.recipe(RUN.kind))


def _refuse_beside_hosts(request: DevicesRequest) -> None:
    """Refuse what only this machine has, with --hosts. Errors: UsageError."""
    if "options" in request.axes:
        raise UsageError(
            "--options: found --hosts as well, which do not have the files of this machine; give "
            "their settings in a --profile, or by --set"
        )
    if request.wal_dir is not None:
        raise UsageError(
            "--wal-dir: found --hosts as well; each host says in its own devices.toml where its "
            "devices are (see docs/getting-started.md): leave --wal-dir out"
        )


def _scheduler(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    return None if text is None else where.address(text, "--hosts")


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
    options.ALLOW_MISMATCH,
    options.threads("Number of clients; sweep threads takes several. Default: the profile's."),
    click.option(
        "--hosts",
        metavar="ADDRESS",
        callback=_scheduler,
        help="Let the workers of the dask scheduler at tcp://HOST:PORT measure a session each.",
    ),
    *axes.options(*axes.TABLE),
    *elsewhere.OPTIONS,
    options.WITH_DATA_GONE,
    options.gone("--route", "found {}, but clients ask the node that owns a key; leave it out"),
    options.gone("--receipts", "type waltax receipts --device NAME, for one device", is_flag=True),
)
RUN = Study(
    kind="run",
    about="The devices take turns in short slices, so that the machine's drift cancels. --resume "
    "goes on with an interrupted campaign of any command.",
    request=DevicesRequest,
    options=(*OPTIONS, *releases.OPTIONS),
    plan=plan,
    instead=elsewhere.remove_data,
)
