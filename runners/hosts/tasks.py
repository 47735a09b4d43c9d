"""Do a worker's part of a campaign: measure a session.

dask calls `session` on the worker, by name. All of it runs in the worker's only thread for tasks,
which lives as long as the worker: the kernel kills programs that it started when the worker dies
(`proc.launch`).
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
from .. import plan
from ..campaign import Campaign
from ..cells import machine
from ..local import Local
from ..progress import Progress
from ..recipe import campaign_file
from ..session import CHECKS, Hooks

DATA_DIR = "WALTAX_DATA_DIR"
"""The variable that names the folder of a worker's data sets and clones."""


class Order(NamedTuple):
    """One session of a campaign, as the campaign's side orders it."""

    number: int  # of the session
    stop: str  # the name of dask's event that ends it after a slice
    left_s: dict[str, float]  # the time that it may spend in slices, by workload
    failures: dict[str, str]  # of cells on this host, which are left out
    ended: list[str]  # workloads that rest
    share_machine: bool
    facts: dict[str, str]  # that must be the same here


def session(name: str, recipe: str, host: str, order: Order) -> dict[str, Any]:
    """Measure a session of the campaign `name`; `recipe` is the text of its campaign.json.

    Return its `rows`, the lines that were `said`, those of its `checks`, and `why` it failed, if it
    did; and what this host is. It raises nothing, since its rows count in any case.
    """
    from distributed import Event

    rows, said = list[Row](), list[str]()
    done: dict[str, Any] = {"rows": rows, "said": said, "checks": [], "why": ""}
    done |= {"doctor": [], "machine": {}}

    def enough(now: Progress) -> bool:
        """Return whether it has used up its time; without a bound it has its rounds."""
        left_s = order.left_s.items()
        return bool(left_s) and all(now.spent_s(name) >= most_s for name, most_s in left_s)

    hooks = Hooks(rows.append, said.append, enough, Event(order.stop).is_set)
    progress, local = Progress(failures=dict(order.failures)), Local(order.share_machine)
    try:
        with _resolved(name, recipe, host) as here:
            _require_same(order.facts, facts(here))
            done["doctor"] = [asdict(finding) for finding in plan.examine(here)]
            done["machine"] = machine.provenance()
            try:
                with local.opened(here, progress, said.append):
                    local.session(order.number, frozenset(order.ended), hooks)
            finally:
                checks = here.folder / CHECKS
                done["checks"] = checks.read_text().splitlines() if checks.exists() else []
    except (WaltaxError, OSError) as error:
        done["why"] = in_words(error)
    except Exception as error:  # our own fault: name the host even so
        done["why"] = f"{type(error).__name__}: {error}"
    return done


def facts(campaign: Campaign) -> dict[str, str]:
    """Return by name what must be the same on every host before anything is measured.

    Programs and devices are compared by the rows, which name them.
    """
    seen = machine.provenance()
    return {
        "waltax": f"{seen['waltax_version']} of commit {seen['git_commit']}",
        "the profile": campaign.profile.digest,
        **{f"the build {name}": build.digest for name, build in campaign.builds.items()},
    }


def _require_same(wanted: dict[str, str], own: dict[str, str]) -> None:
    """Raise WaltaxError for a fact of the campaign's side that is another on this host."""
    for name, fact in wanted.items():
        if own.get(name) != fact:
            seen = own.get(name, "none")
            raise WaltaxError(f"{name} is another than here ({seen}, here {fact})")


@contextlib.contextmanager
def _resolved(name: str, recipe: str, host: str) -> Iterator[Campaign]:
    """Yield the campaign on this machine, with a folder for its files, which is removed."""
    data_root = Path(os.environ.get(DATA_DIR) or home.place("data"))
    with places.borrowed(data_root / "work", f"{name}-kept-", "work", flag="--data-dir") as folder:
        (folder / campaign_file.RECIPE).write_text(recipe)
        yield campaigns.on_host(folder, name, host, data_root)
