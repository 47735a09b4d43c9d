"""What a study's record says, and where each stands by the table of commands in `commands.py`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..base.errors import UsageError
from ..commands import record_of
from .asked import Request
from .options import Option

if TYPE_CHECKING:
    from ..analysis import Report
    from ..runners.campaign import Campaign

Own = TypeVar("Own", bound=Request)
Say = Callable[[str], None]
ANY = "run"
"""The command that goes on with a campaign of whatever kind."""
_ROOT = __package__.rpartition(".")[0]


def _nothing_more(_campaigns: Sequence[Campaign]) -> Sequence[str]:
    return ()


def reported(
    name: str, *, each: bool = False
) -> Callable[[Request, Sequence[Path]], Sequence[Report]]:
    """The report of this name, of all folders together or of `each`.

    `analysis` is imported when it is made.
    """

    def report(_request: Request, folders: Sequence[Path]) -> Sequence[Report]:
        from ..analysis import reports

        made = getattr(reports, name)
        return list(map(made, folders)) if each else [made(folders)]

    return report


@dataclass(frozen=True)
class Study(Generic[Own]):
    """One question that is answered by campaigns.

    `kind` is the word that a campaign keeps, and the name of the command that goes on with it.
    Beside `options`, every study takes those that say where, whether and when to measure.
    """

    kind: str
    noun: str  # what a campaign of it is called
    about: str  # what its command's help says below the first line
    request: type[Own]
    options: tuple[Option, ...]
    # The campaigns to measure, one after the other. Errors: UsageError for what cannot be.
    plan: Callable[[Own, Say], Sequence[Campaign]]
    # Whether its campaigns can be measured anew at several moments, and pooled.
    repeats: bool = True
    # Lines below the heads of its campaigns.
    head: Callable[[Sequence[Campaign]], Sequence[str]] = _nothing_more
    # Whether its sizes are printed although it is measured at once: hours begin knowingly.
    tells_sizes: Callable[[Own], bool] = field(default=lambda _request: False)
    # Whether the table of overheads, which every campaign has, is printed when one ended.
    shows_overheads: bool = True
    # Its own reports of folders with rows; None: it has none beside the overheads.
    report: Callable[[Own, Sequence[Path]], Sequence[Report]] | None = None
    # Options that change its report alone: also beside --resume, or only beside --campaign.
    of_report: frozenset[str] = frozenset()
    of_report_again: frozenset[str] = frozenset()
    # What to type instead, when there is room for that share of a campaign's plan.
    smaller: Callable[[Campaign, float], str] | None = None
    # The study that answers instead, by what was typed; None: this one.
    variant: Callable[[Own], Study[Any] | None] | None = None
    # Does what takes no campaign, and returns the exit code; None when there is one to measure.
    instead: Callable[[Own], int | None] | None = None


def record(kind: str) -> Study[Any]:
    """Return the study whose kind a campaign kept, or that a command's words name.

    Errors: UsageError for a kind that another release has.
    """
    module, _, attribute = record_of(kind).partition(":")
    found = getattr(importlib.import_module(module, _ROOT), attribute) if module else None
    if not isinstance(found, Study):
        raise UsageError(
            f"kind: found {kind!r}, which is no study here; the campaign was written by another "
            "waltax: start a new one"
        )
    return found
