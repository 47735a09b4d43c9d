"""The record of a study; `commands.py` has the table that says where each record is."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import UsageError
from ..commands import record_of
from ..device_names import WITH_DATA
from ..runners.recipe.axes.axis import Option
from .request import Request

if TYPE_CHECKING:
    from ..analysis import Report
    from ..runners.campaign import Campaign

Changes = Mapping[str, Any]
"""What a campaign's recipe has besides what was typed, by the names of its fields."""
MOST_OCCASIONS = 1000
ANY = "run"
"""The command that resumes a campaign of any kind."""
_ROOT = __package__.rpartition(".")[0]


def reported(
    name: str, *own: str, each: bool = False
) -> Callable[[Request, Sequence[Path]], Sequence[Report]]:
    """Return a function that makes the report of this name, of all folders or of `each`.

    The report takes the study's `own` options of these names. `analysis` is only imported then.
    """

    def report(request: Request, folders: Sequence[Path]) -> Sequence[Report]:
        from ..analysis import reports

        made, words = getattr(reports, name), {option: request.own[option] for option in own}
        campaigns = [[folder] for folder in folders] if each else [folders]
        return [made(of, **words) for of in campaigns]

    return report


@dataclass(frozen=True)
class Study:
    """A question that campaigns answer.

    `kind` is stored with each campaign, and names the command that resumes it. Besides `options`,
    every study takes those that say where, whether and when to measure.
    """

    kind: str
    about: str  # the command's help below its first line
    options: tuple[Option, ...]
    # Returns the changes of each campaign, in order. Errors: UsageError for an invalid request.
    changes: Callable[[Any], Iterable[Changes]]
    # A subclass has some of the study's options as fields; the others are in `Request.own`.
    request: type[Request] = Request
    # Whether its campaigns can be repeated on several occasions, and pooled.
    repeats: bool = True
    # Whether to print the table of overheads, which every campaign has, at the end of a campaign.
    shows_overheads: bool = True
    # Makes its own reports from folders with rows; None: it has only the overheads.
    report: Callable[[Any, Sequence[Path]], Sequence[Report]] | None = None
    # Options that change only its report: allowed with --resume and --campaign.
    of_report: frozenset[str] = frozenset()
    # Handles a request without a campaign, and returns the exit code; None: measure one.
    instead: Callable[[Any], int | None] | None = None

    def campaigns(self, request: Request) -> Sequence[Campaign]:
        """Plan the campaigns to measure, in order. Errors: UsageError for an invalid request."""
        recipe, every = request.recipe(self.kind), list(self.changes(request))
        devices = {device for changed in every for device in changed.get("devices", recipe.devices)}
        if recipe.wal_dir is not None and len(devices - {WITH_DATA}) != 1:
            raise UsageError("--wal-dir: it is the directory of one device; name that device")
        return [request.campaign(replace(recipe, **changed)) for changed in every]


def record(kind: str) -> Study:
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
