"""Watch one run of a program, and say which files it syncs, how often, and for how long."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from ....base import strictjson
from ....base.errors import UsageError, WaltaxError
from ....devices.tap_page import TapFile
from ...recipe.parts import Command
from . import cell, folder
from .folder import Tap

_NUMBER = re.compile(r"[0-9A-F]{6,}|\d+")
_COUNTED = re.compile(r"[0-9A-F]{6,}|\d{3,}")  # what a program numbers its files by
_OF_A_LOG = 0.1  # of all syncs
_LOGS = "wal|journal|redo|aof|logfile|(x|bin|op)?logs?"
_LOG_NAME = re.compile(rf"(^|[^a-z])({_LOGS})([^a-z]|$)", re.IGNORECASE)
_EVERYTHING = ("*",)
TAPS = ("watched", "supervised")
"""The folders that a watched run makes in memory."""
_KEPT = "watched.json"


@dataclass(frozen=True)
class Synced:
    """The files of one kind that a run wrote: by their path below the data, numbers as *."""

    name: str
    syncs: int
    waited_s: float
    writes: int
    bytes: int

    @property
    def is_log(self) -> bool:
        """Whether it is called as logs are."""
        return bool(_LOG_NAME.search(self.name))

    @property
    def is_outside(self) -> bool:
        """Whether it is not below the data."""
        return self.name.startswith("/")


@dataclass(frozen=True)
class Watched:
    """What a run did to files. Waits of several threads add up."""

    seconds: float
    kinds: tuple[Synced, ...]
    directory_syncs: int
    directory_s: float
    bypasses: int
    why_around: str  # of the last that went around the tap, if that is known
    output: str
    is_supervised: bool = False  # its syncs are seen by the kernel alone
    alone_s: float | None = None  # what a run takes without the supervisor; None: not known
    missed: int = 0  # syncs below the data that the tap did not see
    no_witness: str = ""  # why nobody looked for such

    def doubts(self) -> list[str]:
        """Say what goes around the tap, and why a supervisor is needed; nothing if all is well."""
        if self.bypasses:
            return [f"It cannot be measured: {self.around}."]
        if self.no_witness:
            return [f"Whether the tap sees all of its syncs is not known: {self.no_witness}"]
        if not self.is_supervised:
            return []
        beside = "" if self.alone_s is None else f", and one without it {self.alone_s:.3g} s"
        return [
            "The tap does not see all of its syncs, as of static programs, Go's, and those that "
            "clear their environment, so that a supervisor answers them.",
            f"A run under it took {self.seconds:.3g} s{beside}.",
        ]

    @property
    def around(self) -> str:
        """The syncs that no device can be emulated for, in words."""
        how = "io_uring, msync of a mapped file, or writes that sync alone (RWF_DSYNC)"
        return (
            f"the command has syncs that the tap cannot take the place of, {self.bypasses} of "
            f"them: {self.why_around or how}"
        )

    @property
    def syncs(self) -> int:
        return sum(kind.syncs for kind in self.kinds)

    @property
    def waited_s(self) -> float:
        return sum(kind.waited_s for kind in self.kinds) + self.directory_s

    def matching(self, patterns: Sequence[str]) -> Synced:
        """Return the sum of the kinds below the data that one of the patterns matches."""
        mine = [k for k in self.kinds if any(fnmatchcase(k.name, each) for each in patterns)]
        return _sum(" ".join(patterns), mine)

    def logs_and_others(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return patterns of files that get many of the syncs: those of a log by their names, and
        the others; all are of a log if no name says so. A folder's if they are all of it.
        """
        often = [
            kind
            for kind in self.kinds
            if not kind.is_outside and kind.syncs >= max(1.0, _OF_A_LOG * self.syncs)
        ]
        found: dict[str, bool] = {}
        for kind in often:
            parent = kind.name.rpartition("/")[0]
            beside = [k for k in self.kinds if parent and k.name.rpartition("/")[0] == parent]
            alone = beside and all(each in often for each in beside)
            pattern = f"{parent}/" if alone else _COUNTED.sub("*", kind.name)
            found[pattern] = found.get(pattern, False) or kind.is_log
        named = tuple(pattern for pattern, is_log in found.items() if is_log)
        others = tuple(pattern for pattern, is_log in found.items() if not is_log)
        return (named, others) if named else (others, ())


def watch(command: Command, home: Path, memory: Path, kept: Path) -> Watched:
    """Run a program once in a copy of its data in the folder `home`, on the disk that this is on.

    A server gets its load once. If the tap sees no sync, or a supervisor beside it sees further
    ones, a supervisor looks at a second run, and a third without either says what that cost.
    `memory` is a folder there, and `kept` one for the outputs. Errors: as `cell.begun`.
    """
    tapped, supervised = (Tap.make(memory / name, supervises=name != TAPS[0]) for name in TAPS)
    no_witness = ""
    try:
        cell.calibrate(supervised, memory, None, "", kept / "supervised")
    except WaltaxError as error:
        no_witness = str(error)
    seen = _once(command, home / "tapped", kept, tapped, None if no_witness else supervised)
    if (seen.syncs or seen.directory_syncs) and not seen.missed:
        return replace(seen, no_witness=no_witness)
    by_supervisor = _once(command, home / "all", kept, supervised)
    if not by_supervisor.syncs and not by_supervisor.bypasses:
        return seen
    alone_s = None if command.serves else _alone_s(command, home / "alone", kept, tapped.sockets)
    return replace(by_supervisor, is_supervised=True, alone_s=alone_s)


def _once(
    command: Command, home: Path, kept: Path, tap: Tap, witness: Tap | None = None
) -> Watched:
    """Run a program once, and look at all files."""
    placed = folder.make((), command.data, home, home, tap.sockets)
    pages, past = tap.begin(), witness.begin() if witness is not None else None
    everywhere = replace(placed, log=Path("/"), patterns=_EVERYTHING)
    line, env = tap.around(command.run, everywhere, None, "", witness)
    with cell.begun(command, line, env, placed, kept / "watched") as (run, _):
        before = pages.snapshot()
        done = run()
        seen = pages.snapshot().minus(before)
    data = f"{placed.data.resolve()}/"
    missed = 0
    if past is not None:
        below = [file for file in past.snapshot().files if f"/{file.name}".startswith(data)]
        missed = sum(file.syncs for file in below)
    return Watched(
        done.seconds,
        tuple(sorted(_kinds(seen.files, data), key=lambda kind: (-kind.syncs, -kind.bytes))),
        seen.dir_syncs,
        seen.dir_sync_ns / 1e9,
        seen.bypasses,
        seen.refused,
        done.output,
        missed=missed,
    )


def _alone_s(command: Command, home: Path, kept: Path, sockets: Path) -> float:
    """Return what a run takes that nobody looks at."""
    placed = folder.make((), command.data, home, home, sockets)
    with cell.begun(command, command.run, {}, placed, kept / "alone") as (run, _):
        return run().seconds


def _kinds(files: Sequence[TapFile], data: str) -> Iterator[Synced]:
    """Yield a kind for files whose names differ in numbers alone: a path below the data, or a whole
    path elsewhere.
    """
    by_kind: dict[str, list[Synced]] = {}
    for file in (file for file in files if file.writes or file.syncs):
        name = f"/{file.name}".removeprefix(data)
        one = Synced(name, file.syncs, file.sync_ns / 1e9, file.writes, file.bytes)
        by_kind.setdefault(_NUMBER.sub("*", name), []).append(one)
    for general, members in by_kind.items():
        yield _sum(general, members) if len(members) > 1 else members[0]


def _sum(name: str, kinds: Sequence[Synced]) -> Synced:
    """Return what several kinds have in all."""
    return Synced(
        name,
        sum(kind.syncs for kind in kinds),
        sum(kind.waited_s for kind in kinds),
        sum(kind.writes for kind in kinds),
        sum(kind.bytes for kind in kinds),
    )


def keep(watched: Watched, kept: Path) -> None:
    """Keep in a campaign's folder how its program must be tapped. Errors: OSError."""
    (kept / _KEPT).write_text(json.dumps({"is_supervised": watched.is_supervised}) + "\n")


def was_supervised(kept: Path) -> bool:
    """Return what `keep` kept."""
    return bool(strictjson.read_object(kept / _KEPT).get("is_supervised"))


def require_seen(watched: Watched) -> None:
    """Raise UsageError for a program that also syncs in ways that the tap cannot see."""
    if watched.bypasses:
        raise UsageError(watched.around)


def require_log(watched: Watched, patterns: Sequence[str]) -> None:
    """Raise UsageError for patterns that match nothing that the run synced, saying what it did."""
    if watched.matching(patterns).syncs:
        return
    synced = [kind for kind in watched.kinds if kind.syncs]
    if not synced:
        raise UsageError(
            "--log: the command synced no file, so its log costs it no wait on any device"
        )
    said = ", ".join(f"{kind.name} ({kind.syncs} syncs)" for kind in synced[:5])
    typed = " ".join(f"--log '{name}'" for name in watched.logs_and_others()[0])
    raise UsageError(
        f"--log: {' '.join(patterns)!r} matches no file that the command synced, which were "
        f"{said}{f'; type {typed}' if typed else ''}"
    )
