"""What a worker does for a campaign: say what its host is, and measure a session.

The functions are called by dask on the worker, by name. All runs in the worker's one thread for
tasks, which lives as long as the worker: programs that are started in it are killed by the kernel
when the worker dies (`proc.launch`).
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from ...base.errors import WaltaxError, in_words
from ...base.folders import places
from ...row import Row
from .. import campaign as campaigns
from .. import checkup, plan
from ..campaign import Campaign
from ..cells import machine
from ..local import Local
from ..progress import Progress
from ..recipe import kept
from ..session import Hooks
from . import agreement

DATA_DIR = "WALTAX_DATA_DIR"
"""The variable that says where a worker's data sets and clones are."""
_ROOT = Path(__file__).parents[2]
_MOST_BYTES = 1 << 20  # of a file that is sent back
_so_far: dict[str, list[Row]] = {}
"""What this process has measured, by campaign: it says what is usual on this host."""


class Order(NamedTuple):
    """One session of a campaign, as the campaign's side asks for it."""

    number: int  # of the session
    topic: str  # that is told of it
    left_s: dict[str, float]  # that it may spend in slices, by workload
    failures: dict[str, str]  # of cells on this host, which are left out
    ended: list[str]  # workloads that rest
    share_machine: bool


def greet(name: str, told: str, host: str) -> dict[str, Any]:
    """What this host is to the campaign `name`: what must agree, what is real, how it stands.

    `told` is the text of its campaign.json. Errors: WaltaxError and UsageError when it cannot be
    measured here.
    """
    with _resolved(name, told, host) as campaign:
        plan.require_room(campaign)
        return {
            "agreement": agreement.facts(campaign),
            "real": sorted(agreement.real_devices(campaign)),
            "placements": {cell: place.digest for cell, place in campaign.placements.items()},
            "doctor": [asdict(finding) for finding in checkup.examine(campaign)],
            "machine": machine.provenance(),
        }


def session(name: str, told: str, host: str, asked: Order) -> None:
    """Measure a session; rows go out as they are measured, and at its end what else it wrote.

    It ends early where nobody wants it any more. What went wrong is told, and no error.
    """
    line, why = Line(asked), ""
    line.tell("began")
    try:
        with _resolved(name, told, host) as here:
            _measure(here, asked, line)
    except (WaltaxError, OSError) as error:
        why = in_words(error)
    except Exception as error:  # of our own doing: the host is named all the same
        why = f"{type(error).__name__}: {error}"
    line.tell("ended", why=why)


def _measure(here: Campaign, asked: Order, line: Line) -> None:
    progress = Progress(_so_far.setdefault(here.id, []), dict(asked.failures))
    local = Local(asked.share_machine)
    try:
        with local.held(here, line.say), local.opened(here, progress, line.say) as sessions:
            here.write_options()
            sessions.session(asked.number, frozenset(asked.ended), _hooks(asked, line))
    finally:
        _send_files(here.folder, line)


def _hooks(asked: Order, line: Line) -> Hooks:
    def enough(now: Progress) -> bool:
        """Whether it has had all its time; where none is bounded, it has its rounds."""
        mine = Progress([row for row in now.rows if row["session"] == asked.number])
        left_s = asked.left_s.items()
        return bool(left_s) and all(mine.spent_s(name) >= most_s for name, most_s in left_s)

    def keep(measured: Row) -> None:
        line.tell("row", text=json.dumps(measured))

    return Hooks(keep, line.say, lambda _: None, enough, lambda: not line.wanted())


class Line:
    """What tells the campaign's side of one attempt at a session, and hears whether it is wanted.

    dask runs a task again whose worker died: the attempts are told apart by a token.
    """

    def __init__(self, asked: Order) -> None:
        from distributed import get_worker

        self._worker = get_worker()
        self._key = self._worker.get_current_task()
        self._topic = asked.topic
        self._about = {"session": asked.number, "attempt": secrets.token_hex(8)}

    def tell(self, what: str, **fields: str) -> None:
        self._worker.log_event(self._topic, {**self._about, "what": what, **fields})

    def say(self, text: str) -> None:
        self.tell("say", text=text)

    def wanted(self) -> bool:
        """Whether nobody has cancelled the task, and the worker still has its scheduler."""
        task = self._worker.state.tasks.get(self._key)
        status = self._worker.status.name
        return task is not None and task.state == "executing" and status in ("running", "paused")


@contextlib.contextmanager
def _resolved(name: str, told: str, host: str) -> Iterator[Campaign]:
    """The campaign on this machine, with a folder for what it writes, which is removed."""
    data_root = Path(os.environ.get(DATA_DIR) or _ROOT / "data")
    with places.borrowed(data_root / "work", f"{name}-kept-", "work", flag="--data-dir") as folder:
        (folder / kept.RECIPE).write_text(told)
        yield campaigns.on_host(folder, name, host, data_root)


def _send_files(folder: Path, line: Line) -> None:
    """What a reader looks up: options, checks, what programs said of themselves."""
    for path in sorted(folder.iterdir()):
        aside = path.name == kept.RECIPE or path.name.startswith(".") or not path.is_file()
        if not aside and path.stat().st_size <= _MOST_BYTES:
            line.tell("file", name=path.name, text=path.read_text(errors="replace"))
