"""Files that a study writes, and that --resume reads again by path."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..base.errors import UsageError
from ..base.folders import atomic_file
from ..workload import Parameter
from .request import Request

Table = dict[str, "Parameter | Table"]


@contextlib.contextmanager
def place(request: Request) -> Iterator[Path]:
    """Yield the folder to write them to: the results' folder, or a temporary one for --plan."""
    from ..base.folders.places import require_writable

    if not request.only_plan:
        require_writable("--results", request.results)
        yield request.results.absolute()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def keep(stem: str, text: str, folder: Path) -> Path:
    """Write a TOML file unless it exists; its name has a digest, so no text replaces another.

    Errors: UsageError when the file cannot be written.
    """
    path = folder / f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            atomic_file.write(path, text)
    except OSError as error:
        raise UsageError(
            f"--results: {path}: cannot be written: {error.strerror}; name another directory with "
            "--results"
        ) from error
    return path


def toml(table: Table, prefix: str = "") -> str:
    """Return a table as TOML: scalars first, then tables. TOML reads JSON's scalars."""
    scalars = [
        f"{_key(key)} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in table.items()
        if not isinstance(value, dict)
    ]
    parts = ["\n".join(scalars) + "\n"] if scalars else []
    for key, value in table.items():
        if isinstance(value, dict):
            name = prefix + _key(key)
            parts.append(f"[{name}]\n{toml(value, f'{name}.')}")
    return "\n".join(parts)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
