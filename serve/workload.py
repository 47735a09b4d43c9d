"""A user's own command as a workload: of what it does, only its number is known."""

from __future__ import annotations

from ..engines import SERVED
from ..workload import Unit, Workload

COMMAND = "command"

WORKLOADS = (
    Workload(
        name=COMMAND,
        title="command",
        unit=Unit("metric", None),  # whatever it counts, of its time nothing is known
        life="command",
        engines=SERVED,
        why_engines="a command finds its server by a socket",
        asked_only=True,
        knows_clients=False,
        writes=None,
    ),
)
