"""A user's request, before this machine is looked at; and how a campaign keeps it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field

from ...base.errors import UsageError
from ...base.tomlfile import shown
from ...engines import DURABILITIES, ENGINES, Shards
from ...engines.builds.build_names import Named, named
from ...workloads import WORKLOADS
from ..doctor import Finding
from .parts import Bound, Command, Cutting, Endpoint

_STRICT = ConfigDict(strict=True, extra="forbid")


def _one_of(words: Collection[str]) -> AfterValidator:
    """Return a check for one of these words, which may grow."""

    def check(value: Any) -> Any:
        if value not in words:
            raise ValueError(f"found {shown(value)}, want one of {', '.join(words)}")
        return value

    return AfterValidator(check)


def _read(read: Callable[[Any], Any]) -> AfterValidator:
    """Return a check that replaces a value by what `read` makes of it, as for typed texts."""

    def check(value: Any) -> Any:
        try:
            return read(value)
        except UsageError as error:
            raise ValueError(str(error)) from None

    return AfterValidator(check)


_Workload = Annotated[str, _one_of(WORKLOADS)]
_Durability = Annotated[str, _one_of(DURABILITIES)]
_Threads = Annotated[int, Field(ge=1, le=1024)]
_Shards = Annotated[str, _read(lambda text: Shards.of(text).word)]
_Build = Annotated[Named, _read(lambda build: named(f"{build.name}={build.path}"))]
_Seed = Annotated[int, Field(ge=0, lt=2**31)]


@dataclass(frozen=True)
class Recipe:
    """What a user requested; enough to plan the same campaign again.

    Its JSON is that of campaign.json, so the annotations must hold for all that is read there.
    """

    __pydantic_config__ = _STRICT

    engine: Annotated[str, _one_of(ENGINES)]
    workloads: tuple[_Workload, ...]  # none: all that the profile sizes
    profile: str
    devices: tuple[str, ...]
    durability: _Durability | None = None  # None: the default of `comparison.plan`
    # Durabilities measured beside it, without knobs.
    beside: tuple[_Durability, ...] = ()
    threads: tuple[_Threads, ...] = ()  # none: what the profile says
    # How the store is cut; none: like an engine of one store.
    shards: tuple[_Shards, ...] = ()
    knobs: tuple[str, ...] = ()  # of embedded RocksDB: each gets a cell
    ladder: bool = False  # the rungs of `comparison.ladder` in place of all that
    twin: bool = False  # whether a baseline of each workload is measured twice
    wal_dir: str | None = None
    allow_mismatch: bool = False
    seed: _Seed = field(default_factory=lambda: secrets.randbelow(2**31))
    kind: str = "run"  # the study that planned it, goes on with it, and reports it
    builds: tuple[_Build, ...] = ()  # of the engine; none: the usual one, unnamed
    command: Command | None = None
    binlog: str | None = None  # the device of servers' second log, or "same"; None: none
    cutting: Cutting | None = None  # whether and how power is cut in each cell
    bound: Bound | None = None  # on the memory of each cell
    before: str | None = None  # shell commands around each session: see `local`
    after: str | None = None
    # The texts of the user's own mixes, by their names among `workloads`.
    mixes: dict[str, str] = field(default_factory=dict)
    endpoints: tuple[Endpoint, ...] = ()  # servers in place of devices
    typed: str = ""  # the words behind `waltax`, quoted as for a shell
    # The typed values of the axes in `runners.axes.TABLE` with an option of their own.
    axes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # The content of a profile that the study made of `profile`, at another size; none: that itself.
    resized: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kept(Recipe):
    """A recipe, where its data are, and what the machine was like when the campaign began."""

    seed: _Seed = field(kw_only=True)
    profile_digest: str = field(kw_only=True)
    kind: str = field(kw_only=True)
    data_dir: str = field(kw_only=True)
    data_identity: str | None = None  # of its disk; None: whoever passed it on took that out
    doctor: tuple[Finding, ...] = ()
