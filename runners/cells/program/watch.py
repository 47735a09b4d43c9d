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
from ....base.folders import places
from ....devices.resolve import SHM
from ....devices.tap_page import TapCounters, TapFile, as_one
from ...recipe.parts import Command
from ..setting import PASSABLE
from . import cell, folder
from .folder import Tap

_NUMBER = re.compile(r"[0-9A-F]{6,}|\d+")
_COUNTED = re.compile(r"[0-9A-F]{6,}|\d{3,}")  # what a program numbers its files by
_OF_A_LOG = 0.1  # of all syncs
_LOGS = "wal|journal|redo|aof|logfile|(x|bin|op)?logs?"
_LOG_NAME = re.compile(rf"(^|[^a-z])({_LOGS})([^a-z]|$)", re.IGNORECASE)
_EVERYTHING = ("*",)
_WATCHES = "waltax-watch-"
_KEPT = "watched.json"


def is_log(name: str) -> bool:
    """Return whether a file is called as logs are."""
    return bool(_LOG_NAME.search(name))


@dataclass(frozen=True)
class Watched:
    """What a run did to files. Waits of several threads add up.

    `counted` has them by kind: paths below the data, and whole ones elsewhere, with numbers as *.
    """

    seconds: float
    counted: TapCounters
    output: str = ""
    is_supervised: bool = False  # its syncs are seen by the kernel alone
    alone_s: float | None = None  # what a run takes without the supervisor; None: not known
    missed: int = 0  # syncs below the data that the tap did not see
    no_witness: str = ""  # why nobody looked for such

    def doubts(self) -> list[str]:
        """Say what goes around the tap, and why a supervisor is needed; nothing if all is well."""
        if self.counted.bypasses:
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
            f"the command has syncs that the tap cannot take the place of, "
            f"{self.counted.bypasses} of them: {self.counted.refused or how}"
        )

    @property
    def syncs(self) -> int:
        return sum(kind.syncs for kind in self.counted.files)

    @property
    def waited_s(self) -> float:
        of_files_ns = sum(kind.sync_ns for kind in self.counted.files)
        return float(of_files_ns + self.counted.dir_sync_ns) / 1e9

    def matching(self, patterns: Sequence[str]) -> TapFile:
        """Return the sum of the kinds below the data that one of the patterns matches."""
        mine = (
            k for k in self.counted.files if any(fnmatchcase(k.name, each) for each in patterns)
        )
        return as_one(" ".join(patterns), mine)

    def logs_and_others(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return patterns of files that get many of the syncs: those of a log by their names, and
        the others; all are of a log if no name says so. A folder's if they are all of it.
        """
        often = [
            kind
            for kind in self.counted.files
            if not kind.name.startswith("/") and kind.syncs >= max(1.0, _OF_A_LOG * self.syncs)
        ]
        found: dict[str, bool] = {}
        for kind in often:
            parent = kind.name.rpartition("/")[0]
            beside = [
                k for k in self.counted.files if parent and k.name.rpartition("/")[0] == parent
            ]
            alone = beside and all(each in often for each in beside)
            pattern = f"{parent}/" if alone else _COUNTED.sub("*", kind.name)
            found[pattern] = found.get(pattern, False) or is_log(kind.name)
        named = tuple(pattern for pattern, is_one in found.items() if is_one)
        others = tuple(pattern for pattern, is_one in found.items() if not is_one)
        return (named, others) if named else (others, ())


def watch(command: Command, data_root: Path, kept: Path | None = None) -> Watched:
    """Run a program once in a copy of its data, on the disk of `data_root`.

    A server gets its load once. If the tap sees no sync, or a supervisor beside it sees further
    ones, a supervisor looks at a second run, and a third without either says what that cost.
    `kept` is a folder for the outputs; None keeps none. Errors: as `cell.begun`.
    """
    work = data_root / "work"
    with (
        places.borrowed(work, _WATCHES, "work", flag="--data-dir", mode=PASSABLE) as home,
        places.borrowed(SHM, _WATCHES, "memory", mode=PASSABLE) as memory,
    ):
        return _watched(command, home, memory, kept or home)


def _watched(command: Command, home: Path, memory: Path, kept: Path) -> Watched:
    tapped, supervised = Tap.make(memory / "tap"), Tap.make(memory / "all", supervises=True)
    no_witness = ""
    try:
        cell.calibrate(supervised, memory, None, "", kept / "supervised")
    except WaltaxError as error:
        no_witness = str(error)
    seen = _once(command, home / "tapped", kept, tapped, None if no_witness else supervised)
    if (seen.syncs or seen.counted.dir_syncs) and not seen.missed:
        return replace(seen, no_witness=no_witness)
    by_supervisor = _once(command, home / "all", kept, supervised)
    if not by_supervisor.syncs and not by_supervisor.counted.bypasses:
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
    kinds = sorted(_kinds(seen.files, data), key=lambda kind: (-kind.syncs, -kind.bytes))
    return Watched(done.seconds, replace(seen, files=tuple(kinds)), done.output, missed=missed)


def _alone_s(command: Command, home: Path, kept: Path, sockets: Path) -> float:
    """Return what a run takes that nobody looks at."""
    placed = folder.make((), command.data, home, home, sockets)
    with cell.begun(command, command.run, {}, placed, kept / "alone") as (run, _):
        return run().seconds


def _kinds(files: Sequence[TapFile], data: str) -> Iterator[TapFile]:
    """Yield a kind for files whose names differ in numbers alone: a path below the data, or a whole
    path elsewhere.
    """
    by_kind: dict[str, list[TapFile]] = {}
    for file in (file for file in files if file.writes or file.syncs):
        own = replace(file, name=f"/{file.name}".removeprefix(data))
        by_kind.setdefault(_NUMBER.sub("*", own.name), []).append(own)
    for general, members in by_kind.items():
        yield as_one(general, members) if len(members) > 1 else members[0]


def keep(watched: Watched, kept: Path) -> None:
    """Keep in a campaign's folder how its program must be tapped. Errors: OSError."""
    (kept / _KEPT).write_text(json.dumps({"is_supervised": watched.is_supervised}) + "\n")


def was_supervised(kept: Path) -> bool:
    """Return what `keep` kept."""
    return bool(strictjson.read_object(kept / _KEPT).get("is_supervised"))


def require_seen(watched: Watched) -> None:
    """Raise UsageError for a program that also syncs in ways that the tap cannot see."""
    if watched.counted.bypasses:
        raise UsageError(watched.around)


def require_log(watched: Watched, patterns: Sequence[str]) -> None:
    """Raise UsageError for patterns that match nothing that the run synced, saying what it did."""
    if watched.matching(patterns).syncs:
        return
    synced = [kind for kind in watched.counted.files if kind.syncs]
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
