"""Figures as files: equal rows make equal texts."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from waltax.analysis import figures


def _drawn() -> str:
    def figure() -> Figure:
        made = Figure(layout="constrained")
        for axes in made.subplots(2):
            axes.plot([1, 2, 4])
        return made

    return figures.draw(figure)


def test_the_last_bits_of_a_layout_are_in_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver sets them by where its variables lie in memory."""
    wanted = _drawn()
    laid_out = ConstrainedLayoutEngine.execute

    def execute(self: ConstrainedLayoutEngine, figure: Figure) -> Any:
        laid_out(self, figure)
        for axes in figure.axes:
            place = axes.get_position()
            place.x0 += 1e-15
            axes._set_position(place)  # type: ignore[attr-defined]

    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", execute)
    assert _drawn() == wanted
