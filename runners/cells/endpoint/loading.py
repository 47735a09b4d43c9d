"""Have the driver load, check and remove the data set in a server that somebody else runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ....base.errors import WaltaxError
from ....driver import patience
from ....driver.argv import Command, Parameters
from ....driver.client import Driver
from ....workloads import WORKLOADS
from ...recipe.parts import Endpoint
from ..data_set import LOAD_SEED
from ..life import Say
from ..live import Event
from . import protocol


def load(endpoint: Endpoint, workload: str, flags: Parameters, log: Path | None, say: Say) -> None:
    """Load a workload's data set with its load's `flags` into an empty server.

    A server that holds this data set keeps it, whatever earlier campaigns made of it; it is
    checked in any case. `log` takes the driver's messages. Errors: UsageError for a server that
    holds anything else; WaltaxError for one that does not obey, and for inconsistent data.
    """
    facts, label = WORKLOADS[workload], endpoint.label

    def tell(event: Event) -> None:
        say(f"loading {label}: {facts.progress(event)}")

    say(f"loading {label}, {endpoint.url}, unless it holds the data set already")
    keeping: Parameters = {**flags, "seed": LOAD_SEED, "existing": "keep"}
    event = _answered(endpoint, workload, "load", keeping, log, tell)
    say(f"{label}: {facts.loaded(event)}; checking it")
    checked = _answered(endpoint, workload, "check", flags, log, tell)
    if not checked["ok"]:
        violations = "; ".join(checked["violations"][:3])
        raise WaltaxError(f"endpoint {endpoint.url}: its data set is not consistent: {violations}")


def remove(endpoint: Endpoint, workload: str) -> None:
    """Remove what `load` wrote, and what campaigns added to it. Errors: as there."""
    _answered(endpoint, workload, "load", {"existing": "remove"}, None, lambda _: None)


def _answered(
    endpoint: Endpoint,
    workload: str,
    command: Command,
    flags: Parameters,
    log: Path | None,
    tell: Callable[[Event], None],
) -> Event:
    """Return a program's last event. Errors: DriverFailed; UsageError by its words."""
    wanted = "loaded" if command == "load" else "check"
    line = protocol.argv(endpoint, workload, command, {**flags, "threads": os.cpu_count() or 1})
    driver = Driver(f"{command} of {endpoint.label}", line, log=log)
    try:
        longest_s, still_s = patience.LONGEST_S, patience.STILL_S
        return driver.wait_for(wanted, within_s=longest_s, still_s=still_s, on_progress=tell)
    finally:
        driver.kill()
