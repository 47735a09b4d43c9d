"""Make the folders in which a campaign's cells live while it measures."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..base.folders import places
from ..devices.resolve import SHM
from .cells.campaign import Campaign
from .cells.setting import PASSABLE, Folders

_PREFIX = "waltax-"


@contextlib.contextmanager
def workspace(campaign: Campaign) -> Iterator[Campaign]:
    """Yield the campaign with folders for its cells, of which nothing is left behind.

    Their names cannot be guessed, so that nobody can stand in the way. Errors: UsageError naming
    the flag of a folder that cannot be made.
    """
    with contextlib.ExitStack() as stack:

        def borrowed(parent: Path, name: str, kind: str, flag: str | None) -> Path:
            return stack.enter_context(
                places.borrowed(parent, f"{name}-", kind, flag=flag, mode=PASSABLE)
            )

        name = f"{_PREFIX}{campaign.id}"
        disk = borrowed(campaign.data_root / "work", campaign.id, "work", "--data-dir")
        memory = borrowed(SHM, name, "memory", None)
        logs = {
            root: borrowed(root, name, "wal", "--wal-dir") for root in real_directories(campaign)
        }
        folders = Folders(disk, memory, logs, kept=campaign.folder)
        yield replace(campaign, workspace=folders)


def sweep(campaign: Campaign) -> list[str]:
    """Remove what killed campaigns of this user left, which takes room from the next.

    Return what to say about things there that are not waltax's.
    """
    left = sweep_data(campaign.data_root)
    for root in (SHM, *real_directories(campaign)):
        left += places.sweep(root, f"{_PREFIX}*", "memory", "wal", "bench")
    return places.few(left)


def sweep_data(data_root: Path) -> list[str]:
    """Do the same where data sets and their clones are, and return all that is to say."""
    left = places.sweep(data_root / "work", "*", "work", "bench")
    return left + places.sweep(data_root / "sets", "partial-*", "load", "data set")


def real_directories(campaign: Campaign) -> list[Path]:
    """Return where its real devices have the log."""
    roots = {place.wal_root for place in campaign.places() if place.kind == "real"}
    return sorted(root for root in roots if root is not None)
