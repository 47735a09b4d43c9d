"""Rungs to causes: what each step from no log to a device adds, and what counters say about it.

steps      the rungs' differences, with intervals
counters   what was counted in each rung, per request
words      how they are said
"""

from __future__ import annotations

from .steps import FREED, Ladder, Step, ladders

__all__ = ["FREED", "Ladder", "Step", "ladders"]
