"""Commands of the user's around each session: `--before` and `--after`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .campaign import Campaign
from .cells.command import shell

_LONGEST_S = 3600.0


@contextmanager
def around(campaign: Campaign, session: int, say: Callable[[str], None]) -> Iterator[None]:
    """Run the recipe's commands before and after a session; the second also where it was ended.

    A shell in the folder where waltax was started runs them, with WALTAX_CAMPAIGN, the campaign's
    folder, and WALTAX_SESSION, from 0, in their environment; no slice is measured meanwhile. What
    the last ones wrote is kept in that folder. Errors: WaltaxError for one that fails: what it was
    to arrange is not so, and nothing that follows would be what was asked for.
    """
    told = {"WALTAX_CAMPAIGN": str(campaign.folder.absolute()), "WALTAX_SESSION": str(session)}

    def run(name: str, command: str | None) -> None:
        if command is not None:
            say(f"--{name}, session {session + 1}: {command}")
            log = campaign.folder / name
            shell.run(command, env=told, timeout_s=_LONGEST_S, log=log, flag=f"--{name}", limit="")

    run("before", campaign.recipe.before)
    try:
        yield
    finally:
        run("after", campaign.recipe.after)
