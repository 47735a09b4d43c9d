"""Presets of `waltax try`: what it must be told of a program, each in a TOML file here.

They have the options of the command by their names, and `command` itself. In its texts {words}
stands for the words after `--`.
"""

from __future__ import annotations

from pathlib import Path

import click

from ...base.errors import UsageError, meant

_FOLDER = Path(__file__).parent
NAMES = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def chosen(context: click.Context, _option: click.Parameter, typed: str | None) -> str | None:
    """Take what a preset, by its name or file, says as the defaults of the other options, and
    return its command. Errors: as `preset.read`.
    """
    if typed is None:
        return None
    path = _FOLDER / f"{typed}.toml" if typed in NAMES else Path(typed)
    if not path.is_file():
        raise UsageError(
            f"--preset: found {typed!r}, want a TOML file of yours, or one of {', '.join(NAMES)}"
            f"{meant(typed, NAMES)}"
        )
    from . import preset

    said = preset.read(path)
    named = {flag: option.name for option in context.command.params for flag in option.opts}
    said_by_name = {named.get(f"--{key}") or key: value for key, value in said.items()}
    context.default_map = {**(context.default_map or {}), **said_by_name}
    return str(said["command"])
