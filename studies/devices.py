"""`waltax run` and `run-device`: the cost of the log on each device, interleaved with no log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click

from .. import workloads
from ..base import home
from ..base.errors import UsageError
from ..cell import STUDY as DEVICES
from ..engines import EMBEDDED, PLACED
from ..engines.builds.build import Named
from ..runners.hosts import where
from ..runners.recipe import axes, command_line
from . import endpoints as elsewhere
from . import memory_campaigns, options
from .study import Changes, Study


@dataclass(frozen=True)
class DevicesRequest(elsewhere.EndpointsRequest):
    """`releases` are versions of RocksDB."""

    releases: tuple[str, ...] = ()


def changes(request: DevicesRequest) -> Iterator[Changes]:
    """Yield those of one campaign, or of one for each ratio of data to memory.

    Errors: UsageError for two devices in one folder.
    """
    if request.endpoints:
        yield elsewhere.changes(request)
        return
    if request.allow_remote:
        raise UsageError("--allow-remote: found without --endpoint; name the endpoints, too")
    if request.hosts is not None:
        _refuse_beside_hosts(request)
    released = map(str, _released(request))
    request = request.at(build=(*released, *request.axes.get("build", ())))
    each = dict.fromkeys(name for word in request.workloads for name in workloads.named(word))
    what = {
        "devices": request.devices or DEVICES,
        "workloads": (works := tuple(each)),
        "axes": request.axes,
    }
    for bounded in memory_campaigns.bounded(request, works):
        yield {**what, **bounded}


def _released(request: DevicesRequest) -> Iterator[Named]:
    """Yield the releases as builds, those that are missing once they are fetched.

    Errors: UsageError for another engine, and for a release that is unknown or fails verification.
    """
    from ..engines.releases import fetch

    if request.releases and request.engine != EMBEDDED:
        raise UsageError(
            f"--engine: found {request.engine} with --release, which is of RocksDB; leave one out"
        )
    folder = home.place("build") / "releases"  # which `make clean` removes
    for version, release in fetch.named(request.releases, fetch.read()).items():
        folder.mkdir(parents=True, exist_ok=True)
        yield Named(version, str(fetch.fetched(version, release, folder, click.echo)))


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


def _versions(_context: click.Context, _option: click.Parameter, texts: Sequence[str]) -> list[str]:
    return [word for text in texts for word in command_line.words("--release", text)]


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
)
RUN = Study(
    kind="run",
    about="The devices take turns in short slices, so that the machine's drift cancels. --resume "
    "goes on with an interrupted campaign of any command.",
    request=DevicesRequest,
    options=(
        *OPTIONS,
        click.option(
            "--release",
            "--releases",
            "releases",
            multiple=True,
            callback=_versions,
            metavar="VERSION",
            help="Releases of RocksDB to compare with the first, as builds, separated by blanks; "
            "repeatable. Maven and cargo fetch them, for a plan as well.",
        ),
    ),
    changes=changes,
)
