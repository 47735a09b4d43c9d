"""Check the machine before a campaign's first slice; campaign.json keeps the findings."""

from __future__ import annotations

from . import doctor
from .campaign import Campaign
from .folders import existing
from .plan import plan
from .workspace import real_directories

_SECONDS = 1.0  # spent on looking at what others do: a campaign has no more to spare


def examine(campaign: Campaign) -> list[doctor.Finding]:
    """Return what each check says of the machine and of each real device's directory."""
    seen = doctor.look(
        _SECONDS, needs=needs(campaign, "this campaign"), data_dir=existing(campaign.data_root)
    )
    return doctor.examine(seen, real_directories(campaign))


def needs(campaign: Campaign, called: str) -> doctor.Needs:
    """Return what its plan takes, for the checks of memory and disk."""
    sizes = plan(campaign)
    return doctor.Needs(called, sizes.memory_mib, sizes.emulated_mib, sizes.disk_mib)
