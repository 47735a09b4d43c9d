"""`waltax run --release`: the cost of the log in each of several releases of RocksDB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base import home
from ..base.errors import UsageError
from ..engines.builds.build_names import Named
from ..runners.recipe import command_line
from . import names
from .request import Request
from .study import Say, Study

if TYPE_CHECKING:
    from ..engines.releases import Release
    from ..runners.campaign import Campaign

_WORKLOADS = ("kv-fillseq", "kv-fillrandom")
_DEVICES = ("nvme",)
# Options allowed with --release; each release is measured with the log off, flushed and synced.
_BESIDE = {
    *("releases", "only_fetch", "profile", "workloads", "devices", "wal_dir", "allow_mismatch"),
    *("threads", "before", "after", "read_latency_us", "seed", "resume"),
    *("only_plan", "share_machine", "results", "data_dir", "campaigns", "repeat", "interval_s"),
}


@dataclass(frozen=True)
class ReleasesRequest(Request):
    """`releases` are versions, such as 10.4.2, which are compared with the first."""

    releases: tuple[str, ...] = ()
    only_fetch: bool = False


def folder() -> Path:
    """Return the folder of releases: below build/, which `make clean` removes."""
    return home.place("build") / "releases"


def _wanted(request: ReleasesRequest) -> dict[str, Release]:
    from ..engines.releases import named
    from ..engines.releases import table as known

    table = known.read()
    return named(request.releases, table)


def _fetched(request: ReleasesRequest, say: Say) -> tuple[Named, ...]:
    from ..engines.releases import fetched

    wanted = _wanted(request)
    folder().mkdir(parents=True, exist_ok=True)
    return tuple(
        Named(version, str(fetched(version, release, folder(), say)))
        for version, release in wanted.items()
    )


def plan(request: ReleasesRequest, say: Say) -> Sequence[Campaign]:
    """Plan one campaign of all releases, with the log off, flushed and synced.

    It first fetches those that are missing. Errors: UsageError for a release that is unknown or
    fails verification.
    """
    for name, flag in request.given.items():
        if name not in _BESIDE:
            raise UsageError(f"{flag}: found with --release, which takes none; leave it out")
    builds = _fetched(request, say)
    devices = request.devices or _DEVICES
    names.refuse_shared_directory(request.wal_dir, devices)
    chosen = dict.fromkeys(
        name_of for word in request.workloads or _WORKLOADS for name_of in workloads.named(word)
    )
    request = replace(request, devices=devices, workloads=tuple(chosen), durability="sync")
    return [request.campaign(replace(request.recipe(STUDY.kind), beside=("flush",), builds=builds))]


def _instead(request: ReleasesRequest) -> int | None:
    """Handle --fetch, and --plan of releases that are missing, which cannot be planned yet."""
    if request.only_plan:
        absent = [version for version in _wanted(request) if not (folder() / version).exists()]
        if absent:
            click.echo(f"RocksDB {', '.join(absent)}: would be fetched into {folder()}.")
            click.echo("Their plan can be made once they are there: --fetch only fetches them.")
        return 0 if absent else None
    if not request.only_fetch:
        return None
    for build in _fetched(request, click.echo):
        click.echo(f"RocksDB {build.name}: {build.path}")
    return 0


def _releases(
    _context: click.Context, _option: click.Parameter, texts: Sequence[str]
) -> tuple[str, ...]:
    return tuple(word for text in texts for word in command_line.words("--release", text))


OPTIONS = (
    click.option(
        "--release",
        "--releases",
        "releases",
        multiple=True,
        callback=_releases,
        metavar="VERSION",
        help="Releases of RocksDB, separated by blanks; repeatable. Maven and cargo fetch them. "
        "Each has its log off, flushed and synced, and is compared with the first. "
        f"Default of --workload: {' and '.join(_WORKLOADS)}; of --device: nvme.",
    ),
    click.option(
        "--fetch",
        "only_fetch",
        is_flag=True,
        help="With --release: only fetch and verify them.",
    ),
)
STUDY = Study(
    kind="releases",
    noun="comparison of releases",
    about="",
    request=ReleasesRequest,
    options=(),
    plan=plan,
    instead=_instead,
)
