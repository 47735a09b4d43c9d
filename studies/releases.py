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
from . import options
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


_Own = TypeVar("_Own", bound=ReleasesRequest)


def folder() -> Path:
    """Return the folder of releases: below build/, which `make clean` removes."""
    return home.place("build") / "releases"


def as_builds(request: _Own, say: Say) -> _Own:
    """Return the request with its releases as builds, each with its own defaults.

    It first fetches those that are missing. Errors: UsageError for another engine, and for a
    release that is unknown or fails verification.
    """
    from ..engines.releases import fetched

    if request.engine != EMBEDDED:
        raise UsageError(
            f"--engine: found {request.engine} with --release, which is of RocksDB; leave one out"
        )
    folder().mkdir(parents=True, exist_ok=True)
    paths = {
        version: fetched(version, release, folder(), say)
        for version, release in _known(request).items()
    }
    builds = (Named(version, str(path)) for version, path in paths.items())
    return replace(
        request,
        builds=(*builds, *request.builds),
        devices=request.devices or _DEVICES,
        workloads=request.workloads or _WORKLOADS,
    )


def _known(request: ReleasesRequest) -> dict[str, Release]:
    from ..engines.releases import named, table

    return named(request.releases, table.read())


def unplanned(request: ReleasesRequest) -> int | None:
    """Say which releases are missing, since they cannot be planned yet; None: none is."""
    if not request.only_plan:
        return None
    absent = [version for version in _known(request) if not (folder() / version).exists()]
    if not absent:
        return None
    click.echo(f"RocksDB {', '.join(absent)}: would be fetched into {folder()}.")
    click.echo("Their plan can be made once a run has fetched them.")
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
    options.gone(
        "--fetch", "leave it out; a run fetches what it lacks, and keeps it", is_flag=True
    ),
)
