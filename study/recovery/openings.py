"""What is measured: each length's kill, its openings, and what the workload's check finds then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from ...engines import ENGINES
from ...errors import WaltaxError
from ...owned import places
from ...profiles import Profile, options_file
from ...receipts.recovery import roomy
from ...receipts.recovery.crashed import KILL, Subject, Work
from ...receipts.recovery.embedded import Embedded
from ...receipts.recovery.served import OnServer
from ...runners.cells.cgroups import reads
from ...runners.cells.driver import loading
from ..study import Say

MIB = 1 << 20
_PRIVATE, _PASSABLE = 0o700, 0o711  # for the servers' user
_SHORT = "recovery-"  # a server's socket is below it, whose path has an end


@dataclass(frozen=True)
class Asked:
    """`lengths` are MiB of log, each killed `kills` times; what it left has so many `openings`.

    Those read at most `read_mib_per_s` from each disk; None: as fast as it is. `failure` is one of
    `FAILURES`.
    """

    profile: Profile
    workload: str
    lengths: tuple[int, ...]
    kills: int
    openings: int
    seed: int
    read_mib_per_s: float | None = None
    failure: str = KILL


def rows(asked: Asked, data_root: Path, say: Say) -> Iterator[dict[str, object]]:
    """A row for each opening. Errors: WaltaxError, also when an acknowledged commit is missing."""
    loaded = loading.prepare(asked.profile, asked.workload, data_root, say)
    mode = _PASSABLE if ENGINES[asked.profile.engine].on_server else _PRIVATE
    # Every length once before any twice, so that a drift of the machine is in all of them.
    for number in range(asked.kills):
        for mib in asked.lengths:
            with places.borrowed(
                data_root / "work", _SHORT, "work", flag="--data-dir", mode=mode
            ) as work:
                yield from _of_a_kill(asked, mib, number, loaded, work, say)


def _of_a_kill(
    asked: Asked, mib: int, number: int, loaded: Path, work: Path, say: Say
) -> Iterator[dict[str, object]]:
    profile, seed = asked.profile, asked.seed + number
    subject = _subject(asked, mib, work)
    run, room = work / "run", work / "again"
    run.mkdir()
    room.mkdir()
    threads = profile.threads_of(asked.workload)
    left = subject.crash(loaded, run, mib * MIB, threads=threads, seed=seed)
    for opening in range(asked.openings):
        with _held(asked, room):
            found = subject.reopen(left, room)
        say(
            f"{found.log_bytes / MIB:,.0f} MiB of log: serves after {found.open_s:.2f} s, of which "
            f"recovery {found.recovery_s:.2f}"
        )
        yield {
            **{"engine": profile.engine, "workload": asked.workload, "profile": profile.name},
            **{"asked_bytes": mib * MIB, "kill": number, "opening": opening, "seed": seed},
            **{"log_files": left.log_files, **asdict(found)},
            **{"read_limit_mib_per_s": asked.read_mib_per_s, "failure": asked.failure},
        }
    event = subject.check(left)
    if not event["ok"]:
        raise WaltaxError(f"after recovery of {mib} MiB of log: {event['violations'][0]}")


def _held(asked: Asked, room: Path) -> AbstractContextManager[None]:
    if asked.read_mib_per_s is None:
        return nullcontext()
    return reads.limited(room, asked.read_mib_per_s, "--read-mib-per-s")


def _subject(asked: Asked, mib: int, work: Path) -> Subject:
    """The engine as the profile has it, but that it flushes nothing of such a log."""
    profile, workload = asked.profile, asked.workload
    section = profile.workload(workload)
    if ENGINES[profile.engine].on_server:
        told = roomy.served(profile, workload, mib)
        work_of = Work(workload, section.load, section.run)
        return OnServer(profile.engine, told, work_of, asked.failure)
    large, options = roomy.embedded(profile, workload, mib), work / "rocksdb.options"
    options.write_text(options_file(large, workload))
    flags = {
        **section.run,
        **large.embedded.flags,
        "options_file": str(options),
        "block_cache_mb": large.embedded.block_cache_mb,
    }
    return Embedded(Work(workload, section.load, flags), asked.failure)
