"""Checks of the devices that were typed on the command line of a study."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import UsageError
from ..runners.recipe import command_line


def logged(named: Sequence[str]) -> tuple[str, ...]:
    """Return devices as names or files, which --resume finds again.

    Errors: UsageError for one that is named twice, and for one without a log.
    """
    seen: set[str] = set()
    for name in named:
        device = command_line.load_device(name)
        if device.is_off:
            raise UsageError(
                f"--device: found {name}, which writes no log; it is measured in any case, and the "
                "device beside it: type --device nvme"
            )
        if device.name in seen:
            raise UsageError(f"--device: found the name {device.name} twice; name each once")
        seen.add(device.name)
    return tuple(map(command_line.kept, named))


def one_device(named: Sequence[str]) -> tuple[str, ...]:
    """Return the one device that was named. Errors: UsageError for several; as `logged`."""
    if len(set(named)) > 1:
        raise UsageError(f"--device: found {', '.join(named)}; this command takes one")
    return logged(named[:1])
