"""The devices that the WAL sits on.

`load` reads a device from the catalog (the TOML files here) or from a file of the user.
`resolve.resolve` decides whether it is real, emulated or off on this machine; `check.check` finds
what a directory really sits on. The tap, which observes, emulates and records, is in preload/.
"""

from __future__ import annotations

from .catalog import load, names
from .device import Device

__all__ = ["Device", "load", "names"]
