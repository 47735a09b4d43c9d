"""Writing the TOML file of a device that was probed or imported, in the form of the catalog's.

Strings and numbers are written as JSON, which TOML reads alike, since strings hold no control
characters and the strict models no infinities.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any, get_args

from rich.console import Console

from ..base import home
from ..base.errors import UsageError, WaltaxError
from ..base.folders import atomic_file
from ..base.terminal import say
from .catalog import CATALOG, names
from .device import NAME_PATTERN, Device
from .tap_model import mean_sync_us, sync_us

CLASSES = [
    name for name in get_args(Device.model_fields["device_class"].annotation) if name != "none"
]
_BEHIND = ("spread", "probe")  # tables that stand below the model
_SIZES = (131, 1032, 4096, 10032, 64500)  # bytes before a sync, as printed


def require_free_name(name: str) -> None:
    """Raise UsageError for what is no device's name, or one of the catalog's."""
    if not re.fullmatch(NAME_PATTERN, name):
        raise UsageError(f"--name: found {name!r}, want lower case, digits and single dashes")
    if name in names():
        raise UsageError(f"--name: {name} is taken by the catalog in {CATALOG}; give another")


def require_new(path: Path) -> None:
    """Raise UsageError for a file that cannot be written, before the probe takes a minute."""
    folder = path.absolute().parent
    if path.suffix != ".toml":
        raise UsageError(f"--out: found {path}, want a name that ends in .toml")
    if path.exists():
        raise UsageError(f"--out: {path} exists; remove it, or name another file with --out")
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"--out: {folder} is not a directory that can be written")


def toml(device: Device, about: str) -> str:
    """Return the file's text, below the comment `about`."""
    data = device.model_dump(by_alias=True, exclude_none=True)
    model, sources = data.pop("model"), data.pop("sources")
    behind = {name: data.pop(name) for name in _BEHIND if name in data}
    figures = {key: value for key, value in model.items() if isinstance(value, dict)}
    parts = [about + _table(data), f"[sources]\n{_table(sources)}", f"[model]\n{_table(figures)}"]
    for key, rows in model.items():
        if isinstance(rows, (list, tuple)):
            parts += [f"[[model.{key}]]\n{_table(row)}" for row in rows]
    return "\n".join([*parts, *(f"[{name}]\n{_table(table)}" for name, table in behind.items())])


def write(console: Console, device: Device, path: Path, about: str) -> None:
    """Write the file whole, and print its figures, its warnings and how to replay it.

    Errors: WaltaxError when it cannot be written.
    """
    try:
        atomic_file.write(path, toml(device, about))
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be written: {error.strerror}") from error
    say(console, *_figures(device), f"written: {path}")
    # An absolute path: make runs in the repository, the probe perhaps elsewhere.
    call = "waltax run-device --device " if home.IS_INSTALLED else "make run-device DEVICE="
    say(console, f"replay:  {call}{shlex.quote(str(path.absolute()))}")


def _figures(device: Device) -> list[str]:
    """Return what a device is, its warnings, and its times of a sync. REQUIRES: it has a model."""
    assert device.model is not None
    model = device.model.tap_model()
    return [
        f"{device.name}: {device.stands_for}; class {device.device_class}, {device.kind}",
        *(f"warning: {text}" for text in (device.probe.warnings if device.probe else ())),
        *(
            f"a sync of {size:,} bytes: p50 {sync_us(model, size, 50):,.1f} us, "
            f"p99 {sync_us(model, size, 99):,.1f}, mean {mean_sync_us(model, size):,.1f}"
            for size in _SIZES
        ),
    ]


def _table(data: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        # TOML 1.0 requires an inline table to be on one line, however long.
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        items = "".join(f"    {_value(item)},\n" for item in value)
        return f"[\n{items}]" if items else "[]"
    return json.dumps(value, ensure_ascii=False)
