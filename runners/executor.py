"""Where a campaign's sessions are measured: what `loop` asks of this machine, or of hosts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from .campaign import Campaign
from .progress import Progress
from .session import Hooks


class Sessions(Protocol):
    """Those of a campaign that has begun."""

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """Measure until a session has ended, or one of each host, or until a signal came.

        Workloads that have `ended` are left out. Rows are in the progress once `hooks.keep` took
        them. Errors: WaltaxError when nothing more can be measured.
        """
        ...


class Executor(Protocol):
    """One way of measuring. `runners.local` is one, `hosts.executor` another."""

    @property
    def on_hosts(self) -> bool:
        """Whether rows name the host that they were measured on."""
        ...

    def held(
        self, campaign: Campaign, say: Callable[[str], None]
    ) -> AbstractContextManager[Campaign]:
        """Hold what measures, and look whether it can; the campaign as the loop is to count it.

        Errors: WaltaxError and UsageError, before anything is written.
        """
        ...

    def opened(
        self, campaign: Campaign, progress: Progress, say: Callable[[str], None]
    ) -> AbstractContextManager[Sessions]:
        """Keep what the campaign is, and prepare its data. REQUIRES: within `held`, and its folder
        is held. Errors: WaltaxError and UsageError.
        """
        ...
