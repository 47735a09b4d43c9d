"""The releases that are known: those whose library and headers are the same version, by digest."""

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
    """What is fetched of a release. Digests are sha256, of the library and of the crate's file."""

    classifier: str  # of the jar with the library; "" is the package's own
    library: Annotated[str, _SHA256]
    crate: str
    crate_version: str
    headers: Annotated[str, _SHA256]


@cache
def read(table: Path = TABLE) -> Mapping[str, Release]:
    """By versions, in the table's order. The table is ours: it is right, or a test fails."""
    return {version: Release.model_validate(one) for version, one in read_toml(table).items()}


def named(versions: Sequence[str], known: Mapping[str, Release]) -> dict[str, Release]:
    """Those of `versions`. Errors: UsageError for one that is unknown, or is named twice."""
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
