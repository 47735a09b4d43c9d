"""Define what a check says: a state, and a sentence with the figure that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

OK, WARN, UNKNOWN = "ok", "warn", "unknown"


@dataclass(frozen=True)
class Answer:
    """An answer. `state` is ok, warn or unknown: what cannot be read is unknown, and never ok."""

    state: str
    text: str


@dataclass(frozen=True)
class Finding:
    """The answer of a check, by its name, and the remedy, which is empty where it is ok."""

    check: str
    state: str
    text: str
    advice: str = ""


ok, warn, unknown = (partial(Answer, state) for state in (OK, WARN, UNKNOWN))
