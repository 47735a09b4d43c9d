"""Checks of the names that were typed on the command line of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..base.errors import UsageError
from ..cell import BASELINE, STUDY
from ..device_names import WITH_DATA
from ..engines import EMBEDDED
from ..runners.recipe import command_line
from .request import Request

if TYPE_CHECKING:
    from ..runners.campaign import Recipe


def logged(named: Sequence[str], default: str) -> tuple[str, ...]:
    """Return the devices, by default one, as names or files.

    Errors: UsageError for one that is named twice, and for one without a log.
    """
    seen: set[str] = set()
    for name in named or (default,):
        device = command_line.load_device(name)
        if device.is_off:
            raise UsageError(
                f"--device: found {name}, which writes no log; it is measured in any case, and the "
                f"device beside it: type --device {default}"
            )
        if device.name in seen:
            raise UsageError(f"--device: found {device.name} twice; name each once")
        seen.add(device.name)
    return tuple(map(command_line.kept, named or (default,)))


def one_device(named: Sequence[str], default: str) -> str:
    """Return the one device, as a name or a file. Errors: UsageError for several; as `logged`."""
    if len(set(named)) > 1:
        raise UsageError(f"--device: found {', '.join(named)}; this sweep takes one")
    return logged(named[:1], default)[0]


def refuse_shared_directory(wal_dir: str | None, devices: Sequence[str]) -> None:
    """Refuse --wal-dir when not exactly one device would use it. Errors: UsageError."""
    if wal_dir is not None and len({*devices} - {WITH_DATA}) != 1:
        raise UsageError("--wal-dir: it is the directory of one device; name that device")


def own_devices(named: Sequence[str]) -> tuple[str, ...]:
    """Return the user's devices besides the study's; files by absolute path, for --resume.

    Errors: UsageError for an invalid device, or a name used twice.
    """

    own: dict[str, str] = {}
    for name in named:
        device = command_line.load_device(name)
        if device.name in (BASELINE, *STUDY):
            continue  # the study measures these anyway
        if own.setdefault(device.name, command_line.kept(name)) != command_line.kept(name):
            raise UsageError(f"--device: {name}: found the name {device.name} twice; rename one")
    return tuple(own.values())


def beside_the_study(request: Request, kind: str) -> Recipe:
    """Return the recipe of off, the study's devices and the user's own, with synced logs.

    Errors: UsageError for an invalid device.
    """
    devices = (*STUDY, *own_devices(request.devices))
    recipe = replace(request.recipe(kind), devices=devices, durability="sync")
    is_typed = "profile" in request.given or request.engine == EMBEDDED
    return recipe if is_typed else replace(recipe, profile="sweep")  # which MyRocks has
