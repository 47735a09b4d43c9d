"""Read typed endpoints: sync=redis:///run/a.sock, nvme/sync=redis://127.0.0.1:6379."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....base.errors import UsageError
from ....cell import BASELINE
from ....devices.device import NAME_PATTERN
from ....engines import DURABILITIES
from ...recipe.parts import Endpoint
from . import protocol

OWNER = "owner"
"""The device of an endpoint whose owner does not say where the log is."""
_FLAG = "--endpoint"
_WANTED = f"want [PLACE/]MODE=URL, as in {_FLAG} sync=redis:///run/a.sock"


def named(text: str) -> Endpoint:
    """Return the endpoint that a text names, without looking at its address.

    Errors: UsageError for an invalid mode or place, and for an unknown protocol.
    """
    label, equals, url = text.partition("=")
    place, slash, mode = label.rpartition("/")
    if not equals or not url:
        raise UsageError(f"{_FLAG}: found {text!r}; {_WANTED}")
    if mode not in DURABILITIES:
        raise UsageError(
            f"{_FLAG}: found the mode {mode!r}; one of {', '.join(DURABILITIES)}: when a commit is "
            f"acknowledged, and {BASELINE} for the one without a log"
        )
    if slash and not re.fullmatch(NAME_PATTERN, place):
        raise UsageError(
            f"{_FLAG}: found the place {place!r}; lower case, digits and single dashes, as in "
            "my-nvme/sync=..."
        )
    if (mode == BASELINE and slash) or place == BASELINE:
        raise UsageError(f"{_FLAG}: found {label!r}; what has no log has no place: type off=URL")
    endpoint = Endpoint(BASELINE if mode == BASELINE else place or OWNER, mode, url)
    protocol.require_known(endpoint)
    return endpoint


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
    for label, url, mode in zip(labels, urls, [each.durability for each in endpoints], strict=True):
        if labels.count(label) > 1:
            raise UsageError(
                f"{_FLAG}: found {label} twice; give each a place of its own, as in a/{mode}=... "
                f"and b/{mode}=..."
            )
        if urls.count(url) > 1:
            raise UsageError(
                f"{_FLAG}: found {url} twice; two cells would work on the same data: name another "
                "server"
            )
