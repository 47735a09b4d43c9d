"""The columns of a row, which columns.toml lists, and what their values may be."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .axes import AXES

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_TYPES: dict[str, Any] = {
    **{"int": int, "float": float, "str": str, "bool": bool},
    **{"list": list[str], "records": list[dict[str, Any]]},
    "object": dict[str, str],
}


@cache
def _type(name: str) -> TypeAdapter[Any]:
    from pydantic import ConfigDict, TypeAdapter  # a help must not wait for it

    return TypeAdapter(_TYPES[name], config=ConfigDict(strict=True))


@dataclass(frozen=True)
class Column:
    """One documented column. A name ending in `*` stands for a family of columns.

    A column that is not required may be absent or null: it was not recorded.
    """

    name: str
    type: str
    unit: str = ""
    meaning: str = ""
    required: bool = False
    nullable: bool = False

    def accepts(self, value: object) -> bool:
        if value is None:
            return self.nullable or not self.required
        try:
            _type(self.type).validate_python(value)
        except ValueError:
            return False
        return True

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of its values."""
        known = _type(self.type).json_schema()
        if self.nullable or not self.required:
            known["type"] = [known["type"], "null"]
        unit = f"{self.unit}: " if self.unit else ""
        return known | {"description": unit + self.meaning}


def _columns() -> Iterator[Column]:
    table = tomllib.loads((Path(__file__).parent / "columns.toml").read_text())
    yield from (Column(name, **record) for name, record in table.items())
    yield from (Column(axis.name, "str", meaning=axis.meaning) for axis in AXES.values())


COLUMNS = tuple(_columns())
