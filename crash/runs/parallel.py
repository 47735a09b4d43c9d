"""Independent parts of a work, on all CPUs of the machine.

Each process is a fork of this one, so the work and its input need not be sent, only results.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from ...base import proc
from ...base.errors import WaltaxError

Part = TypeVar("Part")
Result = TypeVar("Result")
Work = Callable[[Part, int], Result]
"""`work(part, number)` does a part; `number` is that of the part, from 0."""

_FORK = multiprocessing.get_context("fork")
_forked: tuple[Work[Any, Any], Sequence[Any]]
"""The work and the parts of a process of the pool."""


def in_order(
    work: Work[Part, Result], parts: Sequence[Part], processes: int | None = None
) -> Generator[Result, None, None]:
    """Yield the result of each part, in order. `processes` None: one for each CPU.

    The processes and their children end with the iteration, however that ends. Errors: those of
    `work`; WaltaxError when a process died.
    """
    count = min(processes or len(os.sched_getaffinity(0)), len(parts))
    if count <= 1:
        yield from (work(part, number) for number, part in enumerate(parts))
        return
    begin = work, parts, proc.dying_with_us()
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(count, _FORK, initializer=_begin, initargs=begin) as pool:
        try:
            yield from pool.map(_done, range(len(parts)))
        except BrokenProcessPool as error:
            raise WaltaxError(
                "a process that looked at states died, as when memory is short"
            ) from error
        finally:
            for process in set(multiprocessing.active_children()) - others:
                process.kill()


def _begin(work: Work[Any, Any], parts: Sequence[Any], dying: Callable[[], None]) -> None:
    global _forked
    _forked = work, parts
    dying()
    for key in (signal.SIGINT, signal.SIGQUIT):  # for the process that waits for us
        signal.signal(key, signal.SIG_IGN)
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)


def _done(number: int) -> Any:
    work, parts = _forked
    return work(parts[number], number)
