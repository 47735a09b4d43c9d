"""The table of studies. A new one is a module with a record, and an entry here.

It is literal, so that `waltax --help` reads it without importing any study.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError
from .study import Study

ANY = "run"
"""The command that goes on with a campaign of whatever kind."""


@dataclass(frozen=True)
class Entry:
    """Where a study's record is, as MODULE:NAME, and the first line of its command's help."""

    record: str
    help: str


STUDIES: dict[str, Entry] = {
    "run": Entry(
        ".devices:RUN", "Measure what the WAL costs on each device, interleaved with no WAL at all."
    ),
    "run-device": Entry(".devices:RUN_DEVICE", "As run, of the devices that are named."),
    "why": Entry(
        ".why:STUDY",
        "Which step of the way to the device costs that: the records, the writes, the syncs.",
    ),
    "paper": Entry(
        ".paper:STUDY",
        "The paper's experiment: MyRocks, 10 clients, WAL on ssd, nvme, nvram and off.",
    ),
    "sweep-latency": Entry(
        ".latency.study:STUDY",
        "Overhead against the latency of a sync, and how fast one must be for at most 5 %.",
    ),
    "sweep-threads": Entry(
        ".threads:STUDY",
        "What the log costs one client, and what many, on the same devices in the same rounds.",
    ),
    "sweep-sizes": Entry(
        ".key_sizes:STUDY",
        "db_bench over sizes of keys and values, with and without the WAL, as a study had it.",
    ),
    "sweep-knobs": Entry(
        ".knobs:STUDY",
        "One setting of the WAL at a time, commits synced.",
    ),
    "serve": Entry(
        ".serve:STUDY",
        "Start a server placed as a campaign's is, for sysbench, tpcc-mysql or your application.",
    ),
}
"""By the names of their commands."""


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
    found: Study[Any] = getattr(importlib.import_module(module, __package__), attribute)
    return found
