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
from ....devices.tap_page import TapCounters, TapFile, TapPages
from ...recipe.parts import Command
from . import cell, folder, shell
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
_BEGINS_S = 60.0


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
        return Synced(
            " ".join(patterns),
            sum(kind.syncs for kind in mine),
            sum(kind.waited_s for kind in mine),
            sum(kind.writes for kind in mine),
            sum(kind.bytes for kind in mine),
        )

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
    `memory` is a folder there, and `kept` one for the outputs. Errors: as `cell.run` and
    `cell.serving`.
    """
    tapped, supervised = memory / TAPS[0], Tap.make(memory / TAPS[1], supervises=True)
    no_witness = _refusal(supervised, kept)
    witness = None if no_witness else supervised
    seen = _once(command, home / "tapped", Tap.make(tapped), kept, witness)
    if (seen.syncs or seen.directory_syncs) and not seen.missed:
        return replace(seen, no_witness=no_witness)
    by_supervisor = _once(command, home / "all", supervised, kept)
    if not by_supervisor.syncs and not by_supervisor.bypasses:
        return seen
    alone_s = None if command.serves else _alone_s(command, home / "alone", tapped, kept)
    return replace(by_supervisor, is_supervised=True, alone_s=alone_s)


def _refusal(supervised: Tap, kept: Path) -> str:
    """Return why no supervisor can look at a program here; "" if one can."""
    supervised.begin()
    nothing = folder.Folder(supervised.home, supervised.home, _EVERYTHING, supervised.sockets)
    line, env = supervised.around("true", nothing, None, "")
    try:
        shell.run(line, env=env, timeout_s=_BEGINS_S, log=kept / "supervised")
    except WaltaxError as error:
        return str(error)
    return ""


def _once(
    command: Command, home: Path, tap: Tap, kept: Path, witness: Tap | None = None
) -> Watched:
    """Run a program once, and look at all files."""
    placed = _placed(command, home, tap.sockets)
    pages = tap.begin()
    past = witness.begin() if witness is not None else None
    everywhere = replace(placed, log=Path("/"), patterns=_EVERYTHING)
    own = cell.variables(command, placed)
    line, env = tap.around(command.run, everywhere, None, "", witness)
    log = kept / "watched"
    if command.serves:
        with cell.serving(command, line, own | env, placed, kept / "watched-server"):
            before = pages.snapshot()
            done = cell.run(command, command.load, env=own, cwd=placed.data, log=log)
            seen = pages.snapshot().minus(before)
    else:
        done = cell.run(command, line, env=own | env, cwd=placed.data, log=log)
        seen = pages.snapshot()
    data = placed.data.resolve()
    watched = _watched(done, seen, data)
    return watched if past is None else replace(watched, missed=_below_data(past, data))


def _below_data(past: TapPages, data: Path) -> int:
    """Return how many syncs of files below the data were counted."""
    below = f"{data}/".removeprefix("/")
    return sum(file.syncs for file in past.snapshot().files if file.name.startswith(below))


def _alone_s(command: Command, home: Path, sockets: Path, kept: Path) -> float:
    """Return what a run takes that nobody looks at."""
    placed = _placed(command, home, sockets)
    own = cell.variables(command, placed)
    return cell.run(command, command.run, env=own, cwd=placed.data, log=kept / "alone").seconds


def _placed(command: Command, home: Path, sockets: Path) -> folder.Folder:
    source = Path(command.data) if command.data else None
    return folder.make((), source, home, home, sockets)


def keep(watched: Watched, kept: Path) -> None:
    """Keep in a campaign's folder how its program must be tapped. Errors: OSError."""
    (kept / _KEPT).write_text(json.dumps({"is_supervised": watched.is_supervised}) + "\n")


def was_supervised(kept: Path) -> bool:
    """Return what `keep` kept."""
    return bool(strictjson.read_object(kept / _KEPT).get("is_supervised"))


def _watched(done: shell.Finished, seen: TapCounters, data: Path) -> Watched:
    files = [(_below(file.name, data), file) for file in seen.files if file.writes or file.syncs]
    kinds = sorted(_kinds(files), key=lambda kind: (-kind.syncs, -kind.bytes))
    return Watched(
        done.seconds,
        tuple(kinds),
        seen.dir_syncs,
        seen.dir_sync_ns / 1e9,
        seen.bypasses,
        seen.refused,
        done.output,
    )


def _below(name: str, data: Path) -> str:
    """Return a file's path below the data, or its whole path."""
    whole = f"/{name}"
    return whole.removeprefix(f"{data}/")


def _kinds(files: Sequence[tuple[str, TapFile]]) -> Iterator[Synced]:
    """Yield a kind for files whose names differ in numbers alone."""
    by_kind: dict[str, list[tuple[str, TapFile]]] = {}
    for name, file in files:
        by_kind.setdefault(_NUMBER.sub("*", name), []).append((name, file))
    for general, members in by_kind.items():
        yield Synced(
            general if len(members) > 1 else members[0][0],
            sum(file.syncs for _, file in members),
            sum(file.sync_ns for _, file in members) / 1e9,
            sum(file.writes for _, file in members),
            sum(file.bytes for _, file in members),
        )


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
