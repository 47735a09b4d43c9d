"""Cores with sticky run queues, in simulated time.

A thread runs until it blocks. When it is woken it takes its last core if that is idle. If not, it
looks for another idle core, but only while cores are not too busy for that to be worth it: Linux
looks at as many as `_looks_at` says, of two cores at none once they are busy for 60 % of the time.
Else it queues for its last core, or for that of who woke it, whose queue is shorter, and stays
there. A core that becomes idle pulls who has queued elsewhere for longer than Linux takes a
thread's caches to be warm; at a tick an idle core pulls anybody. So cores idle while threads wait.

Starting on an idle core takes `wake_us`, in which the core is taken, and then `halt_us` of CPU time
more: what a thread loses whose core halted.

A thread may also wait as RocksDB's writers do, by yielding: it goes to the end of its core's queue
and looks again when it gets the core. Where nobody else wants the core it keeps it, and sees at
once what it waits for. After a few yields in vain, or 100 us, it blocks; and where that is what
comes of it most of the time, it blocks at once but for a sample (`Patience`).
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

_YIELDS = 3  # RocksDB's kMaxSlowYieldsWhileSpinning
_YIELD_US = 100.0  # its write_thread_max_yield_usec
_WARM_US = 500.0  # Linux's sched_migration_cost
_TICK_US = 4000.0  # of a kernel with CONFIG_HZ=250
_UTILISATION = 0.5 ** (_TICK_US / 32_000)  # what a tick leaves of it: it halves in 32 ms
_MARGIN = 1.17  # of imbalance, in Linux's kernel/sched/fair.c
_SAMPLED = 1 / 256  # of all waits: these learn, and these yield whatever was learnt
_FORGET = 1 / 1024  # at each lesson


class Thread:
    """A client. `core` is the one that it ran on last; the rest is of its waiting."""

    __slots__ = (
        *("core", "owed_us", "patience", "sampled", "since", "spins_since", "told", "waits"),
        "yields",
    )

    def __init__(self, core: Core) -> None:
        self.core = core
        self.owed_us = 0.0
        self.patience: Patience | None = None  # of what it waits for
        self.sampled = False
        self.since = 0.0  # when it began to wait
        self.spins_since = 0.0
        self.yields = 0
        self.told: Then | None = None  # what it was told to do
        self.waits = ""  # "", "queued", "spinning" or "blocked"


Then = Callable[[Thread], None]


class Core:
    """One CPU: who waits for it, and who keeps it only until somebody does."""

    __slots__ = ("number", "queue", "spinner", "taken")

    def __init__(self, number: int) -> None:
        self.number = number
        self.taken = False
        self.spinner: Thread | None = None
        self.queue: deque[tuple[Thread, Then, float]] = deque()  # and since when


class Patience:
    """Whether yielding pays at one place: RocksDB's AdaptationContext, which all threads share.

    A sample of the waits counts for or against it. Yields that take long, since somebody else
    wants the core, count against it each time.
    """

    def __init__(self, draws: Random) -> None:
        self._credit = 0.0
        self._draws = draws

    def sampled(self) -> bool:
        return self._draws.random() < _SAMPLED

    def tries(self) -> bool:
        return self._credit >= 0

    def learn(self, paid: bool) -> None:
        self._credit += (1.0 if paid else -1.0) - _FORGET * self._credit


@dataclass
class Counted:
    """What happened since the clock was started: us of CPU, and halts that ended."""

    cpu_us: float = 0.0
    halts: int = 0


class Machine:
    """The clock, and the cores. Times are in us.

    What a thread does is a chain of calls: each takes what is to be done `then`.
    """

    def __init__(self, cores: int, wake_us: float, halt_us: float) -> None:
        self.now = 0.0
        self.wake_us = wake_us
        self.cores = [Core(number) for number in range(cores)]
        self.counted = Counted()
        self._halt_us = halt_us
        self._taken = 0
        self._taken_us = self._taken_since = 0.0  # of all cores, since the last tick
        self._utilisation = 1.0
        self._scan = 0
        self._tick = _TICK_US
        self._events: list[tuple[float, int, Then, Thread]] = []
        self._numbers = 0

    def threads(self, count: int) -> list[Thread]:
        """So many threads, dealt to the cores in turn; none of them runs."""
        return [Thread(self.cores[number % len(self.cores)]) for number in range(count)]

    def step(self) -> None:
        """The next event, or tick."""
        if self._events[0][0] >= self._tick:
            self.now = self._tick
            self._tick += _TICK_US
            self._balance()
            return
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
            following, then, _ = core.queue.popleft()
        elif (pulled := self._pulled(self.now - _WARM_US)) is not None:
            following, then = pulled
            following.core = core
        else:
            core.taken = False
            self._count_taken(-1)
            return
        then(following)

    def _balance(self) -> None:
        """At a tick: what Linux does for cores that idle while threads queue for others."""
        self._count_taken(0)
        busy = self._taken_us / len(self.cores) / _TICK_US
        self._utilisation = _UTILISATION * self._utilisation + (1 - _UTILISATION) * busy
        self._taken_us = 0.0
        self._scan = _looks_at(len(self.cores), self._utilisation)
        for core in self.cores:
            if not core.taken and (pulled := self._pulled(self.now)) is not None:
                thread, then = pulled
                thread.core = core
                self._start(thread, then)

    def wake(self, thread: Thread, then: Then, by: Core | None = None) -> None:
        """Let the thread go on once it has a core. `by` is the core of who wakes it."""
        core = thread.core = self._place(thread.core, by)
        if not core.taken:
            self._start(thread, then)
        elif core.spinner is None:
            core.queue.append((thread, then, self.now))
        else:
            self._step_aside(core.spinner)
            then(thread)

    def _place(self, last: Core, by: Core | None) -> Core:
        if not last.taken:
            return last
        if self._scan and self._taken < len(self.cores):
            idle = next((one for one in self._seen(last) if not one.taken), None)
            if idle is not None:
                return idle
        return by if by is not None and len(by.queue) < len(last.queue) else last

    def _seen(self, last: Core) -> list[Core]:
        """The cores that are looked at, from the one after the last on."""
        first = last.number + 1
        return (self.cores[first:] + self.cores[:first])[: self._scan]

    def _count_taken(self, more: int) -> None:
        self._taken_us += self._taken * (self.now - self._taken_since)
        self._taken_since = self.now
        self._taken += more

    def _start(self, thread: Thread, then: Then) -> None:
        thread.core.taken = True
        self._count_taken(1)
        self.counted.halts += 1
        thread.owed_us = self._halt_us
        self.at(self.now + self.wake_us, thread, then)

    def _pulled(self, queued_until: float) -> tuple[Thread, Then] | None:
        """Who has queued for longest, of those who did then already."""
        waiting = [one for one in self.cores if one.queue and one.queue[0][2] <= queued_until]
        if not waiting:
            return None
        thread, then, _ = min(waiting, key=lambda one: one.queue[0][2]).queue.popleft()
        return thread, then

    def block(self, thread: Thread) -> None:
        """Wait without a core until `tell`."""
        thread.waits, thread.told = "blocked", None
        self.release(thread)

    def linger(self, thread: Thread, patience: Patience) -> None:
        """Wait by yielding until `tell`; in vain, block."""
        thread.sampled = patience.sampled()
        if not (thread.sampled or patience.tries()):
            self.block(thread)
            return
        thread.patience = patience
        thread.since, thread.yields, thread.told = self.now, 0, None
        self._linger(thread)

    def tell(self, thread: Thread, then: Then, by: Core) -> None:
        """End the waiting of a thread."""
        if thread.waits == "blocked":
            thread.waits = ""
            self.wake(thread, then, by)
        elif thread.waits == "spinning":
            self._spun(thread)
            self._learn(thread, paid=True)
            then(thread)
        else:
            thread.told = then

    def _learn(self, thread: Thread, *, paid: bool, surely: bool = False) -> None:
        assert thread.patience is not None
        if thread.sampled or surely:
            thread.patience.learn(paid)

    def _linger(self, thread: Thread) -> None:
        core = thread.core
        if core.queue:
            thread.waits = "queued"
            core.queue.append((thread, self._look, self.now))
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
            self._learn(thread, paid=True)
            told(thread)
            return
        thread.yields += 1
        if thread.yields >= _YIELDS or self.now >= thread.since + _YIELD_US:
            self._learn(thread, paid=False, surely=thread.yields >= _YIELDS)
            self.block(thread)
        else:
            self._linger(thread)

    def _tired(self, thread: Thread, since: float) -> None:
        if thread.waits == "spinning" and thread.since == since:
            self._spun(thread)
            self._learn(thread, paid=False)
            self.block(thread)

    def _step_aside(self, spinner: Thread) -> None:
        self._spun(spinner)
        spinner.waits = "queued"
        spinner.core.queue.append((spinner, self._look, self.now))

    def _spun(self, thread: Thread) -> None:
        self.counted.cpu_us += self.now - thread.spins_since
        thread.core.spinner, thread.waits = None, ""


def _looks_at(cores: int, utilisation: float) -> int:
    """At how many others who is woken looks for an idle one (SIS_UTIL of kernel/sched/fair.c)."""
    return max(0, int(cores * (1 - (_MARGIN * utilisation) ** 2)))
