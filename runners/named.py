"""A device by what was typed for it."""

from __future__ import annotations

from .. import devices
from ..devices import Device
from ..errors import UsageError


def load_device(name: str, wal_dir: str | None = None, flag: str = "--device") -> Device:
    """A device by what --device says. Errors: UsageError that names the flag."""
    if not name:
        raise UsageError(
            f"{flag}: found no name; type one of {', '.join(devices.names())}, as in "
            f"{flag} nvme (with make: {flag[2:].upper()}=nvme), or a device file (./mybox.toml)"
        )
    try:
        return devices.load(name, wal_dir)
    except UsageError as error:
        first, *others = error.lines
        raise UsageError(f"{flag}: {first}", *others) from error
