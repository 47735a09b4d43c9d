"""Run a server that only serves, in the folders and under the lock of a campaign."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from .. import profiles
from . import plan
from .campaign import Campaign, Recipe, now, resolved
from .cells.command import life, single_server, template
from .cells.placed_server import require_told
from .cells.signals import Signals
from .local import holding
from .recipe import axes
from .workspace import workspace

_WORKLOAD = "serve"  # the word that stands for it where nothing is measured


def planned(recipe: Recipe, results: Path, data_root: Path) -> Campaign:
    """Return a campaign with the one cell of a server that only serves and is never measured.

    `recipe` has one device, and a command of which `data` and `prepare` count. Errors: UsageError
    for a device, a mode or a directory that is not available.
    """
    profile = profiles.load(recipe.profile, recipe.engine)
    mode = recipe.durability or "sync"
    recipe = replace(recipe, workloads=(_WORKLOAD,), durability=mode, threads=(1,))
    name = "-".join((now(), _WORKLOAD, recipe.engine, profile.name))
    campaign = resolved(name, recipe, profile, results, data_root)
    campaign = replace(campaign, cells=campaign.cells[-1:])
    require_told(campaign.of_workload(_WORKLOAD))
    return campaign


def serve(
    campaign: Campaign,
    signals: Signals,
    every_s: float,
    say: Callable[[str], None],
    *,
    share_machine: bool = False,
) -> int:
    """Serve the one cell of `planned` until a signal comes; return the exit code.

    Nothing of it is kept. Errors: UsageError when there is no room for it or `--data` holds no
    data; WaltaxError when the server does not start or dies.
    """
    (cell,) = campaign.cells
    with contextlib.ExitStack() as stack:
        stack.enter_context(holding(campaign, say, share=share_machine))
        placed = stack.enter_context(workspace(campaign))
        part = placed.of_workload(cell.workload)
        plan.require_share(placed.data_root, life.share(part))
        with signals.finishing("the data"):
            data_set = template.make(part, say, signals.came)
        if signals.came():
            return signals.exit_code
        kept = placed.folders.disk / "kept"
        kept.mkdir(exist_ok=True)
        setting = placed.setting(cell, data_set, 0)
        setting = replace(setting, folders=replace(setting.folders, kept=kept))
        setting = stack.enter_context(axes.around(placed, setting))
        assert setting.recipe.command is not None
        settings = template.settings_of(setting.profile, setting.recipe.command.data)
        return single_server.serve(setting, settings, signals, every_s, say)
