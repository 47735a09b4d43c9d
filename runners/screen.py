"""How a running campaign looks: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from ..row import Row
from ..terminal import say
from .campaign import Campaign
from .loop import Screen
from .progress import Progress


class Shown(Protocol):
    """What the screen shows of an overhead, as fractions."""

    @property
    def workload(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def durability(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def size(self) -> str: ...
    @property
    def knob(self) -> str: ...
    @property
    def overhead(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


Table = Callable[[list[Row]], RenderableType]
Estimator = Callable[[list[Row]], Sequence[Shown]]


def plain(campaign: Campaign, console: Console, estimator: Estimator) -> Screen:
    """One line a round."""

    def after_round(progress: Progress) -> None:
        last = progress.rows[-1]
        say(
            console,
            f"{_clock(campaign, progress)}  session {last['session'] + 1} "
            f"round {last['round'] + 1}, {_overheads(estimator(progress.rows), _modes(campaign))}",
        )

    return Screen(_speaker(console), lambda _: None, after_round)


def live(campaign: Campaign, live_display: Live, table: Table) -> Screen:
    """The table of all rounds so far, redrawn each round, above a line that moves each slice."""
    current: list[RenderableType] = [Text("")]

    def draw(progress: Progress) -> None:
        live_display.update(Group(current[0], Text(_where(campaign, progress))), refresh=True)

    def after_round(progress: Progress) -> None:
        current[0] = table(progress.rows)
        draw(progress)

    return Screen(_speaker(live_display.console), draw, after_round)


def _speaker(console: Console) -> Callable[[str], None]:
    """Foreign words are not markup, and lines are the reader's to break."""
    return lambda text: say(console, text)


def _where(campaign: Campaign, progress: Progress) -> str:
    last = progress.rows[-1]
    return (
        f"{_clock(campaign, progress)}  session {last['session'] + 1}, round {last['round'] + 1}, "
        f"measured {last['workload']} on {last['device']}{_mode(last)}; Ctrl-C keeps what there is"
    )


def _clock(campaign: Campaign, progress: Progress) -> str:
    """Time spent and the most that is left: a campaign ends early when it is tight."""
    spent, left = _minutes(progress.spent_s()), _minutes(progress.left_s(campaign))
    return f"[{spent}, at most {left} of slices left]"


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _mode(row: Row) -> str:
    mode = "" if row["device"] == row["durability"] else row["durability"]
    return "".join(f", {word}" for word in (mode, row.get("rung")) if word)


def _modes(campaign: Campaign) -> bool:
    """Whether a device is measured in several modes, which the lines must then tell apart."""
    compared = [one for one in campaign.cells if not (one.is_baseline or one.is_twin)]
    return len({cell.durability for cell in compared}) > 1


def _overheads(estimates: Sequence[Shown], modes: bool) -> str:
    """By comparison group, in the order of the estimates."""
    several = len({one.threads for one in estimates}) > 1
    groups: dict[str, list[str]] = {}
    for one in estimates:
        name = [one.workload, one.size, f"{one.threads} clients" if several else ""]
        groups.setdefault(" ".join(filter(None, name)), []).append(_overhead(one, modes))
    parts = [f"{group}:  {'  '.join(found)}" for group, found in groups.items()]
    return ";  ".join(parts) or "no overhead yet"


def _overhead(estimate: Shown, modes: bool) -> str:
    words = estimate.device, estimate.knob, estimate.durability if modes else ""
    name = " ".join(filter(None, words))
    if estimate.overhead is None:
        return f"{name} ?"
    text = f"{name} {100 * estimate.overhead:.1f} %"
    if estimate.low is not None and estimate.high is not None:
        text += f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
    return text
