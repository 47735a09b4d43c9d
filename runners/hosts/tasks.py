"""Do a worker's part of a campaign: say what its host is, and measure a session.

dask calls the functions on the worker, by name. All of it runs in the worker's only thread for
tasks, which lives as long as the worker: the kernel kills programs that it started when the worker
dies (`proc.launch`).
"""

from __future__ import annotations

import contextlib
import os
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


class Order(NamedTuple):
    """One session of a campaign, as the campaign's side orders it."""

    number: int  # of the session
    stop: str  # the name of dask's event that ends it after a slice
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


def session(name: str, recipe: str, host: str, order: Order) -> dict[str, Any]:
    """Measure a session, and return its `rows`, the lines that were `said`, the texts of `files`
    by name, and `why` it failed, if it did. It raises nothing, since its rows count in any case.
    """
    from distributed import Event

    rows, said, files, why = list[Row](), list[str](), dict[str, str](), ""

    def enough(now: Progress) -> bool:
        """Return whether it has used up its time; without a bound it has its rounds."""
        left_s = order.left_s.items()
        return bool(left_s) and all(now.spent_s(name) >= most_s for name, most_s in left_s)

    stop = Event(order.stop)
    hooks = Hooks(rows.append, said.append, enough, stop.is_set)
    try:
        with _resolved(name, recipe, host) as here:
            try:
                _measure(here, order, hooks)
            finally:
                files = _files(here.folder)
    except (WaltaxError, OSError) as error:
        why = in_words(error)
    except Exception as error:  # our own fault: name the host even so
        why = f"{type(error).__name__}: {error}"
    return {"rows": rows, "said": said, "files": files, "why": why}


def _measure(here: Campaign, order: Order, hooks: Hooks) -> None:
    progress, local = Progress(failures=dict(order.failures)), Local(order.share_machine)
    with local.held(here, hooks.say), local.opened(here, progress, hooks.say) as sessions:
        for name, text in lives.options(here).items():
            (here.folder / name).write_text(text)
        sessions.session(order.number, frozenset(order.ended), hooks)


@contextlib.contextmanager
def _resolved(name: str, recipe: str, host: str) -> Iterator[Campaign]:
    """Yield the campaign on this machine, with a folder for its files, which is removed."""
    data_root = Path(os.environ.get(DATA_DIR) or home.place("data"))
    with places.borrowed(data_root / "work", f"{name}-kept-", "work", flag="--data-dir") as folder:
        (folder / campaign_file.RECIPE).write_text(recipe)
        yield campaigns.on_host(folder, name, host, data_root)


def _files(folder: Path) -> dict[str, str]:
    """Return what readers look up: options, checks, what programs said of themselves."""
    return {
        path.name: path.read_text(errors="replace")
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name != campaign_file.RECIPE and path.name[0] != "."
        if path.stat().st_size <= _MOST_BYTES
    }
