"""The devices that the WAL sits on.

`load` reads a device from the catalog (the TOML files here) or from a file of the user: a TOML
file, or what another tool printed of a drive (importing/); `constant` has those named sync-38us.
`resolve.resolve` decides whether it is real, emulated or off on this machine; `check.check` finds
what a directory really sits on. The tap, which observes, emulates and records, is in preload/.
"""

from __future__ import annotations

from pathlib import Path

from ..device_names import point_us
from . import catalog, constant
from .catalog import names
from .device import Device

__all__ = ["Device", "load", "names"]


def load(name_or_path: str | Path, wal_dir: str | Path | None = None) -> Device:
    """Return a device as `catalog.load` does, or one that another tool's output tells of."""
    if (latency_us := point_us(str(name_or_path))) is not None:
        return catalog.placed(constant.device(latency_us), wal_dir)
    path = Path(name_or_path).expanduser()
    if str(name_or_path) in names() or path.suffix == ".toml" or not path.is_file():
        return catalog.load(name_or_path, wal_dir)
    from .importing.record import of_files

    return catalog.placed(of_files([path]), wal_dir)
