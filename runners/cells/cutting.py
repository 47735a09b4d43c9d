"""How the power is cut, as a value that costs nothing to import."""

from __future__ import annotations

from dataclasses import dataclass

WORKLOADS = ("tpcc", "linkbench")
"""Those whose driver logs what was acknowledged, and whose check looks for it."""


@dataclass(frozen=True)
class Cutting:
    """How the power is cut once a campaign was measured: `waltax receipts`.

    Each cell is recorded for `seconds` and cut at `cuts` moments, `states` of each; `names` is the
    model by which names become durable.
    """

    cuts: int = 10
    states: int = 7
    names: str = "journal"
    seconds: float = 4.0
