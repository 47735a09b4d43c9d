"""What workers and the scheduler tell the campaign's side, in the order in which it came."""

from __future__ import annotations

import queue
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed import Client, Future

TOLD, GONE, CAME, GREETED, DONE = "told", "gone", "came", "greeted", "done"
_OF_SCHEDULER = {"remove-worker": GONE, "add-worker": CAME}


@dataclass(frozen=True)
class Note:
    """`about`: of TOLD and DONE the session, as text; else a worker's address.

    `said` is what a task told; `future` the one that is done, of GREETED and DONE.
    """

    kind: str
    about: str
    said: Mapping[str, Any] | None = None
    future: Future | None = None


class Inbox:
    """Filled by dask's own thread, and emptied by one reader."""

    def __init__(self, client: Client, topic: str) -> None:
        self._notes: queue.SimpleQueue[Note] = queue.SimpleQueue()
        client.subscribe_topic(topic, self._told)
        client.subscribe_topic("all", self._of_scheduler)

    def when_done(self, future: Future, kind: str, about: str) -> None:
        """Have a note of this kind when the future is done, whatever came of it."""
        future.add_done_callback(lambda done: self._notes.put(Note(kind, about, future=done)))

    def next(self, within_s: float) -> Note | None:
        """The next one; None where none comes in that time."""
        try:
            return self._notes.get(timeout=within_s)
        except queue.Empty:
            return None

    def _told(self, event: tuple[float, dict[str, Any]]) -> None:
        said = event[1]
        self._notes.put(Note(TOLD, str(said["session"]), said))

    def _of_scheduler(self, event: tuple[float, Any]) -> None:
        said = event[1]
        kind = _OF_SCHEDULER.get(said.get("action", "")) if isinstance(said, dict) else None
        if kind is not None:
            self._notes.put(Note(kind, said["worker"]))
