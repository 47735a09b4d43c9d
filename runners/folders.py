"""The options of all commands that say where things are kept, and whether that can be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ..errors import UsageError

_ROOT = Path(__file__).parent.parent
_Command = TypeVar("_Command", bound=Callable[..., Any])


def option(flag: str, default: str, what: str) -> Callable[[_Command], _Command]:
    """A folder of the repository, unless another is named."""
    return click.option(
        flag,
        type=click.Path(path_type=Path, file_okay=False),
        default=_ROOT / default,
        show_default=f"{default}/ of the repository",
        help=what,
    )


def named(parameter: str) -> Path | None:
    """The folder that the user typed, of the command under way; None for its default."""
    context = click.get_current_context()
    if context.get_parameter_source(parameter) is ParameterSource.DEFAULT:
        return None
    found: Path | None = context.params[parameter]
    return found


def existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    folder = folder.absolute()
    return next(path for path in (folder, *folder.parents) if path.exists())


def require_writable(flag: str, folder: Path) -> None:
    """Errors: UsageError unless files can be made in the folder, which need not be there yet."""
    found = existing(folder)
    if not found.is_dir():
        raise UsageError(f"{flag}: {found} is no directory; name another with {flag}")
    if not os.access(found, os.W_OK | os.X_OK):
        # The kernel answers so for a read-only file system, to root as well.
        raise UsageError(
            f"{flag}: {found} is read-only, or not writable for user {os.getuid()}; name another "
            f"directory with {flag}"
        )
