"""Twins: replicas of baselines that campaigns measure unasked, compared with nothing but them."""

from __future__ import annotations

from collections.abc import Iterable

from ...cell import TWIN
from ...row import Row


def without(rows: Iterable[Row]) -> list[Row]:
    """The rows of all other cells."""
    return [one for one in rows if one.get("replica") != TWIN]
