"""A device as TOML, in the order and form of the catalog's files.

Strings and numbers are written as JSON has them, which TOML reads alike: record.py leaves no
control characters in strings, and the strict models no infinite numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...errors import WaltaxError
from ...owned import whole
from ..device import Device

_ABOUT = "# Measured by waltax devices probe; docs/devices.md says what each key means.\n"


def toml(device: Device) -> str:
    """Return the file's text."""
    data = device.model_dump(by_alias=True, exclude_none=True)
    model, probe = data.pop("model"), data.pop("probe")
    sources = data.pop("sources")
    figures = {key: value for key, value in model.items() if isinstance(value, dict)}
    parts = [_ABOUT + _table(data), f"[sources]\n{_table(sources)}", f"[model]\n{_table(figures)}"]
    for key, rows in model.items():
        if isinstance(rows, (list, tuple)):
            parts += [f"[[model.{key}]]\n{_table(row)}" for row in rows]
    return "\n".join([*parts, f"[probe]\n{_table(probe)}"])


def write(device: Device, path: Path) -> None:
    """Write the file; a reader never sees half of it. Errors: WaltaxError."""
    try:
        whole.write(path, toml(device))
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be written: {error.strerror}") from error


def _table(data: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        # TOML 1.0 wants an inline table on one line, however long.
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        items = "".join(f"    {_value(one)},\n" for one in value)
        return f"[\n{items}]" if items else "[]"
    return json.dumps(value, ensure_ascii=False)
