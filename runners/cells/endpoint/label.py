"""Read typed endpoints: sync=redis:///run/a.sock, nvme/sync=redis://127.0.0.1:6379."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....base.errors import UsageError
from ....cell import BASELINE
from ....devices.device import NAME_PATTERN
from ....engines import DURABILITIES
from ...recipe.parts import Endpoint

OWNER = "owner"
"""The device of an endpoint whose owner does not say where the log is."""
_FLAG = "--endpoint"
_WANTED = f"want [PLACE/]MODE=URL, as in {_FLAG} sync=redis:///run/a.sock"
_SCHEME = "redis://"


def named(text: str) -> Endpoint:
    """Return the endpoint that a text names, without looking at its address.

    Errors: UsageError for an invalid mode or place, and for an unknown protocol.
    """
    label, _, url = text.partition("=")
    place, slash, mode = label.rpartition("/")
    if not url:
        why = f"{text!r}; {_WANTED}"
    elif mode not in DURABILITIES:
        why = (
            f"the mode {mode!r}; one of {', '.join(DURABILITIES)}: when a commit is acknowledged, "
            f"and {BASELINE} for the one without a log"
        )
    elif slash and not re.fullmatch(NAME_PATTERN, place):
        why = f"the place {place!r}; lower case, digits and single dashes, as in my-nvme/sync=..."
    elif (mode == BASELINE and slash) or place == BASELINE:
        why = f"{label!r}; what has no log has no place: type off=URL"
    elif not url.startswith(_SCHEME):
        why = f"{url}; its URL begins with {_SCHEME}"
    else:
        return Endpoint(BASELINE if mode == BASELINE else place or OWNER, mode, url)
    raise UsageError(f"{_FLAG}: found {why}")


def require_comparison(endpoints: Sequence[Endpoint]) -> None:
    """Raise UsageError if there is no baseline, nothing beside it, or an endpoint twice."""
    labels, urls = [each.label for each in endpoints], [each.url for each in endpoints]
    if BASELINE not in labels:
        raise UsageError(
            f"{_FLAG}: found no off=URL: it is what the others are compared with, a server that "
            "writes no log (of Redis one with appendonly no)"
        )
    if len(endpoints) < 2:
        raise UsageError(f"{_FLAG}: found off alone; name a server with a log beside it: {_WANTED}")
    for said in (*labels, *urls):
        if (labels + urls).count(said) > 1:
            raise UsageError(
                f"{_FLAG}: found {said} twice; give each server a place and a URL of its own, as "
                "in a/sync=... and b/sync=..., since two cells would work on the same data"
            )
