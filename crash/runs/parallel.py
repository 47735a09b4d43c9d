"""Independent parts of a work, on all CPUs of the machine.

Each process is a fork of this one, so the work and its input need not be sent, only results.
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
"""`work(part, number)` does a part; `number` is that of the process, from 0."""

_FORK = multiprocessing.get_context("fork")


def in_order(
    work: Work[Part, Result], parts: Sequence[Part], processes: int | None = None
) -> Generator[Result, None, None]:
    """Yield the result of each part, in order. `processes` None: one for each CPU.

    The processes and their children end with the iteration, however that ends. Errors: those of
    `work`; WaltaxError when a process died.
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
    """A process that does its parts one after another, within a `with`."""

    def __init__(self, work: Work[Part, Result], parts: Sequence[Part], number: int) -> None:
        self._results, results = _FORK.Pipe(duplex=False)
        dying = proc.dying_with_us()
        self._process = _FORK.Process(target=_done, args=(work, parts, number, results, dying))
        self._process.start()
        results.close()  # so that we see when the other end closes

    def __enter__(self) -> _Worker[Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self._results.close()

    def result(self) -> Result:
        """Return the result of its next part. Errors: as `in_order`."""
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
    results: Connection,
    dying: Callable[[], None],
) -> None:
    dying()
    for key in (signal.SIGINT, signal.SIGQUIT):  # for the process that waits for us
        signal.signal(key, signal.SIG_IGN)
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    try:
        for part in parts:
            results.send((work(part, number), None))
    except Exception as error:
        results.send((None, error))
