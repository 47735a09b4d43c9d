"""The folders in which a campaign's cells live while they are alive."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ..devices.memory import SHM
from . import lock
from .campaign import Campaign

_PREFIX = "waltax-"


def disk_folder(campaign: Campaign) -> Path:
    """Clones of the data."""
    return campaign.data_root / "work" / campaign.id


def memory_folder(campaign: Campaign) -> Path:
    """Emulated WALs, and the pages in which the taps count."""
    return SHM / f"{_PREFIX}{campaign.id}"


@contextlib.contextmanager
def workspace(campaign: Campaign) -> Iterator[None]:
    """Make both folders, and leave nothing behind; sweep up after killed campaigns.

    Errors: WaltaxError when another process works on this campaign.
    """
    sweep(campaign)
    disk = lock.borrowed(disk_folder(campaign), "--data-dir")
    with disk, lock.borrowed(memory_folder(campaign)):
        yield


def sweep(campaign: Campaign) -> None:
    """Remove what killed campaigns left, which takes room from the next."""
    lock.sweep(campaign.data_root / "work", "*")
    lock.sweep(SHM, f"{_PREFIX}*")
