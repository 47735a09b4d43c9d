"""The studies' records, by the table of their commands in `commands.py`."""

from __future__ import annotations

import importlib
from typing import Any

from ..commands import STUDIES, Entry
from ..errors import UsageError
from .study import Study

__all__ = ["ANY", "STUDIES", "Entry", "study"]

ANY = "run"
"""The command that goes on with a campaign of whatever kind."""
_ROOT = __package__.rpartition(".")[0]


def study(name: str) -> Study[Any]:
    """The record of a command, or of a kind that a campaign kept.

    Errors: UsageError for a kind that another release has.
    """
    if name not in STUDIES:
        raise UsageError(
            f"kind: found {name!r}, want one of {', '.join(STUDIES)}; the campaign was written by "
            "another waltax: start a new one"
        )
    module, _, attribute = STUDIES[name].record.partition(":")
    found: Study[Any] = getattr(importlib.import_module(module, _ROOT), attribute)
    return found
