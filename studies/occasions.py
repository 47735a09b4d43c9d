"""Repeats of a campaign: one alone cannot know what differs between moments."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import click

from ..base.errors import UsageError
from .options import number
from .request import Request
from .study import Own, Say

MOST = 1000
_SEEDS_APART = 1000  # a campaign's sessions count their seeds from its own
_SECONDS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def _seconds(_context: click.Context, _option: click.Parameter, text: str | None) -> float:
    if text is None:
        return 0.0
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d)", text.strip())
    if match is None:
        raise UsageError(f"--every: found {text!r}; type a number with s, m, h or d, as in 1h")
    return float(match[1]) * _SECONDS[match[2]]


OPTIONS = (
    number(
        "--repeat", 1, (1, MOST), "How many times to repeat the campaign; the repeats are pooled."
    ),
    click.option(
        "--every",
        "interval_s",
        callback=_seconds,
        help="Time from the start of one repeat to that of the next, as 90s or 1h.",
    ),
)


def require_sense(request: Request) -> None:
    """Refuse an interval when there is only one occasion. Errors: UsageError."""
    if request.interval_s and request.repeat == 1:
        raise UsageError(
            "--every: found it without --repeat; say how often, as in --repeat 3 --every 1h (with "
            "make: REPEAT=3 EVERY=1h)"
        )


def anew(request: Own, number: int) -> Own:
    """Return the request for occasion `number`, from 0; a typed seed is that of the first."""
    if request.seed is None:
        return request
    return replace(request, seed=(request.seed + _SEEDS_APART * number) % 2**31)


def wait(request: Request, number: int, began_s: float, say: Say) -> bool:
    """Wait for the start of an occasion, and return whether Ctrl-C ended the wait.

    `began_s` is when the one before began.
    """
    due_s = max(began_s + request.interval_s, time.time())
    at = time.strftime("%H:%M:%S", time.localtime(due_s))
    say(f"occasion {number + 1} of {request.repeat} begins at {at}; Ctrl-C keeps what was measured")
    try:
        time.sleep(max(0.0, due_s - time.time()))
    except KeyboardInterrupt:
        return True
    return False
