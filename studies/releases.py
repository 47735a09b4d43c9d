"""`waltax run --release`: releases of RocksDB as builds, which are fetched."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..base import home
from ..base.errors import UsageError
from ..engines import EMBEDDED
from ..engines.builds.build_names import Named
from ..runners.recipe import command_line
from . import options
from .request import Request
from .study import Say


def builds(versions: Sequence[str], request: Request, say: Say) -> tuple[Named, ...]:
    """Return releases as builds, those that are missing once they are fetched.

    Errors: UsageError for another engine, for a plan before they are fetched, and for a release
    that is unknown or fails verification.
    """
    from ..engines.releases import fetched, named, table

    if request.engine != EMBEDDED:
        raise UsageError(
            f"--engine: found {request.engine} with --release, which is of RocksDB; leave one out"
        )
    known = named(versions, table.read())
    folder = home.place("build") / "releases"  # which `make clean` removes
    absent = [version for version in known if not (folder / version).exists()]
    if absent and request.only_plan:
        raise UsageError(
            f"--plan: found with --release {' '.join(absent)}, which is not here yet; leave --plan "
            f"out, and a run fetches it into {folder}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(
        Named(version, str(fetched(version, release, folder, say)))
        for version, release in known.items()
    )


def _versions(_context: click.Context, _option: click.Parameter, texts: Sequence[str]) -> list[str]:
    return [word for text in texts for word in command_line.words("--release", text)]


OPTIONS = (
    click.option(
        "--release",
        "--releases",
        "releases",
        multiple=True,
        callback=_versions,
        metavar="VERSION",
        help="Releases of RocksDB to compare with the first, as builds, separated by blanks; "
        "repeatable. Maven and cargo fetch them.",
    ),
    options.gone(
        "--fetch", "leave it out; a run fetches what it lacks, and keeps it", is_flag=True
    ),
)
