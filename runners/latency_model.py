"""An emulated device's latencies as the tap reads them."""

from __future__ import annotations

from pathlib import Path

from ..devices import tap_model
from ..devices.resolve import Placement


def model_file(page: Path, placement: Placement, seed: int) -> Path | None:
    """The model, written beside the tap's page. None: the tap only observes."""
    if placement.model is None:
        return None
    path = page.with_suffix(".model")
    path.write_text(tap_model.render(placement.model, seed))
    return path
