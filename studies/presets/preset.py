"""Read the file of a preset."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator

from ...base.errors import UsageError
from ...base.tomlfile import Strict, parse, read_bytes, validate
from ...runners.cells.program import folder, metric


def _accepted(read: Callable[[str], object]) -> AfterValidator:
    """Validate that `waltax try` takes a text."""

    def check(text: str) -> str:
        try:
            read(text)
        except UsageError as error:
            raise ValueError(str(error).partition(": ")[2]) from error
        return text

    return AfterValidator(check)


_Log = Annotated[str, _accepted(folder.pattern)]
_Metric = Annotated[str, _accepted(metric.parse)]


class Preset(Strict):
    """A file: the options of `waltax try` by their names, and its command."""

    command: str
    log: list[_Log]
    metric: _Metric | None = None
    flush: str | None = None
    off: str | None = None
    serve: bool = False
    load: str | None = None
    ready: str | None = None
    check: str | None = None


def read(path: Path) -> dict[str, Any]:
    """Return what a file says, by its keys. Errors: UsageError with file and key."""
    preset = validate(path, parse(path, read_bytes(path)), Preset)
    return preset.model_dump(exclude_none=True)
