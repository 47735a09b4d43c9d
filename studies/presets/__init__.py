"""Presets of `waltax try`: what it must be told of a program, each in a TOML file here."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from ...base.errors import UsageError, meant

_FOLDER = Path(__file__).parent
NAMES = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@dataclass(frozen=True)
class Preset:
    """A file: the options of `waltax try` by their names, and its command.

    In its texts {words} stands for the words after `--`.
    """

    __pydantic_config__ = {"strict": True, "extra": "forbid"}  # noqa: RUF012 (pydantic's name)

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
    from ...base.tomlfile import read_toml, validate_json

    table = json.dumps(read_toml(path), default=str)  # as JSON, in which a dataclass is a table
    said = asdict(validate_json(path, table.encode(), Preset))
    named = {flag: option.name for option in context.command.params for flag in option.opts}
    defaults = {named.get(f"--{key}") or key: value for key, value in said.items() if value}
    context.default_map = {**(context.default_map or {}), **defaults}
    return str(said["command"])
