"""`waltax run`, `paper` and `compare floor`: what the log costs on each device beside no log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import workloads
from ..base import home
from ..base.errors import UsageError
from ..cell import STUDY as DEVICES
from ..engines import ELSEWHERE, EMBEDDED, PLACED, WHOLE
from ..engines.builds.build import Named
from ..runners import hosts
from ..runners.recipe import axes, command_line
from . import options
from .request import Request
from .study import MOST_OCCASIONS, Changes, Study

if TYPE_CHECKING:
    from ..analysis import Report

# With endpoints, all but these is what their owner decides, or what a session would create.
_OURS = {
    *("endpoints", "workloads", "profile", "threads", "seed", "repeat"),
    *("interval_s", "hosts", "resume", "only_plan", "share_machine", "results", "data_dir"),
}


def _changes(request: Request) -> Iterator[Changes]:
    """Yield those of one campaign, or of one for each ratio of data to memory.

    Errors: UsageError for two devices in one folder.
    """
    from . import profile_scale

    if request.own.get("endpoints"):
        yield _elsewhere(request)
        return
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
    for bounded in profile_scale.bounded(request, works):
        yield {**what, **bounded}


def _elsewhere(request: Request) -> Changes:
    """Return those of a campaign with a cell for each server that its owner runs.

    Errors: UsageError for an invalid endpoint, or a flag for what its owner decides.
    """
    from ..runners.cells.driver import endpoint

    refused = [flag for name, flag in request.given.items() if name not in _OURS]
    if refused:
        raise UsageError(
            f"{', '.join(refused)}: found with --endpoint, whose owner decides on that; leave it "
            "out"
        )
    return {
        "engine": ELSEWHERE,
        "workloads": tuple(name for word in request.workloads for name in workloads.named(word)),
        "endpoints": endpoint.named(request.own["endpoints"]),
        "twin": False,  # a second driver would work on the same data
    }


def _released(request: Request) -> Iterator[Named]:
    """Yield the releases as builds, those that are missing once they are fetched.

    Errors: UsageError for another engine, and for a release that is unknown or fails verification.
    """
    from ..engines.releases import fetch

    releases = request.own.get("releases", ())  # a floor has none
    if releases and request.engine != EMBEDDED:
        raise UsageError(
            f"--engine: found {request.engine} with --release, which is of RocksDB; leave one out"
        )
    folder = home.place("build") / "releases"  # which `make clean` removes
    for version, release in fetch.named(releases, fetch.read()).items():
        folder.mkdir(parents=True, exist_ok=True)
        yield Named(version, str(fetch.fetched(version, release, folder, click.echo)))


def _refuse_beside_hosts(request: Request) -> None:
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
    return None if text is None else hosts.address(text, "--hosts")


def _versions(_context: click.Context, _option: click.Parameter, texts: Sequence[str]) -> list[str]:
    return [word for text in texts for word in command_line.words("--release", text)]


_OPTIONS = (
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
    command_line.endpoints(),
)
RUN = Study(
    kind="run",
    about="The devices take turns in short slices, so that the machine's drift cancels. --resume "
    "goes on with an interrupted campaign of any command.",
    options=(
        *_OPTIONS,
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
    changes=_changes,
)


def _floor(request: Request, folders: Sequence[Path]) -> Sequence[Report]:
    """Report the floor of these campaigns, unless only the first has been measured so far."""
    from ..analysis import reports

    if len(folders) == 1 and not request.campaigns:
        return []
    return [reports.floor(folders, request.results)]


FLOOR = Study(
    kind="floor",
    about="--campaign, repeated, takes campaigns of one recipe that were measured before. The "
    "floors are kept in floor.json in the results, where `waltax compare --gate` looks for them.",
    options=(
        *_OPTIONS,
        options.number(
            "--campaigns",
            5,
            (3, MOST_OCCASIONS),
            "How many campaigns to measure, one after the other.",
            "repeat",
        ),
    ),
    changes=lambda request: [{**each, "twin": True} for each in _changes(request)],
    repeats=False,
    report=_floor,
)


def _paper(request: Request) -> Iterator[Changes]:
    """Yield those of one campaign of both workloads, on the paper's profile or a scaled one."""
    from .. import profiles
    from . import profile_scale

    scale = request.own["scale"]
    what: dict[str, Any] = {
        "workloads": tuple(dict.fromkeys(request.workloads)) or workloads.DEFAULT,
        "profile": "paper",
        "devices": DEVICES,
        "durability": "sync",
    }
    if scale != 1:
        scaled = profile_scale.at_scale(profiles.load("paper", request.engine), scale)
        what["resized"] = scaled.model_dump(exclude_none=True)
    yield what


PAPER = Study(
    kind="paper",
    about="Scale 1 has 10 million ids and 100 warehouses, and takes hours: try --scale 0.01 first. "
    "Caches and logs have the paper's bounds at every scale. Both workloads take turns in one "
    "campaign; where memory or disk cannot hold both, name one of them.",
    options=(
        options.number(
            "--scale",
            1.0,
            (0.0001, 1),
            "Share of ids, warehouses and time. Each has a least value, so that intervals exist.",
        ),
        command_line.workloads(workloads.DEFAULT, "Workloads, separated by blanks. Default: both."),
        options.engine(["myrocks"], "The engine of the paper.", "myrocks"),
    ),
    changes=_paper,
)


def _tpcc(request: Request) -> Iterator[Changes]:
    """Yield those of a campaign in which each session of a cell is a run of tpcc_start."""
    from .. import profiles
    from . import profile_scale

    own, profile = request.own, profiles.load(request.profile, request.engine)
    threads, warehouses = own["connections"], own["warehouses"]
    profile = profile.model_copy(update={"threads": threads})
    share = warehouses / int(profile.workload("tpcc").load["warehouses"])
    section = profile_scale.section_at_scale(profile, "tpcc", share)
    times = {"settle_s": own["rampup"], "measure_s": own["measure"]}
    times["measure_s"] /= profile.timing.rounds_per_session
    named = profile_scale.renamed(
        profile,
        f"w{warehouses}-c{threads}",
        f"; {warehouses} warehouses",
        timing=profile.timing.model_copy(update=times),
        tpcc=section.model_copy(update={"threads": threads}),
    )
    yield {
        "workloads": ("tpcc",),
        "devices": request.devices or DEVICES,
        "resized": named.model_dump(exclude_none=True),
    }


TPCC = Study(
    kind="tpcc",
    about="In each session each device has the time of one run of tpcc_start, -r and -l, in slices "
    "that take turns. Data are loaded and checked, and the server of an engine is started, by "
    "waltax: no letter names one.",
    options=(
        options.number("-w", 1, (1, 1_000_000), "Warehouses, 60 MB each.", "warehouses"),
        options.number("-c", 10, (1, 1024), "Connections, a terminal each.", "connections"),
        options.number("-r", 10.0, (0, 10**6), "Ramp-up, in seconds.", "rampup"),
        options.number("-l", 20.0, (0.1, 10**6), "Measured seconds.", "measure"),
        options.profile("quick", "What else is measured how: a name, or a TOML file."),
        options.engine(WHOLE, "The engine under test."),
        command_line.devices("Devices, separated by blanks. Default: ssd, nvme and nvram."),
        options.durability("When a commit is acknowledged. Default: as waltax run has it."),
        options.wal_dir(),
    ),
    changes=_tpcc,
)
