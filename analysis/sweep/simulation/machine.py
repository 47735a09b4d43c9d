"""Cores with sticky run queues, in simulated time.

A thread runs until it blocks. When it is woken it takes its last core if that is idle, else any
idle core, else it queues for its last core and stays there: an idle core pulls nobody. Starting on
an idle core takes `wake_us`, in which the core is taken, and then `halt_us` of CPU time more: what
a thread loses whose core halted.

A thread may also wait as RocksDB's writers do, by yielding: it goes to the end of its core's queue
and looks again when it gets the core. Where nobody else wants the core it keeps it, and sees at
once what it waits for. After a few yields in vain, or 100 us, it blocks.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

_YIELDS = 3  # RocksDB's kMaxSlowYieldsWhileSpinning
_YIELD_US = 100.0  # its write_thread_max_yield_usec


class Thread:
    """A client. `core` is the one that it ran on last; the rest is of its waiting."""

    __slots__ = ("core", "owed_us", "since", "spins_since", "told", "waits", "yields")

    def __init__(self, core: Core) -> None:
        self.core = core
        self.owed_us = 0.0
        self.since = 0.0  # when it began to wait
        self.spins_since = 0.0
        self.yields = 0
        self.told: Then | None = None  # what it was told to do
        self.waits = ""  # "", "queued", "spinning" or "blocked"


Then = Callable[[Thread], None]


class Core:
    """One CPU: who waits for it, and who keeps it only until somebody does."""

    __slots__ = ("queue", "spinner", "taken")

    def __init__(self) -> None:
        self.taken = False
        self.spinner: Thread | None = None
        self.queue: deque[tuple[Thread, Then]] = deque()


@dataclass
class Counted:
    """What happened since the clock was started: us of CPU, wake-ups, halts that ended."""

    cpu_us: float = 0.0
    halts: int = 0
    wakes: int = 0


class Machine:
    """The clock, and the cores. Times are in us.

    What a thread does is a chain of calls: each takes what is to be done `then`.
    """

    def __init__(self, cores: int, wake_us: float, halt_us: float) -> None:
        self.now = 0.0
        self.wake_us = wake_us
        self.cores = [Core() for _ in range(cores)]
        self.counted = Counted()
        self._halt_us = halt_us
        self._events: list[tuple[float, int, Then, Thread]] = []
        self._numbers = 0

    def threads(self, count: int) -> list[Thread]:
        """So many threads, dealt to the cores in turn; none of them runs."""
        return [Thread(self.cores[number % len(self.cores)]) for number in range(count)]

    def step(self) -> None:
        """The next event."""
        self.now, _, then, thread = heapq.heappop(self._events)
        then(thread)

    def at(self, when: float, thread: Thread, then: Then) -> None:
        self._numbers += 1  # equal times keep their order
        heapq.heappush(self._events, (when, self._numbers, then, thread))

    def hold(self, thread: Thread, us: float, then: Then) -> None:
        """Use so much CPU time on the core that the thread has, and what its halt cost it."""
        us += thread.owed_us
        thread.owed_us = 0.0
        self.counted.cpu_us += us
        self.at(self.now + us, thread, then)

    def release(self, thread: Thread) -> None:
        """Leave the core to the next in its queue, if there is one."""
        core = thread.core
        if core.queue:
            following, then = core.queue.popleft()
            then(following)
        else:
            core.taken = False

    def wake(self, thread: Thread, then: Then) -> None:
        """Let the thread go on once it has a core."""
        counted, core = self.counted, thread.core
        counted.wakes += 1
        if core.taken:
            core = next((one for one in self.cores if not one.taken), core)
        thread.core = core
        if not core.taken:
            core.taken = True
            counted.halts += 1
            thread.owed_us = self._halt_us
            self.at(self.now + self.wake_us, thread, then)
        elif core.spinner is None:
            core.queue.append((thread, then))
        else:
            self._step_aside(core.spinner)
            then(thread)

    def block(self, thread: Thread) -> None:
        """Wait without a core until `tell`."""
        thread.waits, thread.told = "blocked", None
        self.release(thread)

    def linger(self, thread: Thread) -> None:
        """Wait by yielding until `tell`; in vain, block."""
        thread.since, thread.yields, thread.told = self.now, 0, None
        self._linger(thread)

    def tell(self, thread: Thread, then: Then) -> None:
        """End the waiting of a thread."""
        if thread.waits == "blocked":
            thread.waits = ""
            self.wake(thread, then)
        elif thread.waits == "spinning":
            self._spun(thread)
            then(thread)
        else:
            thread.told = then

    def _linger(self, thread: Thread) -> None:
        core = thread.core
        if core.queue:
            thread.waits = "queued"
            core.queue.append((thread, self._look))
            self.release(thread)
        else:
            thread.waits, core.spinner = "spinning", thread
            thread.spins_since, since = self.now, thread.since
            self.at(since + _YIELD_US, thread, lambda one: self._tired(one, since))

    def _look(self, thread: Thread) -> None:
        """On a core again after a yield."""
        told, thread.told = thread.told, None
        if told is not None:
            thread.waits = ""
            told(thread)
            return
        thread.yields += 1
        if thread.yields >= _YIELDS or self.now >= thread.since + _YIELD_US:
            self.block(thread)
        else:
            self._linger(thread)

    def _tired(self, thread: Thread, since: float) -> None:
        if thread.waits == "spinning" and thread.since == since:
            self._spun(thread)
            self.block(thread)

    def _step_aside(self, spinner: Thread) -> None:
        self._spun(spinner)
        spinner.waits = "queued"
        spinner.core.queue.append((spinner, self._look))

    def _spun(self, thread: Thread) -> None:
        self.counted.cpu_us += self.now - thread.spins_since
        thread.core.spinner, thread.waits = None, ""
