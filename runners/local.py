"""Sessions on this machine, one after the other."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ..base.folders.machine import only_campaign
from . import doctor, lives, plan
from .campaign import Campaign
from .progress import Progress
from .session import Hooks, Interrupted, Session
from .workspace import sweep, workspace

Say = Callable[[str], None]
# Set anew for every driver and server: they load the tap, and nothing before it.
_TAKEN = ("LD_PRELOAD", "LD_LIBRARY_PATH")


@dataclass
class Local:
    """This machine, which is held for as long as the campaign measures."""

    share_machine: bool = False
    on_hosts = False

    @contextlib.contextmanager
    def opened(self, campaign: Campaign, progress: Progress, say: Say) -> Iterator[Campaign]:
        """See `Executor.opened`."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(holding(campaign, say, share=self.share_machine))
            plan.require_room(campaign)
            living = stack.enter_context(workspace(campaign))
            _keep(living, say)
            data_sets = lives.of(living).prepare(living, say)
            self._session = partial(Session, living, data_sets, progress)
            self._progress = progress
            yield campaign

    def go_on(self, ended: frozenset[str], hooks: Hooks) -> None:
        """See `Executor.go_on`. Errors: as `Session.run`, but for `Interrupted`."""
        self.session(self._progress.sessions, ended, hooks)

    def session(self, number: int, ended: frozenset[str], hooks: Hooks) -> None:
        """Measure the session of this number. Errors: as `go_on`."""
        with contextlib.suppress(Interrupted):
            self._session(hooks, number, ended).run()


@contextlib.contextmanager
def holding(campaign: Campaign, say: Say, *, share: bool) -> Iterator[None]:
    """Hold this machine, remove what killed campaigns left there, and print warnings."""
    with only_campaign(campaign.id, share=share) as notes:
        for note in [*notes, *dropped()]:
            say(f"warning: {note}")
        for left in sweep(campaign):
            say(left)
        yield


def dropped() -> list[str]:
    """Return a sentence for each variable that drivers and servers do not get, with the remedy."""
    return [
        f"{name}={os.environ[name]} reaches no driver and no server that is measured: the tap "
        f"is put in its place; unset {name} to run without this warning"
        for name in _TAKEN
        if os.environ.get(name)
    ]


def _keep(campaign: Campaign, say: Say) -> None:
    """Keep the recipe, and what the machine is like before anything of ours runs on it."""
    if campaign.is_kept:
        return
    findings = plan.examine(campaign)
    campaign.save(findings)
    say(f"doctor: {doctor.in_a_line(findings)}; in full: waltax doctor")
