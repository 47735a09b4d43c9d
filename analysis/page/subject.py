"""The subject of a page: a report, its rows and cells, and what the campaign recorded of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...base import strictjson
from ..report import Report
from ..reports.campaign_end import NAME, Ended, ended_as, results_of
from ..results import CellResult, Source, by_group
from ..results.source import CAMPAIGN


@dataclass(frozen=True)
class Subject:
    """A report with its rows."""

    report: Report
    source: Source

    @classmethod
    def of(cls, report: Report) -> Subject:
        """Return the subject of a report. Errors: ValueError for a report without rows."""
        if report.source is None:
            raise ValueError(f"report {report.name} has no rows")
        return cls(report, report.source)

    @property
    def is_own(self) -> bool:
        """Whether it is a study's own report, and not the overheads that every campaign has."""
        return self.report.name != NAME

    @cached_property
    def results(self) -> Sequence[CellResult]:
        """The result of each cell; for a ladder only those from which nothing was left out."""
        return self.report.results or results_of(self.source)

    @cached_property
    def groups(self) -> list[list[CellResult]]:
        return by_group(self.results)

    @cached_property
    def kept(self) -> Mapping[str, Any]:
        """What the campaign's folder says was asked for; empty if it cannot be read."""
        folder = self.source.folder
        return strictjson.read_object(folder / CAMPAIGN) if folder else {}

    @property
    def stop_reason(self) -> str:
        """Why the campaign ended, by this report or by the last one that is in the folder."""
        if self.is_own and self.source.folder is not None:
            return ended_as(self.source.folder, Ended(None, None, ())).stop_reason or ""
        return (self.report.content or {}).get("stop_reason") or ""
