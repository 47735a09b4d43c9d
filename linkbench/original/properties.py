"""Precedence between two configuration files and a command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError
from ...base.printable import shorten
from ...driver.original.properties import Properties, override, read

HOME_VARIABLE = "LINKBENCH_HOME"
_LONGEST = 1000  # characters of paths in a message


@dataclass(frozen=True)
class Config:
    """The values of two files and the command line, and where relative paths may start."""

    path: Path
    properties: Properties
    roots: tuple[Path, ...]


def read_config(path: Path, overrides: Sequence[str] = ()) -> Config:
    """Read `path`, the words of -D, and the file that `workload_file` names.

    -D wins over `path`; `workload_file` only adds keys that both leave out. Its relative
    path starts at $LINKBENCH_HOME or, if that is no directory, at the folder above the
    one of `path` (the stock files say config/... and are in config/), then at that of
    `path` itself. Errors: UsageError.
    """
    properties = read(path)
    properties |= dict(override("-D", word) for word in overrides)
    roots = _roots(path)
    workload = properties.get("workload_file")
    if workload is None:
        return Config(path, properties, roots)
    workload_path, tried = find(workload.value.strip(), roots)
    if workload_path is None:
        raise UsageError(
            f"{workload.origin}: workload_file: found {shorten(workload.value)!r}, but there is no "
            f"{tried}; set {HOME_VARIABLE} or write an absolute path"
        )
    return Config(path, read(workload_path) | properties, roots)


def find(relative: str, roots: Sequence[Path]) -> tuple[Path | None, str]:
    """Return the file of a path, or None, and the places that were tried, as a sentence.

    Each of `roots` is tried; an absolute path stands for itself.
    """
    tried = list(dict.fromkeys(root / relative for root in roots))
    where = shorten(" and no ".join(map(str, tried)), _LONGEST)
    return next(filter(_is_file, tried), None), where


def _roots(config: Path) -> tuple[Path, ...]:
    home = os.environ.get(HOME_VARIABLE)
    if home and Path(home).is_dir():
        return (Path(home),)
    folder = config.resolve().parent
    return (folder.parent, folder)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # for example a name that is too long
        return False
