"""What a campaign keeps of itself in campaign.json, read strictly."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from .. import doctor, strictjson
from ..builds.named import NAME
from ..cell import LONGEST_READ_US, point_us
from ..devices.device import NAME_PATTERN
from ..engines import DURABILITIES, ENGINES, Shards
from ..errors import UsageError
from ..harness.memory import CGROUP, DIRECT
from ..serve.workload import COMMAND
from ..tomlfile import Strict, shown, validate
from ..workloads import WORKLOADS

RECIPE = "campaign.json"
_MOST_BYTES = 1 << 20
_MOST = 1000  # of anything that is repeated
_PATH, _NAME = 4096, 255  # the kernel's longest, in bytes


def _place(text: str) -> str:
    try:
        parts = os.fsencode(text).split(b"/")
    except UnicodeEncodeError:
        parts = [b"\0"]
    if b"\0" in b"".join(parts) or len(text) > _PATH or max(map(len, parts)) > _NAME:
        raise ValueError("found what cannot be a file's name")
    return text


def _one_of(*words: str) -> AfterValidator:
    def check(text: str) -> str:
        if text not in words:
            raise ValueError(f"found {shown(text)}, want one of {', '.join(words)}")
        return text

    return AfterValidator(check)


_Place = Annotated[str, AfterValidator(_place)]
_Workload = Annotated[str, _one_of(*WORKLOADS)]
_Durability = Annotated[str, _one_of(*DURABILITIES)]
_Threads = Annotated[int, Field(ge=1, le=1024)]


def _cut(text: str) -> str:
    try:
        return Shards.of(text).word
    except UsageError as error:
        raise ValueError(str(error)) from None


_Shards = Annotated[str, AfterValidator(_cut)]
_Many = Field(strict=False, max_length=_MOST)


_Count = Annotated[int, Field(ge=1, le=1000)]
_Text = Annotated[str, Field(max_length=1 << 16)]


class KeptCommand(Strict):
    """See `harness.setting.Command`."""

    run: _Text
    metric: _Text
    data: _Place
    prepare: _Text | None
    timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    rounds: _Count
    sessions: _Count


class KeptCutting(Strict):
    """See `harness.cutting.Cutting`."""

    cuts: Annotated[int, Field(ge=1)]
    states: Annotated[int, Field(ge=1)]
    names: Annotated[str, _one_of("journal", "strict")]
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class KeptEndpoint(Strict):
    """See `harness.setting.Endpoint`."""

    device: Annotated[str, Field(pattern=f"^{NAME_PATTERN}$")]
    durability: _Durability
    url: _Place
    may_be_remote: bool


class KeptBuild(Strict):
    """See `builds.named.Named`."""

    name: Annotated[str, Field(pattern=f"^{NAME}$")]
    path: _Place


class KeptBound(Strict):
    """See `harness.memory.Bound`."""

    mib: Annotated[int, Field(ge=1, le=1 << 24)]
    by: Annotated[str, _one_of(CGROUP, DIRECT)]
    ratio: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class KeptFinding(Strict):
    """See `doctor.Finding`: what the machine was like when the campaign began."""

    check: _Text
    state: Annotated[str, _one_of(doctor.OK, doctor.WARN, doctor.UNKNOWN)]
    text: _Text
    advice: _Text = ""


class Kept(Strict):
    """A recipe and where its data are, which older campaigns did not say: then it is None."""

    engine: Annotated[str, _one_of(*ENGINES)]
    workloads: Annotated[tuple[_Workload, ...], _Many]
    profile: _Place
    devices: Annotated[tuple[_Place, ...], _Many]
    durability: _Durability | None
    threads: Annotated[tuple[_Threads, ...], _Many]
    sizes: Annotated[tuple[str, ...], _Many]
    knobs: Annotated[tuple[str, ...], _Many]
    wal_dir: _Place | None
    allow_mismatch: bool
    read_latency_us: Annotated[int, Field(ge=0, le=LONGEST_READ_US)] = 0
    cpu_counters: bool = False
    seed: Annotated[int, Field(ge=0, lt=2**31)]
    profile_digest: str
    kind: str = ""
    shards: Annotated[tuple[_Shards, ...], _Many] = ()
    ladder: bool = False
    twin: bool = False
    beside: Annotated[tuple[_Durability, ...], _Many] = ()
    builds: Annotated[tuple[KeptBuild, ...], _Many] = ()
    endpoints: Annotated[tuple[KeptEndpoint, ...], _Many] = ()
    command: KeptCommand | None = None
    binlog: _Place | None = None
    cutting: KeptCutting | None = None
    bound: KeptBound | None = None
    before: _Text | None = None
    after: _Text | None = None
    data_dir: _Place | None = None
    data_identity: str | None = None
    doctor: Annotated[tuple[KeptFinding, ...], _Many] = ()


def read(folder: Path) -> Kept:
    """What the campaign in `folder` keeps. Errors: UsageError that says what to do instead."""
    path = folder / RECIPE
    try:
        content = path.read_bytes()
    except OSError as error:
        found = f"no {RECIPE} in it" if folder.is_dir() else "no such folder"
        raise UsageError(
            f"--resume: {folder}: {found}; type a campaign's folder, as in --resume "
            "results/20240131-235959-123-rocksdb-linkbench-quick"
        ) from error
    try:
        if len(content) > _MOST_BYTES:
            raise ValueError(f"{len(content):,} bytes")
        saved = strictjson.loads(content, printable=False)
    except ValueError as error:
        raise UsageError(f"--resume: {path}: no JSON ({error}); start a new campaign") from error
    try:
        return _of_today(validate(path, saved, Kept))
    except UsageError as error:
        why = error.lines[0].removeprefix(f"{path}: ")
        raise UsageError(
            f"--resume: {path}: {why}; written by another waltax, or changed since: start a new "
            "campaign"
        ) from error


def _of_today(kept: Kept) -> Kept:
    """What campaigns of before did not keep: their kind, by what only such campaigns asked for.

    A sweep of knobs had its cell of `flush` beside what it kept. Errors: UsageError for a command
    without its workload, and for the workload without a command.
    """
    if (kept.command is None) == (COMMAND in kept.workloads):
        found = "none" if kept.command is None else "a command"
        raise UsageError(f"command: found {found} with workloads {', '.join(kept.workloads)}")
    if kept.kind:
        return kept
    beside = ("flush",) if kept.knobs else ()
    return kept.model_copy(update={"kind": _kind(vars(kept)), "beside": beside})


def _kind(recipe: Mapping[str, Any]) -> str:
    """What a campaign is that did not keep its kind, by what only such campaigns asked for."""
    points = sum(point_us(Path(name).stem) is not None for name in recipe["devices"])
    told = {
        "sweep-knobs": bool(recipe["knobs"]),
        "sweep-sizes": bool(recipe["sizes"]),
        "sweep-latency": points > 1,
        "sweep-threads": len(recipe["threads"]) > 1,
        "run": True,
    }
    return next(name for name, is_it in told.items() if is_it)


@dataclass(frozen=True)
class Told:
    """What a campaign says of itself; empty where it does not say, or says what none does."""

    kind: str = ""
    engine: str = ""
    workloads: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    builds: tuple[str, ...] = ()


def told(folder: Path) -> Told:
    """What a campaign was asked for, read leniently: to find or to report it, not to resume it.

    Campaigns of other releases are asked too, and one that cannot be read is as good as none.
    """
    try:
        found: Any = strictjson.loads((folder / RECIPE).read_bytes())
    except (OSError, ValueError):
        return Told()
    if not isinstance(found, dict):
        return Told()
    named = ("workloads", "devices", "threads", "sizes", "knobs")
    lists = {name: _words(found.get(name)) for name in named}
    kind = found.get("kind") or _kind(lists)
    builds = found.get("builds")
    names = [one.get("name") for one in builds or () if isinstance(one, dict)]
    return Told(
        str(kind),
        str(found.get("engine", "")),
        lists["workloads"],
        lists["devices"],
        _words(names),
    )


def _words(found: object) -> tuple[str, ...]:
    return tuple(str(word) for word in found) if isinstance(found, list) else ()
