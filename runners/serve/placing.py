"""A cell of `waltax serve` as the order that places its server."""

from __future__ import annotations

from pathlib import Path

from ...cell import Cell
from ..campaign import Campaign
from ..served import Folders, Order
from ..workspace import disk_folder, log_folders, memory_folder
from .template import Template


def order(campaign: Campaign, cell: Cell, data: Template, session: int = 0) -> Order:
    """The server of one cell, on a clone of `data`."""
    return Order(
        name=cell.id,
        engine=cell.engine,
        durability=cell.durability,
        placement=campaign.placements[cell.id],
        data_set=data.path,
        settings=data.settings,
        seed=campaign.recipe.seed + session,
    )


def folders(campaign: Campaign, kept: Path | None = None) -> Folders:
    """Where its servers live; what is `kept` stays with the results unless told otherwise."""
    return Folders(
        disk=disk_folder(campaign),
        memory=memory_folder(campaign),
        logs=log_folders(campaign),
        kept=kept or campaign.folder,
    )
