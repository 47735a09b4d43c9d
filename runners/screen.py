"""Say how a running campaign goes: a line after each round."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from ..axes import AXES
from ..base.printable import minutes
from ..cell import Cell
from ..row import Row, driven_s
from .campaign import Campaign
from .loop import Screen
from .progress import Progress

_NAMES = ("workload", "threads", *AXES, "device", "durability")
"""The columns by which cells are named, in this order."""


class Shown(Protocol):
    """What is shown of an overhead, as fractions."""

    @property
    def at(self) -> Cell: ...
    @property
    def overhead(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


Estimator = Callable[[list[Row]], Sequence[Shown]]


def screen(campaign: Campaign, say: Callable[[str], None], estimator: Estimator) -> Screen:
    """Return a screen that says one line a round."""
    clock = Clock(campaign)

    def after_round(progress: Progress) -> None:
        last, overheads = progress.rows[-1], _overheads(estimator(progress.rows))
        say(
            f"{clock.words(progress)}  session {last['session'] + 1} round {last['round'] + 1}, "
            f"{overheads or 'no overhead yet'}"
        )

    return Screen(say, after_round)


class Clock:
    """The wall-clock time that a campaign takes at most: its slices, and what they wait for."""

    def __init__(self, campaign: Campaign, now_s: Callable[[], float] = time.time) -> None:
        self._campaign, self._now_s = campaign, now_s
        self._began_s = now_s()
        self._sliced_before_s: float | None = None

    def left_s(self, progress: Progress) -> float:
        """Return the most wall-clock time that is left.

        The remaining slices are stretched as much as those so far were by the loading, starts and
        checks that they waited for.
        """
        if self._sliced_before_s is None:
            self._sliced_before_s = progress.spent_s() - driven_s(progress.rows[-1])
        sliced_s = progress.spent_s() - self._sliced_before_s
        spent_s = self._now_s() - self._began_s
        stretch = max(1.0, spent_s / sliced_s) if sliced_s > 0 else 1.0
        return progress.left_s(self._campaign) * stretch

    def words(self, progress: Progress) -> str:
        """Say how long slices took, how much is left at most, and the latest end of all."""
        spent, left = minutes(progress.spent_s()), minutes(progress.left_s(self._campaign))
        end = time.strftime("%H:%M", time.localtime(self._now_s() + self.left_s(progress)))
        return f"[{spent}, at most {left} of slices left, by {end}]"


def _overheads(estimates: Sequence[Shown]) -> str:
    """Format the overheads, each with its device and with what differs between their cells."""
    cells = [estimate.at.columns for estimate in estimates]
    cells = [cell | {"threads": f"{cell['threads']} clients"} for cell in cells]
    differ = [name for name in _NAMES if len({cell[name] for cell in cells}) > 1]
    return ", ".join(
        " ".join(str(cell[name]) for name in _NAMES if name in (*differ, "device") and cell[name])
        + f" {_overhead(estimate)}"
        for cell, estimate in zip(cells, estimates, strict=True)
    )


def _overhead(estimate: Shown) -> str:
    if estimate.overhead is None:
        return "?"
    text = f"{100 * estimate.overhead:.1f} %"
    if estimate.low is not None and estimate.high is not None:
        text += f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
    return text
