"""A cell that is a driver at a server that somebody else runs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from ....devices.tap_page import TapCounters
from ...recipe.parts import Endpoint
from ..driver.process_cell import Node, ProcessCell
from ..live import Measured, MeasuredNode, Position
from . import protocol

_NO_TAP = TapCounters(counts=defaultdict(int))
_UNSEEN = MeasuredNode(Path(), _NO_TAP, _NO_TAP, ())
"""Nothing of ours is in front of the server's log."""


@dataclass(kw_only=True)
class EndpointCell(ProcessCell):
    """A driver that is frozen except while it measures; its server never is. Use from one thread.

    Nothing is done between slices: syncs of the server take their time, whoever waits for them.
    """

    endpoint: Endpoint
    nodes: tuple[Node, ...] = ()

    def measure(self, at: Position, warmup_s: float, measure_s: float) -> Measured:
        """Run one slice. Errors: DriverFailed naming the cell, the endpoint and the last words."""
        measured = super().measure(at, warmup_s, measure_s)
        counted = measured.slice["counters"]
        columns = protocol.columns(self.ready["engine"]["variables"], counted)
        event = {**measured.slice, "told": {"endpoint": self.endpoint.url, **columns}}
        del event["age_requests"]  # its data are as old as its owner made them
        cpu_s = protocol.cpu_s(counted)
        return replace(measured, slice=event, nodes=(_UNSEEN,), server_cpu_s=cpu_s)

    def settle(self, seconds: float) -> None:
        pass

    def catch_up(self, requests: int) -> None:
        pass
