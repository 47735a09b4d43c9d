"""A user's request, before this machine is looked at; and how a campaign keeps it."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field

from ...base.errors import UsageError
from ...base.tomlfile import shown
from ...cell import LONGEST_READ_US
from ...devices.device import NAME_PATTERN
from ...engines import DURABILITIES, ENGINES, Shards
from ...engines.builds.build_names import Named, named
from ...workloads import WORKLOADS
from ..doctor import OK, UNKNOWN, WARN, Finding
from .parts import CGROUP, DIRECT, Bound, Command, Cutting, Endpoint

_MOST = 1000  # of anything repeatable
_MOST_NUMBER = 1 << 24
_PATH, _NAME = 4096, 255  # the kernel's longest, in bytes
_STRICT = ConfigDict(strict=True, extra="forbid")


def _place(text: str) -> str:
    try:
        parts = os.fsencode(text).split(b"/")
    except UnicodeEncodeError:
        parts = [b"\0"]
    if b"\0" in b"".join(parts) or len(text) > _PATH or max(map(len, parts)) > _NAME:
        raise ValueError("found what cannot be a file's name")
    return text


def _one_of(words: Collection[str], name: str = "") -> AfterValidator:
    """Return a check for one of these words, which may grow, in a value or its `name`."""

    def check(value: Any) -> Any:
        word = getattr(value, name) if name else value
        if word not in words:
            where = f"{name}: " if name else ""
            raise ValueError(f"{where}found {shown(word)}, want one of {', '.join(words)}")
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


def _endpoint(endpoint: Endpoint) -> Endpoint:
    if not re.fullmatch(NAME_PATTERN, endpoint.device) or endpoint.durability not in DURABILITIES:
        raise ValueError(f"found {shown(endpoint.label)}, want a device's name and a durability")
    return endpoint


def _positive(value: Any) -> Any:
    for name, number in vars(value).items():
        counts = isinstance(number, int | float) and not isinstance(number, bool)
        if counts and not 0 < number < _MOST_NUMBER:
            raise ValueError(f"{name}: found {number:g}, want a number above 0")
    return value


_Place = Annotated[str, AfterValidator(_place)]
_Workload = Annotated[str, _one_of(WORKLOADS)]
_Durability = Annotated[str, _one_of(DURABILITIES)]
_Threads = Annotated[int, Field(ge=1, le=1024)]
_Shards = Annotated[str, _read(lambda text: Shards.of(text).word)]
_Build = Annotated[Named, _read(lambda build: named(f"{build.name}={_place(build.path)}"))]
_Endpoint = Annotated[Endpoint, AfterValidator(_endpoint)]
_Command = Annotated[Command, AfterValidator(_positive)]
_Cutting = Annotated[Cutting, AfterValidator(_positive), _one_of(("journal", "strict"), "names")]
_Bound = Annotated[Bound, AfterValidator(_positive), _one_of((CGROUP, DIRECT), "by")]
_Finding = Annotated[Finding, _one_of((OK, WARN, UNKNOWN), "state")]
_Text = Annotated[str, Field(max_length=1 << 16)]
_Seed = Annotated[int, Field(ge=0, lt=2**31)]
_Many = Field(max_length=_MOST)


@dataclass(frozen=True)
class Recipe:
    """What a user requested; enough to plan the same campaign again.

    Its JSON is that of campaign.json, so the annotations must hold for all that is read there.
    """

    __pydantic_config__ = _STRICT

    engine: Annotated[str, _one_of(ENGINES)]
    workloads: Annotated[tuple[_Workload, ...], _Many]  # none: all that the profile sizes
    profile: _Place
    devices: Annotated[tuple[_Place, ...], _Many]
    durability: _Durability | None = None  # None: the default of `cell.plan`
    # Durabilities measured beside it, without knobs.
    beside: Annotated[tuple[_Durability, ...], _Many] = ()
    threads: Annotated[tuple[_Threads, ...], _Many] = ()  # none: what the profile says
    sizes: Annotated[tuple[str, ...], _Many] = ()  # of db_bench's keys and values; none: profile's
    # How the store is cut; none: like an engine of one store.
    shards: Annotated[tuple[_Shards, ...], _Many] = ()
    knobs: Annotated[tuple[str, ...], _Many] = ()  # of embedded RocksDB: each gets a cell
    ladder: bool = False  # the rungs of `cell.ladder` in place of all that
    twin: bool = False  # whether a baseline of each workload is measured twice
    wal_dir: _Place | None = None
    allow_mismatch: bool = False
    # The least time of a read of data in every cell; 0: unchanged.
    read_latency_us: Annotated[int, Field(ge=0, le=LONGEST_READ_US)] = 0
    seed: _Seed = field(default_factory=lambda: secrets.randbelow(2**31))
    kind: str = "run"  # the study that planned it, goes on with it, and reports it
    builds: Annotated[tuple[_Build, ...], _Many] = ()  # of the engine; none: the usual one, unnamed
    command: _Command | None = None
    binlog: _Place | None = None  # the device of servers' second log, or "same"; None: none
    cutting: _Cutting | None = None  # whether and how power is cut in each cell
    bound: _Bound | None = None  # on the memory of each cell
    before: _Text | None = None  # shell commands around each session: see `local`
    after: _Text | None = None
    # The texts of the user's own mixes, by their names among `workloads`.
    mixes: Annotated[dict[str, Annotated[str, Field(max_length=100_000)]], _Many] = field(
        default_factory=dict
    )
    endpoints: Annotated[tuple[_Endpoint, ...], _Many] = ()  # servers in place of devices
    # The typed values of the axes in `runners.axes.TABLE` with an option of their own.
    axes: Annotated[dict[str, Annotated[tuple[_Text, ...], _Many]], _Many] = field(
        default_factory=dict
    )


@dataclass(frozen=True)
class Kept(Recipe):
    """A recipe, where its data are, and what the machine was like when the campaign began."""

    seed: _Seed = field(kw_only=True)
    profile_digest: str = field(kw_only=True)
    kind: str = field(kw_only=True)
    data_dir: _Place = field(kw_only=True)
    data_identity: str = field(kw_only=True)
    doctor: Annotated[tuple[_Finding, ...], _Many] = ()
