"""A campaign's side of its hosts: sessions to those that are free, their rows into the campaign."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace

from .. import doctor
from ..doctor import Finding
from ..errors import WaltaxError
from ..runners.campaign import Campaign
from ..runners.progress import Progress
from . import extra, local
from .fleet import KEPT, Fleet
from .link import Link, connected
from .sessions import Sessions
from .where import Where

_MOST = 8  # hosts of which a line each is said
Say = Callable[[str], None]


def over(where: Where, *, share_machine: bool) -> OnHosts:
    """What measures on hosts. Errors: UsageError where dask.distributed is not installed."""
    extra.require("--hosts")
    return OnHosts(where, share_machine)


class OnHosts:
    """The workers of a scheduler, each a host. Use once."""

    on_hosts = True
    at_least = 1  # workers that are waited for

    def __init__(self, where: Where, share_machine: bool) -> None:
        self._where = where
        self._share_machine = share_machine
        self._link: Link | None = None

    @contextlib.contextmanager
    def held(self, campaign: Campaign, say: Say) -> Iterator[Campaign]:
        """See `Executor.held`: a scheduler, and hosts that agree. The campaign's budget and least
        number of sessions are those of all of them together.
        """
        with contextlib.ExitStack() as stack:
            address = self._where.scheduler or stack.enter_context(
                local.cluster(self._where.local, campaign.data_root)
            )
            client = stack.enter_context(connected(address))
            fleet = Fleet(campaign)
            self._link = Link(client, address, fleet, campaign)
            self._link.gather(self._where.local or self.at_least)
            if not fleet.alive:
                raise WaltaxError(f"--hosts: no host of {address} can measure", *fleet.words())
            say(_counted(fleet))
            for host in fleet.alive[:_MOST]:
                findings = [Finding(**found) for found in host.doctor]
                say(f"doctor of {host.name}: {doctor.in_a_line(findings)}")
            if len(fleet.alive) > _MOST:
                say(f"doctor of all {len(fleet.alive)}: {KEPT}")
            yield _of_all(campaign, len(fleet.alive))

    @contextlib.contextmanager
    def opened(self, campaign: Campaign, progress: Progress, say: Say) -> Iterator[Sessions]:
        """See `Executor.opened`: each host prepares its data when its first session begins."""
        assert self._link is not None
        link = self._link
        campaign.save(options=False)
        link.fleet.remember(progress.rows)
        for line in link.fleet.words():
            say(f"warning: {line}")
        turn = campaign.folder / ".turn" if self._where.local else None
        sessions = Sessions(link, campaign, progress, turn, share_machine=self._share_machine)
        try:
            yield sessions
            sessions.stop()
        finally:
            link.fleet.keep(campaign.folder)
            if turn is not None:
                turn.unlink(missing_ok=True)


def _counted(fleet: Fleet) -> str:
    names = [host.name for host in fleet.alive]
    more = [f"and {len(names) - _MOST} more"] if len(names) > _MOST else []
    return f"{len(names)} hosts: {', '.join([*names[:_MOST], *more])}"


def _of_all(campaign: Campaign, hosts: int) -> Campaign:
    """The campaign with the budget of so many hosts, each of which has the profile's."""
    timing = campaign.profile.timing
    all_of_them = {
        "time_budget_s": timing.time_budget_s * hosts,
        "min_sessions": timing.min_sessions * hosts,
    }
    timing = timing.model_copy(update=all_of_them)
    return replace(campaign, profile=campaign.profile.model_copy(update={"timing": timing}))
