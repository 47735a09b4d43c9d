"""A user's own command as a workload, of which only its number or its time is known."""

from __future__ import annotations

from dataclasses import replace

from ...engines import PROGRAM, SERVED
from ...workload import Unit, Workload

COMMAND = "command"
TIMED = "timed"
"""The workload of a command that prints no number: its time is what counts."""
EMPTY = "empty"
"""The word for a new data directory."""
UNIT = Unit("metric", None)  # whatever it counts, of its time nothing is known
RUNS = Unit("runs/s", 1.0, "run")

_COMMAND = Workload(
    name=COMMAND,
    title="command",
    unit=UNIT,
    life="command",
    engines=(*SERVED, PROGRAM),
    why_engines="a command finds its server by a socket",
    asked_only=True,
    knows_clients=False,
    writes=None,
)
_TIMED = replace(
    _COMMAND,
    name=TIMED,
    unit=RUNS,
    engines=(PROGRAM,),
    why_engines="it is a user's own program",
)
WORKLOADS = (_COMMAND, _TIMED)
