"""Do a worker's part of a campaign: say what its host is, and measure a session.

dask calls the functions on the worker, by name. All of it runs in the worker's only thread for
tasks, which lives as long as the worker: the kernel kills programs that it started when the worker
dies (`proc.launch`).
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

from ...base import home
from ...base.errors import WaltaxError, in_words
from ...base.folders import places
from ...row import Row
from .. import campaign as campaigns
from .. import lives, plan
from ..campaign import Campaign
from ..cells import machine
from ..local import Local
from ..progress import Progress
from ..recipe import campaign_file
from ..session import Hooks
from . import agreement

DATA_DIR = "WALTAX_DATA_DIR"
"""The variable that names the folder of a worker's data sets and clones."""
_MOST_BYTES = 1 << 20  # of a file that is sent back
_so_far: dict[str, list[Row]] = {}
"""This process's rows so far, by campaign: they say what is usual on this host."""


class Order(NamedTuple):
    """One session of a campaign, as the campaign's side orders it."""

    number: int  # of the session
    topic: str  # where its messages go
    left_s: dict[str, float]  # the time that it may spend in slices, by workload
    failures: dict[str, str]  # of cells on this host, which are left out
    ended: list[str]  # workloads that rest
    share_machine: bool


def greet(name: str, recipe: str, host: str) -> dict[str, Any]:
    """Return what this host is to the campaign `name`: what must agree, what is real, its state.

    `recipe` is the text of its campaign.json. Errors: WaltaxError and UsageError when this host
    cannot measure it.
    """
    with _resolved(name, recipe, host) as campaign:
        plan.require_room(campaign)
        return {
            "agreement": agreement.facts(campaign),
            "real": sorted(agreement.real_devices(campaign)),
            "placements": {cell: place.digest for cell, place in campaign.placements.items()},
            "doctor": [asdict(finding) for finding in plan.examine(campaign)],
            "machine": machine.provenance(),
        }


def session(name: str, recipe: str, host: str, order: Order) -> None:
    """Measure a session; send rows as they are measured, and at the end what else it wrote.

    It ends early when nobody wants it any more. It reports failures and raises nothing.
    """
    line, why = Line(order), ""
    line.tell("began")
    try:
        with _resolved(name, recipe, host) as here:
            _measure(here, order, line)
    except (WaltaxError, OSError) as error:
        why = in_words(error)
    except Exception as error:  # our own fault: name the host even so
        why = f"{type(error).__name__}: {error}"
    line.tell("ended", why=why)


def _measure(here: Campaign, order: Order, line: Line) -> None:
    progress = Progress(_so_far.setdefault(here.id, []), dict(order.failures))
    local = Local(order.share_machine)
    try:
        with local.held(here, line.say), local.opened(here, progress, line.say) as sessions:
            for name, text in lives.options(here).items():
                (here.folder / name).write_text(text)
            sessions.session(order.number, frozenset(order.ended), _hooks(order, line))
    finally:
        _send_files(here.folder, line)


def _hooks(order: Order, line: Line) -> Hooks:
    def enough(now: Progress) -> bool:
        """Return whether it has used up its time; without a bound it has its rounds."""
        mine = Progress([row for row in now.rows if row["session"] == order.number])
        left_s = order.left_s.items()
        return bool(left_s) and all(mine.spent_s(name) >= most_s for name, most_s in left_s)

    def keep(measured: Row) -> None:
        line.tell("row", text=json.dumps(measured))

    return Hooks(keep, line.say, lambda _: None, enough, lambda: not line.wanted())


class Line:
    """Report one attempt at a session to the campaign's side, and learn if it is still wanted.

    dask runs a task again if its worker died: a token tells the attempts apart.
    """

    def __init__(self, order: Order) -> None:
        from distributed import get_worker

        self._worker = get_worker()
        self._key = self._worker.get_current_task()
        self._topic = order.topic
        self._about = {"session": order.number, "attempt": secrets.token_hex(8)}

    def tell(self, what: str, **fields: str) -> None:
        self._worker.log_event(self._topic, {**self._about, "what": what, **fields})

    def say(self, text: str) -> None:
        self.tell("say", text=text)

    def wanted(self) -> bool:
        """Return whether nobody has cancelled the task, and the worker still has its scheduler."""
        task = self._worker.state.tasks.get(self._key)
        status = self._worker.status.name
        return task is not None and task.state == "executing" and status in ("running", "paused")


@contextlib.contextmanager
def _resolved(name: str, recipe: str, host: str) -> Iterator[Campaign]:
    """Yield the campaign on this machine, with a folder for its files, which is removed."""
    data_root = Path(os.environ.get(DATA_DIR) or home.place("data"))
    with places.borrowed(data_root / "work", f"{name}-kept-", "work", flag="--data-dir") as folder:
        (folder / campaign_file.RECIPE).write_text(recipe)
        yield campaigns.on_host(folder, name, host, data_root)


def _send_files(folder: Path, line: Line) -> None:
    """Send what readers look up: options, checks, what programs said of themselves."""
    for path in sorted(folder.iterdir()):
        aside = path.name == campaign_file.RECIPE or path.name.startswith(".") or not path.is_file()
        if not aside and path.stat().st_size <= _MOST_BYTES:
            line.tell("file", name=path.name, text=path.read_text(errors="replace"))
