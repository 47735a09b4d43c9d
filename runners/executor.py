"""Define where a campaign's sessions are measured: on this machine, or on hosts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from .campaign import Campaign
from .progress import Progress
from .session import Hooks


class Sessions(Protocol):
    """The sessions of a campaign that has begun."""

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """Measure until a session, or one of each host, has ended, or until a signal came.

        Workloads that have `ended` are left out. The progress has a row once `hooks.keep` took it.
        Errors: WaltaxError when nothing more can be measured.
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
        """Hold what measures and check that it can; yield the campaign as the loop counts it.

        Errors: WaltaxError and UsageError, before anything is written.
        """
        ...

    def opened(
        self, campaign: Campaign, progress: Progress, say: Callable[[str], None]
    ) -> AbstractContextManager[Sessions]:
        """Keep the campaign's description and prepare its data. REQUIRES: within `held`, while its
        folder is held. Errors: WaltaxError and UsageError.
        """
        ...
