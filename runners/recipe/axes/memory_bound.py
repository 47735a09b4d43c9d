"""A bound on the memory of each cell, and the size of its data relative to that.

Data are read and written past the page cache, and the engine's cache is as large as the bound
allows: see `studies.profile_scale`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....base.errors import UsageError
from ....engines import ENGINES
from ....row import Row
from ....workload import Parameter
from ...cells.setting import AtWork
from ..parts import Bound
from .axis import Axis, Option

if TYPE_CHECKING:
    from ...cells.campaign import Campaign
    from ...cells.setting import Setting
    from ..recipe import Recipe

_MIB_OF = {"M": 1, "G": 1024}
_RESET_PEAK = "5"  # of /proc/PID/clear_refs (proc(5))
_KIB = 1024
_LEAST_RATIO, _MOST_RATIO = 0.01, 100.0


def options(default: str | None = None, ratios: str | None = None) -> tuple[Option, ...]:
    """Return the options, with a study's own defaults."""
    return (
        click.option(
            "--memory",
            "mib",
            metavar="SIZE",
            callback=_memory,
            default=default,
            show_default=default is not None,
            help="Most memory for the programs of each cell, whose data go past the page cache: "
            "1GiB, or 256MiB.",
        ),
        click.option(
            "--ratio",
            "ratios",
            callback=_ratios,
            default=ratios,
            show_default=ratios is not None,
            help="Size of the data divided by --memory, as 2.5. Several, separated by blanks, are "
            "a campaign each.",
        ),
    )


def _memory(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,6}(?:[.]\d{1,3})?) ?([MG])iB", text.strip(), re.IGNORECASE)
    mib = 0 if match is None else int(float(match[1]) * _MIB_OF[match[2].upper()])
    if not mib:
        raise UsageError(
            f"--memory: found {text!r}; type a size in MiB or GiB, such as --memory 1GiB (with "
            "make: MEMORY=1GiB)"
        )
    return mib


def _ratios(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> tuple[float, ...]:
    if text is None:
        return ()
    ratios = []
    for word in text.replace(",", " ").split():
        try:
            ratios.append(float(word))
        except ValueError:
            ratios.append(math.nan)
    if not ratios or not all(_LEAST_RATIO <= ratio <= _MOST_RATIO for ratio in ratios):
        raise UsageError(
            f"--ratio: found {text!r}; one or more numbers from {_LEAST_RATIO:g} to "
            f"{_MOST_RATIO:g}, separated by blanks, such as --ratio '0.25 2.5'"
        )
    return tuple(sorted(set(ratios)))


class Memory(Axis):
    """The bound of every cell; its ratio is the campaign's, whose profile has data of that size."""

    name = "memory"
    options = options()

    def read(self, typed: dict[str, Any]) -> tuple[str, ...]:
        mib = typed.pop("mib", None) or 0
        ratios = typed.pop("ratios", ()) or ((0.0,) if mib else ())
        return tuple(Bound(mib, ratio).word for ratio in ratios)

    def require(self, recipe: Recipe) -> None:
        Bound.among(recipe.axes)

    def at_work(self, _campaign: Campaign, setting: Setting) -> AtWork:
        bound = Bound.among(setting.recipe.axes)
        return self if bound is None else Bounded(bound)


class Bounded(AtWork):
    """A bound at work in a cell: counts how much memory its programs took at most."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound

    def flags(self, setting: Setting) -> Mapping[str, Parameter]:
        """Make the engine count the blocks that were found in its cache."""
        on_server = ENGINES[setting.cell.engine].on_server
        return {} if on_server else {"stats_level": "except-timers"}

    def begin(self, pids: Sequence[int]) -> None:
        for pid in pids:
            with suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text(_RESET_PEAK)

    def counted(self, pids: Sequence[int]) -> Row:
        return {
            "memory_bound": "direct I/O",
            "memory_bound_bytes": self._bound.bytes,
            "memory_ratio": self._bound.ratio,
            "memory_limit_bytes": self._bound.bytes,
            "memory_used_bytes_max": sum(map(_peak_bytes, pids)),
        }


def _peak_bytes(pid: int) -> int:
    """Return the most memory that a process had since its peak was reset."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * _KIB
    return 0
