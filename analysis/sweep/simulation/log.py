"""The log: RocksDB's write group, whose leader writes and syncs for all who wait.

Who commits while nobody leads is a leader at once, on the core that it has. Everybody else queues
and waits. A leader takes the whole queue, writes, and syncs. Then the first who came meanwhile is
told to lead the next group, and the group's own commits are done. Until the new leader has a core,
the log does nothing.

With eager writers (`Engine.eager_writers`) each of a group first writes its own memtable entries,
for which it needs a core, and the last of them hands over. Such writers yield before they block.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from .machine import Machine, Patience, Then, Thread


@dataclass(frozen=True)
class Protocol:
    """CPU of a group and of each commit in it, us; how many may commit at once.

    `through` is the share of syncs that keep their caller's core, `spun_us` how much of the others
    does, at most.
    """

    group_us: float
    commit_us: float
    spun_us: float
    through: float
    lanes: int
    eager: bool


class Log:
    """`sync_us` draws the time of a sync; `then` is what a client does after its commit."""

    def __init__(
        self,
        machine: Machine,
        protocol: Protocol,
        sync_us: Callable[[], float],
        then: Then,
        chance: Random,
    ) -> None:
        self.commits = 0
        self.groups = 0
        self.busy_us = 0.0  # from a leader's first instruction to the end of its sync
        self.waited_us = 0.0  # by callers, for their syncs
        self._machine = machine
        self._protocol = protocol
        self._draw = sync_us
        self._then = then
        # To be led, and for the rest of one's group: each place learns for itself.
        self._queueing, self._leaving = Patience(chance), Patience(chance)
        self._chance = chance
        self._lanes = protocol.lanes
        self._outside: deque[Thread] = deque()
        self._leads = False
        self._queue: deque[Thread] = deque()
        self._group: list[Thread] = []
        self._left = 0  # of a group, who has not written its entries yet
        self._began = self._synced = self._deadline = 0.0

    def commit(self, thread: Thread) -> None:
        """The thread has a core."""
        if self._lanes:
            self._lanes -= 1
            self._join(thread)
        else:
            self._outside.append(thread)
            self._machine.block(thread)

    def _wait(self, thread: Thread, patience: Patience) -> None:
        if self._protocol.eager:
            self._machine.linger(thread, patience)
        else:
            self._machine.block(thread)

    def _join(self, thread: Thread) -> None:
        if self._leads:
            self._queue.append(thread)
            self._wait(thread, self._queueing)
        else:
            self._leads = True
            self._lead(thread)

    def _lead(self, leader: Thread) -> None:
        self._group = [leader, *self._queue]
        self._queue.clear()
        self._began = self._machine.now
        commits = 0 if self._protocol.eager else len(self._group)
        cpu_us = self._protocol.group_us + self._protocol.commit_us * commits
        self._machine.hold(leader, cpu_us, self._sync)

    def _sync(self, leader: Thread) -> None:
        """A device's time includes the wake-up of its caller, where a core is idle."""
        machine, sync_us = self._machine, self._draw()
        self._synced, self._deadline = machine.now, machine.now + sync_us
        ahead_us = machine.wake_us + self._protocol.spun_us
        if sync_us <= ahead_us or self._chance.random() < self._protocol.through:
            machine.hold(leader, sync_us, self._end)
        else:
            machine.at(self._deadline - ahead_us, leader, self._answer)
            machine.release(leader)

    def _answer(self, leader: Thread) -> None:
        self._machine.wake(leader, self._spin)

    def _spin(self, leader: Thread) -> None:
        """Up to the time of the device, unless the core came too late for that."""
        left_us = self._deadline - self._machine.now - leader.owed_us
        self._machine.hold(leader, max(0.0, left_us), self._end)

    def _end(self, leader: Thread) -> None:
        machine = self._machine
        self.groups += 1
        self.commits += len(self._group)
        self.busy_us += machine.now - self._began
        self.waited_us += machine.now - self._synced
        if not self._protocol.eager:
            self._exit(leader)
            return
        self._left = len(self._group)
        for follower in self._group[1:]:
            machine.tell(follower, self._apply, leader.core)
        self._apply(leader)

    def _apply(self, thread: Thread) -> None:
        self._machine.hold(thread, self._protocol.commit_us, self._applied)

    def _applied(self, thread: Thread) -> None:
        """The last of the group hands over, whoever it is; the others wait for that."""
        self._left -= 1
        if self._left:
            self._wait(thread, self._leaving)
        else:
            self._exit(thread)

    def _exit(self, last: Thread) -> None:
        machine, done = self._machine, self._group  # the next leader may have a core at once
        if self._queue:
            machine.tell(self._queue.popleft(), self._lead, last.core)
        else:
            self._leads = False
        for other in done:
            if other is not last:
                machine.tell(other, self._then, last.core)
        self._lanes += len(done)
        while self._outside and self._lanes:
            self._lanes -= 1
            machine.tell(self._outside.popleft(), self._join, last.core)
        self._then(last)
