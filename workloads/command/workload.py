"""A user's own command as a workload, of which only its number or its time is known."""

from __future__ import annotations

from ...engines import PROGRAM, SERVED
from ...workload import Unit, Workload

COMMAND = "command"
TIMED = "timed"
"""The workload of a command that prints no number: its time is what counts."""
EMPTY = "empty"
"""The word for a new data directory."""
UNIT = Unit("metric", None)  # whatever it counts, of its time nothing is known

WORKLOADS = (
    Workload(
        name=COMMAND,
        title="command",
        unit=UNIT,
        life="command",
        engines=(*SERVED, PROGRAM),
        why_engines="a command finds its server by a socket",
        asked_only=True,
        knows_clients=False,
        writes=None,
    ),
    Workload(
        name=TIMED,
        title="command",
        unit=Unit("runs/s", 1.0, "run"),
        life="command",
        engines=(PROGRAM,),
        why_engines="it is a user's own program",
        asked_only=True,
        knows_clients=False,
        writes=None,
    ),
)
