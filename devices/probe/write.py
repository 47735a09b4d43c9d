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
_LINE = 96


def toml(device: Device) -> str:
    """Return the file's text."""
    data = device.model_dump(by_alias=True, exclude_none=True)
    model, probe = data.pop("model"), data.pop("probe")
    sources = data.pop("sources")
    figures = {key: value for key, value in model.items() if isinstance(value, dict)}
    parts = [_ABOUT + _table(data), f"[sources]\n{_table(sources)}", f"[model]\n{_table(figures)}"]
    parts += _array("model", model)
    parts.append(f"[probe]\n{_table({k: v for k, v in probe.items() if not _nested(v)})}")
    parts.append(f"[probe.directory]\n{_table(probe['directory'])}")
    return "\n".join([*parts, *_array("probe", probe)])


def write(device: Device, path: Path) -> None:
    """Write the file; a reader never sees half of it. Errors: WaltaxError."""
    try:
        whole.write(path, toml(device))
    except OSError as error:
        raise WaltaxError(f"{path}: cannot be written: {error.strerror}") from error


def _nested(value: Any) -> bool:
    return isinstance(value, dict) or _is_array(value)


def _is_array(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], dict)


def _array(prefix: str, data: dict[str, Any]) -> list[str]:
    return [
        f"[[{prefix}.{key}]]\n{_table(row)}"
        for key, value in data.items()
        if _is_array(value)
        for row in value
    ]


def _table(data: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return _inline([f"{key} = {_value(one)}" for key, one in value.items()], "{ ", " }")
    if isinstance(value, (list, tuple)):
        return _lines([_value(one) for one in value])
    return json.dumps(value, ensure_ascii=False)


def _inline(items: list[str], start: str, end: str) -> str:
    """TOML 1.0 wants an inline table on one line, however long."""
    return start + ", ".join(items) + end


def _lines(items: list[str]) -> str:
    """Return an array, an item a line when it is long."""
    short = _inline(items, "[", "]")
    return short if len(short) <= _LINE else "[\n" + "".join(f"    {i},\n" for i in items) + "]"
