"""`waltax run --release`: what the log costs with each of several releases of RocksDB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import workloads
from ..base.errors import UsageError
from ..engines.builds.named import Named
from ..runners.recipe import typed
from . import names
from .asked import Request
from .study import Say, Study, reported

if TYPE_CHECKING:
    from ..engines.releases import Release
    from ..runners.campaign import Campaign

_WORKLOADS = ("kv-fillseq", "kv-fillrandom")
_DEVICES = ("nvme",)
# What may be typed beside --release; each release has the log off, flushed and synced.
_BESIDE = {
    *("releases", "only_fetch", "profile", "workloads", "devices", "wal_dir", "allow_mismatch"),
    *("threads", "before", "after", "read_latency_us", "cpu_counters", "seed", "resume"),
    *("only_plan", "share_machine", "results", "data_dir", "campaigns", "repeat", "interval_s"),
}


@dataclass(frozen=True)
class ReleasesRequest(Request):
    """`releases` are versions, as 10.4.2; the others are compared with the first."""

    releases: tuple[str, ...] = ()
    only_fetch: bool = False


def folder() -> Path:
    """Where releases are kept: below build/, which `make clean` removes."""
    from ..base import proc

    return proc.build_dir().absolute().parent / "releases"


def _wanted(request: ReleasesRequest) -> dict[str, Release]:
    from ..engines.releases import known, named

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
    """One campaign of all releases, whose log is off, flushed and synced.

    They are fetched first, where they are not there. Errors: UsageError for a release that is
    unknown, or is not what it says.
    """
    for name, flag in request.given.items():
        if name not in _BESIDE:
            raise UsageError(f"{flag}: found with --release, which takes none; leave it out")
    builds = _fetched(request, say)
    devices = request.devices or _DEVICES
    names.refuse_shared_directory(request.wal_dir, devices)
    chosen = dict.fromkeys(
        one for word in request.workloads or _WORKLOADS for one in workloads.named(word)
    )
    request = replace(request, devices=devices, workloads=tuple(chosen), durability="sync")
    return [request.campaign(replace(request.recipe(STUDY.kind), beside=("flush",), builds=builds))]


def _instead(request: ReleasesRequest) -> int | None:
    """Fetch, where that is all, or say what would be: no plan is made of releases that lack."""
    if request.only_plan:
        absent = [version for version in _wanted(request) if not (folder() / version).exists()]
        if absent:
            click.echo(f"RocksDB {', '.join(absent)}: would be fetched into {folder()}.")
            click.echo("What would be measured is told when they are there; --fetch fetches them.")
        return 0 if absent else None
    if not request.only_fetch:
        return None
    for one in _fetched(request, click.echo):
        click.echo(f"RocksDB {one.name}: {one.path}")
    return 0


def _releases(
    _context: click.Context, _option: click.Parameter, texts: Sequence[str]
) -> tuple[str, ...]:
    return tuple(word for text in texts for word in typed.words("--release", text))


OPTIONS = (
    click.option(
        "--release",
        "--releases",
        "releases",
        multiple=True,
        callback=_releases,
        metavar="VERSION",
        help="Releases of RocksDB, which are fetched by Maven and cargo, with the log off, flushed "
        "and synced; several, separated by blanks, or repeatable; the first is the base. "
        f"Default of --workload: {' and '.join(_WORKLOADS)}; of --device: nvme.",
    ),
    click.option(
        "--fetch",
        "only_fetch",
        is_flag=True,
        help="Of --release: fetch and verify them, measure nothing.",
    ),
)
STUDY = Study(
    kind="releases",
    noun="comparison of releases",
    about="",
    request=ReleasesRequest,
    options=(),
    plan=plan,
    report=reported("releases"),
    instead=_instead,
)
