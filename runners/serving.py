"""A server that only serves, in the folders and under the lock of a campaign."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

from ..harness.signals import Signals
from ..owned.machine import only_campaign
from ..serve import alone, life, template
from . import plan
from .campaign import Campaign
from .workspace import sweep, workspace


def serve(
    campaign: Campaign,
    signals: Signals,
    every_s: float,
    say: Callable[[str], None],
    *,
    share_machine: bool = False,
) -> int:
    """Serve the one cell of `campaign.alone` until a signal comes; return the exit code.

    Nothing of it is kept. Errors: UsageError when there is no room for it or `--data` is no data;
    WaltaxError when the server does not start or dies.
    """
    (cell,) = campaign.cells
    with contextlib.ExitStack() as stack:
        for note in stack.enter_context(only_campaign(campaign.id, share=share_machine)):
            say(f"warning: {note}")
        for left in sweep(campaign):
            say(left)
        placed = stack.enter_context(workspace(campaign))
        lot = placed.lot(cell.workload)
        plan.require_share(placed.data_root, life.share(lot))
        with signals.finishing("the data"):
            data_set = template.make(lot, say, signals.came)
        if signals.came():
            return signals.exit_code
        kept = placed.folders.disk / "kept"
        kept.mkdir(exist_ok=True)
        setting = placed.setting(cell, data_set, 0)
        setting = replace(setting, folders=replace(setting.folders, kept=kept))
        assert setting.command is not None
        told = template.settings_of(setting.profile, setting.command.data)
        return alone.serve(setting, told, signals, every_s, say)
