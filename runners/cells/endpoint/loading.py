"""Have the driver load, check and remove the data set in a server that somebody else runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ....base import proc
from ....base.errors import WaltaxError
from ....driver import patience
from ....driver.argv import Parameters, elsewhere_argv
from ....driver.client import Driver
from ....workloads import WORKLOADS
from ...recipe.parts import Endpoint
from ..data_set import LOAD_SEED
from ..life import Say
from ..live import Event
from . import protocol

Command = Literal["load", "run", "check"]


@dataclass(frozen=True)
class Loader:
    """A program that works on a workload's data in a server. `log` takes the driver's messages."""

    endpoint: Endpoint
    workload: str
    log: Path | None = None

    def load(self, flags: Parameters, say: Say) -> None:
        """Load the data set with its load's `flags` into an empty server.

        A server that holds this data set keeps it, whatever earlier campaigns made of it; it is
        checked in any case. Errors: UsageError for a server that holds anything else; WaltaxError
        for one that does not obey, and for inconsistent data.
        """
        facts, label = WORKLOADS[self.workload], self.endpoint.label

        def tell(event: Event) -> None:
            say(f"loading {label}: {facts.progress(event)}")

        say(f"loading {label}, {self.endpoint.url}, unless it holds the data set already")
        parameters: Parameters = {**flags, "seed": LOAD_SEED, "existing": "keep"}
        event = self._answered("load", "loaded", parameters, tell)
        say(f"{label}: {facts.loaded(event)}; checking it")
        checked = self._answered("check", "check", flags, tell)
        if not checked["ok"]:
            violations = "; ".join(checked["violations"][:3])
            raise WaltaxError(
                f"endpoint {self.endpoint.url}: its data set is not consistent: {violations}"
            )

    def remove(self) -> None:
        """Remove what `load` wrote, and what campaigns added to it. Errors: as there."""
        self._answered("load", "loaded", {"existing": "remove"}, lambda _: None)

    def _answered(
        self, command: Command, wanted: str, flags: Parameters, tell: Callable[[Event], None]
    ) -> Event:
        """Return a program's last event. Errors: DriverFailed; UsageError by its words."""
        facts = WORKLOADS[self.workload]
        parameters = {**facts.flags, **flags, "threads": os.cpu_count() or 1}
        line = argv(self.endpoint, facts.driver_program, command, parameters)
        driver = Driver(f"{command} of {self.endpoint.label}", line, log=self.log)
        try:
            longest_s, still_s = patience.LONGEST_S, patience.STILL_S
            return driver.wait_for(wanted, within_s=longest_s, still_s=still_s, on_progress=tell)
        finally:
            driver.kill()


def argv(endpoint: Endpoint, program: str, command: Command, parameters: Parameters) -> list[str]:
    """Return the command line of the driver at a server."""
    flags = {**protocol.flags(endpoint), **parameters}
    return elsewhere_argv(proc.program(program), command, flags)
