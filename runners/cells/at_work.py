"""Define what an axis does in a cell while it lives.

Only types are imported, because whoever asks for a command's options loads every axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...devices.tap_page import TapPage
    from ...row import Row
    from ...workload import Parameter
    from .setting import Setting


class AtWork:
    """What an axis gives a cell while it lives; it overrides what it needs."""

    groups: tuple[Path, ...] = ()  # of the kernel, into which the programs are born
    is_alone = False  # whether the cell's clone shares no file with others
    page: TapPage | None = None  # of a server's second log, from `place` on
    log: Path | None = None  # the folder of a server's second log, from `place` on

    def flags(self, _setting: Setting) -> Mapping[str, Parameter]:
        """Return flags of a driver that has the engine in it."""
        return {}

    def of_clients(self) -> Mapping[str, Parameter]:
        """Return flags that say how a driver's clients send requests."""
        return {}

    def place(self, _setting: Setting, _memory: Path) -> Mapping[str, str]:
        """Make what the engine's process needs, such as pages of the tap in a folder; return
        variables of its environment. Errors: WaltaxError.
        """
        return {}

    def cloned(self, *folders: Path) -> None:
        """Learn in which folders the engine's data are, and perhaps its log, before it begins."""

    def begin(self, pids: Sequence[int]) -> None:
        """Count from now on. REQUIRES: the programs are stopped."""

    def counted(self, _pids: Sequence[int]) -> Row:
        """Return columns of a row: what was counted since `begin`. Errors: WaltaxError."""
        return {}

    def moment(self) -> Row:
        """Return what a slice is judged by beyond the columns that its row keeps."""
        return {}

    def require_alive(self) -> None:
        """Raise WaltaxError when this axis is to blame for the end of a program."""
