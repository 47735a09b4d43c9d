"""The lies: how each is planted, and the words by which it must be told."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from waltax import analysis
from waltax.evidence import judgement

from .stage import Seen, Stage


@dataclass(frozen=True)
class Lie:
    """`tell` plants it and returns what came of it; one of `words` must be in what is said.

    With `argued`, nothing has to be said: docs/method.md says why.
    """

    name: str
    tell: Callable[[Stage], Seen]
    words: tuple[str, ...]
    needs_root: bool = False
    argued: bool = False


def _behind(name: str, lie: str, *words: str, argued: bool = False) -> Lie:
    return Lie(name, lambda at: at.session(env=at.behind_the_tap(lie)), words, argued=argued)


def _hidden(at: Stage) -> Seen:
    return at.session(env=at.in_front_of_it("hidden-writes"))


@contextlib.contextmanager
def _mounted(point: Path, *words: str) -> Iterator[Path]:
    point.mkdir(parents=True)
    subprocess.run(["mount", *words, str(point)], check=True)
    try:
        yield point
    finally:
        subprocess.run(["umount", "--lazy", str(point)], check=True)


def _volatile(at: Stage) -> Seen:
    lower, upper, work = (at.folder / name for name in ("lower", "upper", "between"))
    for folder in (lower, upper, work):
        folder.mkdir()
    options = f"lowerdir={lower},upperdir={upper},workdir={work},volatile"
    with _mounted(at.folder / "merged", "-t", "overlay", "overlay", "-o", options) as point:
        return at.session(wal_dir=point / "wal")


def _without_barriers(at: Stage) -> Seen:
    image = at.folder / "image"
    with image.open("wb") as file:
        file.truncate(512 << 20)
    subprocess.run(["mkfs.ext4", "-q", str(image)], check=True)
    with _mounted(at.folder / "plain", "-o", "loop,barrier=0", str(image)) as point:
        return at.session(wal_dir=point / "wal")


def _data_in_memory(at: Stage) -> Seen:
    with _mounted(at.folder / "ram", "-t", "tmpfs", "-o", "size=1g", "tmpfs") as point:
        return at.session(data_root=point)


def _few_cores(at: Stage) -> Seen:
    """Of which each row must say how many are left: then it is no lie any more."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        seen = at.session()
    finally:
        os.sched_setaffinity(0, before)
    said = [{**one, "warnings": [f"cores {one['cores']}"]} for one in seen.rows]
    return Seen(said, seen.failures)


def _quota(at: Stage) -> Seen:
    folder, writes = _new_cgroup()
    try:
        for name, text in writes.items():
            (folder / name).write_text(text)
        with _moved_into(folder):
            return at.session()
    finally:
        folder.rmdir()


def _new_cgroup() -> tuple[Path, dict[str, str]]:
    """A cgroup with 30 % of a CPU, of either version of the hierarchy."""
    old = Path("/sys/fs/cgroup/cpu")
    folder = (old if old.is_dir() else old.parent) / f"waltax-bench-{os.getpid()}"
    folder.mkdir()
    if old.is_dir():
        return folder, {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "30000"}
    return folder, {"cpu.max": "30000 100000"}


@contextlib.contextmanager
def _moved_into(folder: Path) -> Iterator[None]:
    ours = str(os.getpid())
    (folder / "cgroup.procs").write_text(ours)
    try:
        yield
    finally:
        (folder.parent / "cgroup.procs").write_text(ours)


def _edited(column: str, factor: float) -> Callable[[Stage], Seen]:
    """Rows in which a number was changed after they were measured."""

    def tell(at: Stage) -> Seen:
        rows = at.session().rows
        found = [
            why
            for one in rows
            if one["status"] == "ok" and one["durability"] == "sync"
            for why in judgement.untrue(one | {column: type(one[column])(one[column] * factor)})
        ]
        return Seen([], {"edited": found[0]} if found else {})

    return tell


def _two_machines(at: Stage) -> Seen:
    rows = at.session().rows
    moved = [one | {"campaign": "elsewhere", "cores": 64} for one in rows]
    analysis.estimate([*rows, *moved])
    return Seen(rows)


def _option(name: str, value: str) -> Callable[[Stage], Seen]:
    """A profile with another option of RocksDB's."""
    jobs = "max_background_jobs = 2"
    return lambda at: at.session(edits={jobs: f'{jobs}\n{name} = "{value}"'})


def _variable(engine: str, old: str, new: str) -> Callable[[Stage], Seen]:
    """A server's profile with a line replaced, and with little data."""
    small = {"maxid1 = 100001": "maxid1 = 2001", "degree_cap = 25000": "degree_cap = 50"}
    return lambda at: at.session(engine=engine, edits={**small, old: new})


_DOUBLEWRITE = _variable("innodb", "innodb_doublewrite = true", "innodb_doublewrite = false")
_RECOVERY = _variable("myrocks", "rocksdb_wal_recovery_mode = 2", "rocksdb_wal_recovery_mode = 3")
_TIMEOUT = _variable(
    "innodb",
    "innodb_purge_threads = 1",
    "innodb_purge_threads = 1\ninnodb_flush_log_at_timeout = 2700",
)

LIES = (
    _behind("sync is a no-op below the tap", "no-sync", "not durable: of ", "the median WAL sync"),
    _behind("every 25th sync is, below the tap", "every-25th-sync", "not durable: of "),
    Lie("1 % of the log's writes are hidden from the tap", _hidden, ("reached the WAL directory",)),
    Lie(
        "the log is on an overlay mounted volatile", _volatile, ("not durable: the overlay",), True
    ),
    Lie(
        "the log's file system has no barriers", _without_barriers, ("not durable: barriers",), True
    ),
    Lie("the data are in memory", _data_in_memory, ("not durable: the data directory",), True),
    Lie("a cgroup allows 30 % of a CPU", _quota, ("disturbed: throttled",), True),
    Lie("taskset leaves one CPU", _few_cores, ("cores 1",)),
    Lie(
        "a profile skips corrupt records of the log",
        _option("wal_recovery_mode", "kSkipAnyCorruptedRecords"),
        ("not durable: wal_recovery_mode",),
    ),
    Lie("InnoDB writes no pages twice", _DOUBLEWRITE, ("not durable: innodb_doublewrite",)),
    Lie("MyRocks skips corrupt records of its log", _RECOVERY, ("not durable: rocksdb_wal_rec",)),
    Lie("InnoDB syncs its log every 45 minutes", _TIMEOUT, ("innodb_flush_log_at_timeout",)),
    Lie("a row's throughput was doubled", _edited("throughput", 2.0), ("throughput is",)),
    Lie("a row's syncs were removed", _edited("tap_syncs", 0.0), ("WAL syncs and the tap 0",)),
    Lie("rows of two machines are compared", _two_machines, ("rows of two machines",)),
)
TRUTHS = (
    Lie("none: an honest session", lambda at: at.session(), ()),
    Lie("none: a profile compresses the log", _option("wal_compression", "kZSTD"), ()),
)
