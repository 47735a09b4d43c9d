"""A campaign's side of its hosts: sessions to those that are free, their rows into the campaign."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace

from .. import doctor
from ..errors import WaltaxError
from ..runners.campaign import Campaign
from ..runners.progress import Progress
from .fleet import KEPT, Fleet
from .link import Link, connected
from .sessions import Sessions
from .where import Where, require_dask
from .worker import cluster

_MOST = 8  # hosts of which a line each is said
Say = Callable[[str], None]


def over(where: Where, *, share_machine: bool) -> OnHosts:
    """What measures on hosts. Errors: UsageError where dask.distributed is not installed."""
    require_dask("--hosts")
    return OnHosts(where, share_machine)


class OnHosts:
    """The workers of a scheduler, each a host. Use once."""

    on_hosts = True

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
                cluster(self._where.local, campaign.data_root)
            )
            client = stack.enter_context(connected(address))
            fleet = Fleet(campaign)
            self._link = Link(client, address, fleet, campaign)
            self._link.gather(self._where.local or 1)
            if not fleet.alive:
                raise WaltaxError(f"--hosts: no host of {address} can measure", *fleet.words())
            for line in _introduced(fleet):
                say(line)
            yield _of_all(campaign, len(fleet.alive))

    @contextlib.contextmanager
    def opened(self, campaign: Campaign, progress: Progress, say: Say) -> Iterator[Sessions]:
        """See `Executor.opened`: each host prepares its data when its first session begins."""
        assert self._link is not None
        fleet = self._link.fleet
        campaign.save(options=False)
        fleet.remember(progress.rows)
        for line in fleet.words():
            say(f"warning: {line}")
        in_turns = bool(self._where.local)
        sessions = Sessions(self._link, campaign, progress, in_turns, self._share_machine)
        try:
            yield sessions
            sessions.stop()
        finally:
            fleet.keep(campaign.folder)


def _introduced(fleet: Fleet) -> Iterator[str]:
    """How many hosts there are, and what `doctor` says of the first ones."""
    count, first = len(fleet.alive), fleet.alive[:_MOST]
    more = [f"and {count - _MOST} more"] if count > _MOST else []
    yield f"{count} hosts: {', '.join([*(host.name for host in first), *more])}"
    for host in first:
        findings = [doctor.Finding(**finding) for finding in host.answer["doctor"]]
        yield f"doctor of {host.name}: {doctor.in_a_line(findings)}"
    if more:
        yield f"doctor of all {count}: {KEPT}"


def _of_all(campaign: Campaign, hosts: int) -> Campaign:
    """The campaign with the budget of so many hosts, each of which has the profile's."""
    timing = campaign.profile.timing
    of_all = {name: getattr(timing, name) * hosts for name in ("time_budget_s", "min_sessions")}
    timing = timing.model_copy(update=of_all)
    return replace(campaign, profile=campaign.profile.model_copy(update={"timing": timing}))
