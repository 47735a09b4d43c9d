"""The options of all commands that say where things are kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

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
