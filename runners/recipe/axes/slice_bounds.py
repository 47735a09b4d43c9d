"""Hold a cell to a bound while it lives: set before each slice, and reported in its row."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from ....base.errors import UsageError, WaltaxError
from ....engines import ENGINES
from ....row import Row
from ....workload import Parameter
from ...cells import control_groups
from ...cells.control_groups import MemoryGroup
from ..parts import CGROUP, Bound
from .axis import Axis

if TYPE_CHECKING:
    from ...cells.setting import Setting

_PAST_THE_CACHE = "direct I/O"
_KIB = 1024
_RESET_PEAK = "5"  # of /proc/PID/clear_refs (proc(5))
_EVERY_S = 0.02


class _Following(Thread):
    """Hold a group to a bound beside a log in memory, so that a growing log takes nothing from the
    data. `log`, `limit` and `most` are bytes, each at its largest.
    """

    def __init__(self, group: MemoryGroup, bound_bytes: int) -> None:
        super().__init__(daemon=True)
        self._group, self._bound = group, bound_bytes
        self._over = Event()
        self.log = group.usage().shared
        self.limit, self.most = bound_bytes + self.log, 0
        group.limit(self.limit)
        self.start()

    def run(self) -> None:
        while not self._over.wait(_EVERY_S):
            self._look()

    def end(self) -> None:
        self._over.set()
        self.join()
        self._look()

    def _look(self) -> None:
        with suppress(OSError):  # it cannot be held closer just now
            usage = self._group.usage()
            self.log, self.most = max(self.log, usage.shared), max(self.most, usage.used)
            limit = self._bound + usage.shared
            if limit != usage.limit:
                self._group.limit(limit)
            self.limit = max(self.limit, limit)


@dataclass
class Held(Axis):
    """What holds a cell's programs, and counts what they use. Use from one thread."""

    bound: Bound
    group: MemoryGroup | None
    _following: _Following | None = None
    _stalled_s: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.groups = () if self.group is None else (self.group.path,)
        # A page that cells share is charged to only one of them.
        self.is_alone = self.group is not None

    def flags(self, setting: Setting) -> Mapping[str, Parameter]:
        """Make the engine count the blocks that were found in its cache."""
        on_server = ENGINES[setting.cell.engine].on_server
        return {} if on_server else {"stats_level": "except-timers"}

    def cloned(self, *folders: Path) -> None:
        """Evict the data from memory, so that what a cell reads is its own."""
        for folder in folders:
            evict(folder)

    def begin(self, pids: Sequence[int]) -> None:
        """Count from now on. The bound leaves out a log in memory: the data have all of it."""
        if self.group is not None:
            self._following = _Following(self.group, self.bound.bytes)
            self._stalled_s = control_groups.stalled_s(self.group.path)
        else:
            for pid in pids:
                with suppress(OSError):
                    Path(f"/proc/{pid}/clear_refs").write_text(_RESET_PEAK)

    def counted(self, pids: Sequence[int]) -> Row:
        """Return columns of what happened since `begin`. Errors: WaltaxError after a kill."""
        self.require_alive()
        return {
            "memory_bound_bytes": self.bound.bytes,
            "memory_ratio": self.bound.ratio,
            **(self._of_processes(pids) if self.group is None else self._of(self.group, pids)),
        }

    def _of(self, group: MemoryGroup, pids: Sequence[int]) -> Row:
        assert self._following is not None
        self._following.end()
        usage, waited = group.usage(), control_groups.stalled_s(group.path)
        return {
            **{
                f"cell_psi_{name}_s": round(value - self._stalled_s.get(name, 0.0), 6)
                for name, value in waited.items()
            },
            "memory_bound": group.name,
            "memory_limit_bytes": self._following.limit,
            "memory_used_bytes_max": self._following.most,
            "memory_page_cache_bytes": usage.cache - usage.shared,
            "memory_log_bytes": self._following.log,
            "memory_outside": len(set(pids) - group.members()),
        }

    def _of_processes(self, pids: Sequence[int]) -> Row:
        return {
            "memory_bound": _PAST_THE_CACHE,
            "memory_limit_bytes": self.bound.bytes,
            "memory_used_bytes_max": sum(map(_peak_bytes, pids)),
        }

    def end(self) -> None:
        """Stop following the group, so that it can be removed."""
        if self._following is not None:
            self._following.end()

    def require_alive(self) -> None:
        """Raise WaltaxError when the kernel killed a program because it did not fit."""
        if self.group is not None and self.group.kills():
            raise WaltaxError(
                f"the kernel killed a program, which needs more than the {self.bound.mib} MiB that "
                "it may take; type a larger --memory, or a --profile whose caches are smaller"
            )


@contextmanager
def held(bound: Bound, what: str) -> Iterator[Held]:
    """Yield the groups of the cell that `what` names; remove them when its programs have ended.

    Errors: UsageError when the kernel takes no bound.
    """
    with ExitStack() as stack:
        made = Held(bound, _bounded(stack, bound, what) if bound.by == CGROUP else None)
        stack.callback(made.end)
        yield made


def _bounded(stack: ExitStack, bound: Bound, what: str) -> MemoryGroup:
    where = control_groups.hierarchy()
    if where is None:
        raise UsageError("--memory: no control group bounds memory here any more")
    try:
        return stack.enter_context(control_groups.bounded(where, what, bound.bytes))
    except OSError as error:
        raise UsageError(
            f"--memory: {where.point} takes no bound ({error.strerror}); run as root, or type "
            "--memory-by direct"
        ) from error


def evict(folder: Path) -> None:
    """Evict all files below `folder` from memory, whoever they are charged to; what was written to
    them is on disk then.
    """
    for handle in _opened(folder):
        os.fsync(handle)  # a page that is not written yet stays
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)


def _opened(folder: Path) -> Iterator[int]:
    """Open each regular file until the next one; files may vanish meanwhile."""
    for root, _, names in os.walk(folder):
        for file in (path for name in names if (path := Path(root) / name).is_file()):
            with suppress(FileNotFoundError):
                handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    yield handle
                finally:
                    os.close(handle)


def _peak_bytes(pid: int) -> int:
    """Return the most memory that a process had since its peak was reset."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * _KIB
    return 0
