"""A user's own command as a workload, of which only its resulting number is known."""

from __future__ import annotations

from ...engines import SERVED
from ...workload import Unit, Workload

COMMAND = "command"
EMPTY = "empty"
"""The word for a new data directory."""
UNIT = Unit("metric", None)  # whatever it counts, of its time nothing is known

WORKLOADS = (
    Workload(
        name=COMMAND,
        title="command",
        unit=UNIT,
        life="command",
        engines=SERVED,
        why_engines="a command finds its server by a socket",
        asked_only=True,
        knows_clients=False,
        writes=None,
    ),
)
