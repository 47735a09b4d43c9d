"""Show a running campaign: a live table and a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from ..axes import AXES
from ..base.printable import minutes
from ..base.terminal import say
from ..cell import Cell
from ..row import Row, driven_s
from .campaign import Campaign
from .loop import Screen
from .progress import Progress

_APART = [name for name, axis in AXES.items() if axis.has_baselines]


class Shown(Protocol):
    """What the screen shows of an overhead, as fractions."""

    @property
    def at(self) -> Cell: ...
    @property
    def overhead(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


Table = Callable[[list[Row]], RenderableType]
Estimator = Callable[[list[Row]], Sequence[Shown]]


def plain(campaign: Campaign, console: Console, estimator: Estimator) -> Screen:
    """Return a screen that prints one line a round."""
    clock = Clock(campaign)

    def after_round(progress: Progress) -> None:
        last = progress.rows[-1]
        say(
            console,
            f"{clock.words(progress)}  session {last['session'] + 1} "
            f"round {last['round'] + 1}, {_overheads(estimator(progress.rows), _modes(campaign))}",
        )

    return Screen(_speaker(console), lambda _: None, after_round)


def live(campaign: Campaign, live_display: Live, table: Table) -> Screen:
    """Return a screen with the table of all rounds so far, above a bar that moves each slice.

    It is redrawn when something has happened, and never by itself: that would take a slice's time.
    """
    current: list[RenderableType] = [Text("")]
    clock, bar = Clock(campaign), _bar()
    task = bar.add_task(_PREPARING, total=None, end="")
    say = _speaker(live_display.console)

    def show(phase: str) -> None:
        bar.update(task, description=phase)
        live_display.update(Group(current[0], bar), refresh=True)

    def after_slice(progress: Progress) -> None:
        spent_s, left_s = clock.times(progress)
        bar.update(task, completed=spent_s, total=spent_s + left_s, end=f"by {clock.end(progress)}")
        show(_where(progress))

    def after_round(progress: Progress) -> None:
        current[0] = table(progress.rows)
        after_slice(progress)

    def say_and_show(text: str) -> None:
        say(text)
        show(_PREPARING)

    show(_PREPARING)
    return Screen(say_and_show, after_slice, after_round)


class Clock:
    """The wall-clock time that a campaign takes at most: its slices, and what they wait for."""

    def __init__(self, campaign: Campaign, now_s: Callable[[], float] = time.time) -> None:
        self._campaign, self._now_s = campaign, now_s
        self._began_s = now_s()
        self._sliced_before_s: float | None = None

    def times(self, progress: Progress) -> tuple[float, float]:
        """Return the wall-clock seconds since it began or was resumed, and the most that is left.

        The remaining slices are stretched as much as those so far were by the loading, starts and
        checks that they waited for.
        """
        spent_s, last = self._now_s() - self._began_s, progress.rows[-1]
        if self._sliced_before_s is None:
            self._sliced_before_s = progress.spent_s() - driven_s(last)
        sliced_s = progress.spent_s() - self._sliced_before_s
        stretch = max(1.0, spent_s / sliced_s) if sliced_s > 0 else 1.0
        return spent_s, progress.left_s(self._campaign) * stretch

    def end(self, progress: Progress) -> str:
        """Return the latest time of day at which it ends, at the pace so far."""
        _, left_s = self.times(progress)
        return time.strftime("%H:%M", time.localtime(self._now_s() + left_s))

    def words(self, progress: Progress) -> str:
        """Say how long slices took, how much is left at most, and the latest end of all."""
        spent, left = minutes(progress.spent_s()), minutes(progress.left_s(self._campaign))
        return f"[{spent}, at most {left} of slices left, by {self.end(progress)}]"


_PREPARING = "preparing cells"


def _bar() -> Bar:
    """Return a bar of wall-clock time that stands still between slices."""
    end = TextColumn("{task.fields[end]}")
    return Bar(BarColumn(bar_width=24), end, TextColumn("{task.description}"), auto_refresh=False)


def _speaker(console: Console) -> Callable[[str], None]:
    """Return a printer of foreign words, which are no markup and whose lines are not broken."""
    return lambda text: say(console, text)


def _where(progress: Progress) -> str:
    last = progress.rows[-1]
    return (
        f"session {last['session'] + 1}, round {last['round'] + 1}, "
        f"{last['workload']} on {last['device']}{_mode(last)}; Ctrl-C keeps the rows"
    )


def _mode(row: Row) -> str:
    mode = "" if row["device"] == row["durability"] else row["durability"]
    return "".join(f", {word}" for word in (mode, row.get("rung")) if word)


def _modes(campaign: Campaign) -> bool:
    """Return whether a device is measured in several modes, which lines must then tell apart."""
    compared = [cell for cell in campaign.cells if not (cell.is_baseline or cell.is_twin)]
    return len({cell.durability for cell in compared}) > 1


def _overheads(estimates: Sequence[Shown], modes: bool) -> str:
    """Format the overheads by comparison group, in the order of the estimates."""
    several = len({estimate.at.threads for estimate in estimates}) > 1
    groups: dict[str, list[str]] = {}
    for estimate in estimates:
        name = [
            estimate.at.workload,
            *(estimate.at.axes[axis] for axis in _APART),
            f"{estimate.at.threads} clients" if several else "",
        ]
        groups.setdefault(" ".join(filter(None, name)), []).append(_overhead(estimate, modes))
    parts = [f"{group}:  {'  '.join(overheads)}" for group, overheads in groups.items()]
    return ";  ".join(parts) or "no overhead yet"


def _overhead(estimate: Shown, modes: bool) -> str:
    at = estimate.at
    name = " ".join(filter(None, (at.device, at.knob, at.durability if modes else "")))
    if estimate.overhead is None:
        return f"{name} ?"
    text = f"{name} {100 * estimate.overhead:.1f} %"
    if estimate.low is not None and estimate.high is not None:
        text += f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
    return text
