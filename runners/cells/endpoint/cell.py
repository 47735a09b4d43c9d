"""A cell that is a driver at a server that somebody else runs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from ....devices.tap_page import TapCounters
from ....driver.client import Driver
from ...recipe.parts import Endpoint
from .. import machine
from ..live import Live, Measured, MeasuredNode, Position
from . import protocol

_NO_TAP = TapCounters(attached=0, counts=defaultdict(int))
_UNSEEN = MeasuredNode(Path(), _NO_TAP, _NO_TAP, ())
"""Nothing of ours is in front of the server's log."""


@dataclass(kw_only=True)
class EndpointCell(Live):
    """A driver that is frozen except while it measures; its server never is.

    Use from one thread.
    """

    endpoint: Endpoint
    driver: Driver

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:  # noqa: ARG002
        """Run one slice. Errors: DriverFailed naming the cell, the endpoint and the last words."""
        pids = [self.driver.pid]
        before = machine.sample({}, pids)
        self.driver.thaw()
        self.driver.send(cmd="run", warmup_s=warmup_s, measure_s=measure_s)
        event = self.driver.wait_for("slice", within_s=warmup_s + measure_s)
        self.driver.freeze()
        during = machine.sample({}, pids).since(before)
        self.slices += 1
        counted = event["counters"]
        columns = protocol.columns(self.ready["engine"]["variables"], counted)
        return Measured(
            slice={**event, "told": {"endpoint": self.endpoint.url, **columns}},
            nodes=(_UNSEEN,),
            machine=during,
            server_cpu_s=protocol.cpu_s(counted),
        )

    def check(self) -> dict[str, int]:
        """Verify the workload's invariants and return how much was looked at.

        Errors: DriverFailed naming the violations.
        """
        self.driver.thaw()
        counted = self.driver.check()
        self.driver.freeze()
        return counted

    def freeze(self) -> None:
        self.driver.freeze()

    def kill(self) -> None:
        self.driver.kill()
