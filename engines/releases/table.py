"""The known releases, whose library and headers have the same version, with their digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

from ...base.errors import UsageError
from ...base.tomlfile import Strict, matching, read_toml

TABLE = Path(__file__).parent / "known.toml"
_SHA256 = matching(r"[0-9a-f]{64}", "a sha256, 64 hexadecimal digits")


class Release(Strict):
    """The packages of a release, with the sha256 of the library and of the crate's file."""

    classifier: str  # of the jar with the library; "" is the package's own
    library: Annotated[str, _SHA256]
    crate: str
    crate_version: str
    headers: Annotated[str, _SHA256]


@cache
def read(table: Path = TABLE) -> Mapping[str, Release]:
    """Return releases by version, in the order of our table, which a test keeps correct."""
    return {version: Release.model_validate(row) for version, row in read_toml(table).items()}


def named(versions: Sequence[str], known: Mapping[str, Release]) -> dict[str, Release]:
    """Return the releases of `versions`. Errors: UsageError for an unknown or repeated one."""
    for version in versions:
        if version not in known:
            raise UsageError(
                f"--release: found {version}; of these releases the registries' library and "
                f"headers are known to match: {' '.join(known)}",
                "to add one, see docs/extending.md",
            )
    if len(set(versions)) < len(versions):
        raise UsageError(f"--release: found one twice in {' '.join(versions)}; name each once")
    return {version: known[version] for version in versions}
