"""Presets of `waltax try`: what it must be told of a program, each in a TOML file here.

They have the options of the command by their names, and `command` itself. In its texts {words}
stands for the words after `--`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ...base.errors import UsageError, meant
from ...base.tomlfile import Strict, parse, read_bytes, validate

_FOLDER = Path(__file__).parent
NAMES = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


class Preset(Strict):
    """A file."""

    command: str
    log: list[str]
    metric: str | None = None
    flush: str | None = None
    off: str | None = None
    serve: bool = False
    load: str | None = None
    ready: str | None = None
    check: str | None = None


def chosen(context: click.Context, _option: click.Parameter, typed: str | None) -> str | None:
    """Take what a preset, by its name or file, says as the defaults of the other options, and
    return its command. Errors: UsageError with file and key.
    """
    if typed is None:
        return None
    path = _FOLDER / f"{typed}.toml" if typed in NAMES else Path(typed)
    if not path.is_file():
        raise UsageError(
            f"--preset: found {typed!r}, want a TOML file of yours, or one of {', '.join(NAMES)}"
            f"{meant(typed, NAMES)}"
        )
    preset = validate(path, parse(path, read_bytes(path)), Preset)
    said: Mapping[str, Any] = preset.model_dump(exclude_none=True)
    _require_read(path, said)
    context.default_map = {**(context.default_map or {}), **said}
    return preset.command


def _require_read(path: Path, said: Mapping[str, Any]) -> None:
    """Raise UsageError with file and key for a metric or a log that `waltax try` would refuse."""
    from ...runners.cells.program import folder, metric

    for key, read in (("metric", metric.parse), ("log", folder.pattern)):
        texts = said.get(key, ())
        for text in [texts] if isinstance(texts, str) else texts:
            try:
                read(text)
            except UsageError as error:
                raise UsageError(f"{path}: {str(error).removeprefix('--')}") from error
