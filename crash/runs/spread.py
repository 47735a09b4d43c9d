"""Parts of a work that do not wait for each other, on all CPUs of the machine.

Each process is a copy of this one, so that the work and what it works on need no way to be sent;
only what a part came to is.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

from ...base import proc
from ...base.errors import WaltaxError

Part = TypeVar("Part")
Result = TypeVar("Result")
Work = Callable[[Part, int], Result]
"""`work(part, number)` does a part; no two processes at once have the same number, from 0 on."""

_FORK = multiprocessing.get_context("fork")


def in_order(
    work: Work[Part, Result], parts: Sequence[Part], processes: int | None = None
) -> Generator[Result, None, None]:
    """Yield what each part came to, in the order of the parts. None: a process for each CPU.

    The processes and what they started end with the iteration, however that ends. Errors: what
    `work` raised; WaltaxError when a process died.
    """
    count = min(processes or len(os.sched_getaffinity(0)), len(parts))
    if count <= 1:
        yield from (work(part, 0) for part in parts)
        return
    with ExitStack() as ends:
        workers: list[_Worker[Result]] = [
            ends.enter_context(_Worker(work, parts[first::count], first)) for first in range(count)
        ]
        for number in range(len(parts)):
            yield workers[number % count].result()


class _Worker(Generic[Result]):
    """A process that does its parts one after the other, for the length of a `with`."""

    def __init__(self, work: Work[Part, Result], parts: Sequence[Part], number: int) -> None:
        self._results, told = _FORK.Pipe(duplex=False)
        dying = proc.dying_with_us()
        self._process = _FORK.Process(target=_done, args=(work, parts, number, told, dying))
        self._process.start()
        told.close()  # so that its end is seen

    def __enter__(self) -> _Worker[Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self._results.close()

    def result(self) -> Result:
        """Return what its next part came to. Errors: as `in_order`."""
        result: Result
        try:
            result, error = self._results.recv()
        except EOFError:
            self._process.join()
            how = proc.how_ended(self._process.exitcode or 0)
            raise WaltaxError(f"a process that looked at states died: {how}") from None
        if error is not None:
            raise error
        return result


def _done(
    work: Work[Part, Result],
    parts: Sequence[Part],
    number: int,
    told: Connection,
    dying: Callable[[], None],
) -> None:
    dying()
    for key in (signal.SIGINT, signal.SIGQUIT):  # are for whoever waits for us
        signal.signal(key, signal.SIG_IGN)
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    try:
        for part in parts:
            told.send((work(part, number), None))
    except Exception as error:
        told.send((None, error))
