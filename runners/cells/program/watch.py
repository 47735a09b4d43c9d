"""Watch one run of a program, and say which files it syncs, how often, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from ....base.errors import UsageError
from ....devices.tap_page import TapCounters, TapFile
from ..command import shell
from ..setting import Command
from . import cell, folder
from .folder import Tap

_NUMBER = re.compile(r"[0-9A-F]{6,}|\d+")
_OF_A_LOG = 0.1  # of all syncs
_EVERYTHING = ("*",)


@dataclass(frozen=True)
class Synced:
    """The files of one kind that a run wrote: by their path below the data, numbers as *."""

    name: str
    syncs: int
    waited_s: float
    writes: int
    bytes: int

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
    output: str

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

    def looks_like_logs(self) -> tuple[str, ...]:
        """Return patterns of files that get many of the syncs; a folder's if they are all of it."""
        often = [
            kind
            for kind in self.kinds
            if not kind.is_outside and kind.syncs > max(1.0, _OF_A_LOG * self.syncs)
        ]
        found = []
        for kind in often:
            parent = kind.name.rpartition("/")[0]
            beside = [k for k in self.kinds if parent and k.name.rpartition("/")[0] == parent]
            alone = beside and all(each in often for each in beside)
            found.append(f"{parent}/" if alone else kind.name)
        return tuple(dict.fromkeys(found))


def watch(command: Command, home: Path, memory: Path, kept: Path) -> Watched:
    """Run a program once in a copy of its data in the folder `home`, on the disk that this is on.

    A server gets its load once. `memory` is a folder there, and `kept` one for the outputs. Errors:
    as `cell.run` and `cell.serving`.
    """
    source = Path(command.data) if command.data else None
    tap = Tap.make(memory / "watched")
    placed = folder.make((), source, home / "run", home / "run", tap.sockets)
    pages = tap.begin()
    everywhere = replace(placed, log=Path("/"), patterns=_EVERYTHING)
    env = {**cell.variables(command, placed), **tap.environment(everywhere, None, "")}
    log = kept / "watched"
    if command.serves:
        with cell.serving(command, command.run, env, placed, kept / "watched-server"):
            before = pages.snapshot()
            own = cell.variables(command, placed)
            done = cell.run(command, command.load, env=own, cwd=placed.data, log=log)
            seen = pages.snapshot().minus(before)
    else:
        done = cell.run(command, command.run, env=env, cwd=placed.data, log=log)
        seen = pages.snapshot()
    return _watched(done, seen, placed.data.resolve())


def _watched(done: shell.Finished, seen: TapCounters, data: Path) -> Watched:
    files = [(_below(file.name, data), file) for file in seen.files if file.writes or file.syncs]
    kinds = sorted(_kinds(files), key=lambda kind: (-kind.syncs, -kind.bytes))
    return Watched(
        done.seconds,
        tuple(kinds),
        seen.dir_syncs,
        seen.dir_sync_ns / 1e9,
        seen.bypasses,
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
        raise UsageError(
            f"the command has {watched.bypasses} syncs that the tap cannot take the place of: by "
            "io_uring, by msync of a mapped file, or by writes that sync alone (RWF_DSYNC)"
        )


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
    typed = " ".join(f"--log '{name}'" for name in watched.looks_like_logs())
    raise UsageError(
        f"--log: {' '.join(patterns)!r} matches no file that the command synced, which were "
        f"{said}{f'; type {typed}' if typed else ''}"
    )
