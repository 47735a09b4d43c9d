"""The record of a study; `commands.py` has the table that says where each record is."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..base.errors import UsageError
from ..commands import record_of
from .options import Option
from .request import Request

if TYPE_CHECKING:
    from ..analysis import Report
    from ..runners.campaign import Campaign, Recipe

Own = TypeVar("Own", bound=Request)
Say = Callable[[str], None]
ANY = "run"
"""The command that resumes a campaign of any kind."""
_ROOT = __package__.rpartition(".")[0]


def planned(
    recipe: Callable[[Any], Recipe],
) -> Callable[[Any, Say], Sequence[Campaign]]:
    """Return a plan of one campaign, of the recipe that the function returns."""
    return lambda request, _say: [request.campaign(recipe(request))]


def reported(
    name: str, *, each: bool = False
) -> Callable[[Request, Sequence[Path]], Sequence[Report]]:
    """Return a function that makes the report of this name, of all folders or of `each`.

    It imports `analysis` only when it is called.
    """

    def report(_request: Request, folders: Sequence[Path]) -> Sequence[Report]:
        from ..analysis import reports

        made = getattr(reports, name)
        return list(map(made, folders)) if each else [made(folders)]

    return report


@dataclass(frozen=True)
class Study(Generic[Own]):
    """A question that campaigns answer.

    `kind` is stored with each campaign, and names the command that resumes it. Besides `options`,
    every study takes those that say where, whether and when to measure.
    """

    kind: str
    about: str  # the command's help below its first line
    request: type[Own]
    options: tuple[Option, ...]
    # Returns the campaigns to measure, in order. Errors: UsageError for an invalid request.
    plan: Callable[[Own, Say], Sequence[Campaign]]
    # Whether its campaigns can be repeated on several occasions, and pooled.
    repeats: bool = True
    # Whether to print the table of overheads, which every campaign has, at the end of a campaign.
    shows_overheads: bool = True
    # Makes its own reports from folders with rows; None: it has only the overheads.
    report: Callable[[Own, Sequence[Path]], Sequence[Report]] | None = None
    # Options that change only its report: allowed with --resume, or only with --campaign.
    of_report: frozenset[str] = frozenset()
    of_report_again: frozenset[str] = frozenset()
    # Handles a request without a campaign, and returns the exit code; None: measure one.
    instead: Callable[[Own], int | None] | None = None


def record(kind: str) -> Study[Any]:
    """Return the study of a kind that a campaign kept, or of a command's words.

    Errors: UsageError for a kind that only another release has.
    """
    module, _, attribute = record_of(kind).partition(":")
    study_record = getattr(importlib.import_module(module, _ROOT), attribute) if module else None
    if not isinstance(study_record, Study):
        raise UsageError(
            f"kind: found {kind!r}, which is no study here; the campaign was written by another "
            "waltax: start a new one"
        )
    return study_record
