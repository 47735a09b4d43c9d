"""Rungs to causes: what each step from no log to a device adds.

steps      the rungs' differences, with intervals
sentences  how they are said
"""

from __future__ import annotations

from .steps import FREED, Ladder, Step, ladders, rung_of

__all__ = ["FREED", "Ladder", "Step", "ladders", "rung_of"]
