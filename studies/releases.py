"""`waltax run --release`: releases of RocksDB as builds, which are fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ..base import home
from ..base.errors import UsageError
from ..engines import EMBEDDED
from ..engines.builds.build_names import Named
from ..runners.recipe import command_line
from .request import Request
from .study import Say

if TYPE_CHECKING:
    from ..engines.releases import Release

_WORKLOADS = ("kv-fillseq", "kv-fillrandom")
_DEVICES = ("nvme",)


@dataclass(frozen=True)
class ReleasesRequest(Request):
    """`releases` are versions, such as 10.4.2, which are compared with the first."""

    releases: tuple[str, ...] = ()
    only_fetch: bool = False


_Own = TypeVar("_Own", bound=ReleasesRequest)


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


def as_builds(request: _Own, say: Say) -> _Own:
    """Return the request with its releases as builds, each with its own defaults.

    It first fetches those that are missing. Errors: UsageError for another engine, and for a
    release that is unknown or fails verification.
    """
    if request.engine != EMBEDDED:
        raise UsageError(
            f"--engine: found {request.engine} with --release, which is of RocksDB; leave one out"
        )
    return replace(
        request,
        builds=(*_fetched(request, say), *request.builds),
        devices=request.devices or _DEVICES,
        workloads=request.workloads or _WORKLOADS,
    )


def fetch_alone(request: ReleasesRequest) -> int | None:
    """Handle --fetch, and --plan of releases that are missing, which cannot be planned yet."""
    if request.only_fetch and not request.releases:
        raise UsageError("--fetch: found without --release, which says what to fetch; add it")
    if not request.releases:
        return None
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
