"""Watch one run of a program, and say which files it syncs, how often, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from ....base.errors import UsageError, WaltaxError
from ....base.folders import places
from ....devices.resolve import SHM
from ....devices.tap_page import TapCounters, TapFile, as_one
from ...recipe.parts import Command
from ..setting import PASSABLE
from .run import Folder, Tap, begun

_NUMBER = re.compile(r"[0-9A-F]{6,}|\d+")
_COUNTED = re.compile(r"[0-9A-F]{6,}|\d{3,}")  # what a program numbers its files by
_OF_A_LOG = 0.1  # of all syncs
_LOGS = "wal|journal|redo|aof|logfile|(x|bin|op)?logs?"
_LOG_NAME = re.compile(rf"(^|[^a-z])({_LOGS})([^a-z]|$)", re.IGNORECASE)
_WATCHES = "waltax-watch-"


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

    def lines(self, again: str) -> list[str]:
        """Return what it synced as lines for people; `again` is the line to type next, with {log}
        for the options that name the log.
        """
        waited_s = sum(kind.sync_ns for kind in self.counted.files) + self.counted.dir_sync_ns
        lines = [
            f"one run took {self.seconds:.3g} s; syncs took {waited_s / 1e9:.3g} s "
            f"({self._share(waited_s)} % of that, waits of all threads together)",
            "",
            f"{'FILES':40} {'SYNCS':>9} {'WAITED s':>9} {'SHARE %':>8} {'WRITES':>9} {'KiB':>10}",
        ]
        lines += [
            f"{self._waits(kind.name, kind.syncs, kind.sync_ns)} {kind.writes:9,} "
            f"{kind.bytes / 1024:10,.1f}"
            for kind in self.counted.files
        ]
        if syncs := self.counted.dir_syncs:
            lines.append(self._waits("(folders)", syncs, self.counted.dir_sync_ns))
        if self.counted.bypasses:
            return [*lines, "", f"It cannot be measured: {self._around}."]
        return [*lines, "", *self.doubts(), *self._advice(again)]

    def _waits(self, name: str, syncs: int, sync_ns: int) -> str:
        return f"{name:40} {syncs:9,} {sync_ns / 1e9:9.3f} {self._share(sync_ns):>8}"

    def _share(self, waited_ns: int) -> str:
        return f"{waited_ns / self.seconds / 1e7:.1f}"

    def _advice(self, again: str) -> list[str]:
        logs, others = self.logs_and_others()
        if not logs:
            return ["It synced no file below its data, so no device of a log can cost it a wait."]
        also = f" Also synced: {', '.join(others)}; add {_typed(others)} if it is to move, too."
        return [
            f"By name and syncs, a log: {', '.join(logs)}.{also * bool(others)} What devices cost "
            "it:",
            "  " + again.replace("{log}", _typed(logs)),
        ]

    def doubts(self) -> list[str]:
        """Say why a supervisor is needed, and what it costs; nothing if all is well."""
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
    def _around(self) -> str:
        """The syncs that no device can be emulated for, in words."""
        how = "io_uring, msync of a mapped file, or writes that sync alone (RWF_DSYNC)"
        return (
            f"the command has syncs that the tap cannot take the place of, "
            f"{self.counted.bypasses} of them: {self.counted.refused or how}"
        )

    @property
    def syncs(self) -> int:
        return sum(kind.syncs for kind in self.counted.files)

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
            beside = [k for k in self.counted.files if k.name.rpartition("/")[0] == parent]
            alone = parent and all(each in often for each in beside)
            pattern = f"{parent}/" if alone else _COUNTED.sub("*", kind.name)
            found[pattern] = found.get(pattern, False) or bool(_LOG_NAME.search(kind.name))
        named = tuple(pattern for pattern, is_log in found.items() if is_log)
        others = tuple(pattern for pattern, is_log in found.items() if not is_log)
        return (named, others) if named else (others, ())

    def require_log(self, patterns: Sequence[str]) -> None:
        """Raise UsageError for syncs that the tap cannot answer, and for patterns that match
        nothing that the run synced, saying what it did.
        """
        if self.counted.bypasses:
            raise UsageError(self._around)
        if self.matching(patterns).syncs:
            return
        synced = [f"{kind.name} ({kind.syncs} syncs)" for kind in self.counted.files if kind.syncs]
        if not synced:
            raise UsageError(
                "--log: the command synced no file, so its log costs it no wait on any device"
            )
        logs, _ = self.logs_and_others()
        raise UsageError(
            f"--log: {' '.join(patterns)!r} matches no file that the command synced, which were "
            f"{', '.join(synced[:5])}{f'; type {_typed(logs)}' if logs else ''}"
        )


def _typed(patterns: Sequence[str]) -> str:
    return " ".join(f"--log '{each}'" for each in patterns)


def watch(command: Command, data_root: Path, kept: Path | None = None) -> Watched:
    """Run a program once in a copy of its data, on the disk of `data_root`.

    A server gets its load once. If the tap sees no sync, or a supervisor beside it sees further
    ones, a supervisor looks at a second run, and a third without either says what that cost.
    `kept` is a folder for the outputs; None keeps none. Errors: as `begun`.
    """
    work, no_witness = data_root / "work", ""
    with (
        places.borrowed(work, _WATCHES, "work", flag="--data-dir", mode=PASSABLE) as home,
        places.borrowed(SHM, _WATCHES, "memory", mode=PASSABLE) as memory,
    ):
        kept, tap, witness = kept or home, Tap.make(memory / "tap"), None
        try:
            witness = Tap.make(memory / "all", supervises=True)
        except WaltaxError as error:
            no_witness = str(error)
        seen = _once(command, home / "tapped", kept, tap, witness)
        if witness is None or ((seen.syncs or seen.counted.dir_syncs) and not seen.missed):
            return replace(seen, no_witness=no_witness)
        by_witness = _once(command, home / "all", kept, witness)
        if not by_witness.syncs and not by_witness.counted.bypasses:
            return seen
        alone_s = None
        if not command.serves:  # whose load takes as long as it is told
            placed = Folder.make(command, home / "alone", tap.sockets)
            with begun(command, command.run, {}, placed, kept / "alone") as (run, _):
                alone_s = run().seconds
        return replace(by_witness, is_supervised=True, alone_s=alone_s)


def _once(
    command: Command, home: Path, kept: Path, tap: Tap, witness: Tap | None = None
) -> Watched:
    """Run a program once, and look at all files."""
    placed = Folder.make(command, home, tap.sockets)
    pages, past = tap.begin(), witness.begin() if witness is not None else None
    everywhere = replace(placed, log=Path("/"), patterns=("*",))
    line, env = tap.around(command.run, everywhere, witness)
    with begun(command, line, env, placed, kept / "watched") as (run, _):
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
