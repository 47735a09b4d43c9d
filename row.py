"""The row: the flat record of one slice, one JSON line in results/<campaign>/rows.jsonl.

Everything meets here: the runners append rows, the analysis reads them, and neither calls
the other. columns.toml lists what a row holds. A line counts once its newline is on the disk:
what follows the last newline was interrupted, is ignored by `read` and removed by
`truncate_half_line`.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .axes import AXES
from .base import strictjson
from .base.errors import UsageError, WaltaxError
from .base.printable import one_line, shorten

if TYPE_CHECKING:
    from pydantic import BaseModel

SCHEMA: Literal[1] = 1

# Beyond these a throughput is no rate of anything, and a ratio of two could not be held.
_LEAST, _MOST = 1e-9, 1e18

Row = dict[str, Any]
Judge = Callable[[Row], list[str]]
"""A function that returns what contradicts itself in a row, a sentence each."""


class HalfWrittenLine(UserWarning):
    """A rows file ends in a line that was cut while it was written."""


@dataclass(frozen=True)
class Column:
    """One documented column. A name ending in `*` stands for a family of columns.

    A column that is not required may be absent or null: it was not recorded.
    """

    name: str
    type: str  # see columns.toml
    meaning: str
    unit: str = ""
    required: bool = False
    nullable: bool = False


def _columns() -> dict[str, Column]:
    table = tomllib.loads((Path(__file__).parent / "columns.toml").read_text())
    listed = {name: Column(name, **record) for name, record in table.items()}
    return listed | {axis.name: Column(axis.name, "str", axis.meaning) for axis in AXES.values()}


COLUMNS = _columns()
"""Each column by its name."""
# What `proc.how_ended` says of a program that somebody ended, or the kernel for want of memory.
_KILLED = re.compile(r"(?:died|failed) \(killed by SIG(?:HUP|INT|KILL|QUIT|TERM)\)")
_BEGINNING = b'{"schema":'  # of every line that `append` writes
_FAMILIES = tuple(name.removesuffix("*") for name in COLUMNS if name.endswith("*"))
_TEXT = "_hdr"  # what a family's only texts end in


@cache
def _model() -> type[BaseModel]:
    """Return the model of a row but for families of columns."""
    from pydantic import ConfigDict, Field, create_model  # a help must not wait for it

    whole, number = Annotated[int, Field(ge=0)], Annotated[float, Field(ge=-_MOST, le=_MOST)]
    strict = ConfigDict(strict=True, extra="allow")

    def records(default: Any, **kinds: Any) -> Any:
        columns: dict[str, Any] = {name: (kind, default) for name, kind in kinds.items()}
        return list[create_model("Record", __config__=strict, **columns)]  # type: ignore[misc]

    counts = ("wal_bytes", "wal_syncs", "tap_syncs", "tap_write_bytes", "commits")
    device = {"device": str, "path_of": str, "level": int, "flushed": bool}
    types: dict[str, Any] = {
        **{"int": whole, "float": number, "str": str, "bool": bool, "list": list[str]},
        **{"clients": Annotated[int, Field(ge=1)], "object": dict[str, str]},
        **{"version": Literal[SCHEMA], "status": Literal["ok", "failed"]},
        "nodes": records(None, wal_dir=str, **dict.fromkeys(counts, whole | None)),
        "devices": records(None, **device, writes=number, flushes=number),
    }
    fields: dict[str, Any] = {}
    for one in COLUMNS.values():
        if not one.name.endswith("*"):
            kind = types[one.type] if one.required and not one.nullable else types[one.type] | None
            words = f"{one.unit}: {one.meaning}" if one.unit else one.meaning
            default = ... if one.required else None
            about = Field(default, alias=one.name, description=words)
            fields[f"column_{one.name}"] = kind, about  # pydantic has a `schema` itself
    return create_model("Row", __config__=strict, **fields)


def schema() -> dict[str, Any]:
    """Return the JSON schema of a row; what no column is for is a setting or counter as it came."""
    known = _model().model_json_schema()
    others = {f"^({'|'.join(_FAMILIES)}).*{_TEXT}$": {"type": ["string", "null"]}}
    for family in _FAMILIES:  # but for its texts, and for columns that are listed by themselves
        own = [name.removeprefix(family) for name in known["properties"] if name.startswith(family)]
        pattern = f"^{family}(?!({'|'.join(own)})$)(?!.*{_TEXT}$)"
        others[pattern] = {"type": ["number", "null"]}
    dialect = "https://json-schema.org/draft/2020-12/schema"
    named = {"$schema": dialect, "title": "A line of rows.jsonl"}
    return {**known, **named, "patternProperties": others}


def append(path: Path, *rows: Row) -> None:
    """Append a line for each row; when this returns, they survive a crash of the machine.

    Errors: WaltaxError when a required column is missing, a documented one has another type, or
    the line cannot be written. The file is then as it was, unless the disk cannot even cut it:
    then it ends in half a line.
    """
    lines = b"".join(_line(path, row) for row in rows)
    try:
        _append_durably(path, lines)
    except OSError as error:
        raise WaltaxError(f"{path}: cannot append the row: {error.strerror}") from error


def _line(path: Path, row: Row) -> bytes:
    refused = f"{path}: refused a row of cell {row.get('cell')}"
    if problem := _problem(row):
        raise WaltaxError(f"{refused}: {problem}")
    try:
        return json.dumps(row, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise WaltaxError(f"{refused}: {error}") from None


def read(path: Path, untrue: Judge | None = None) -> list[Row]:
    """Return all complete rows in file order, with printable texts, since rows are passed on.

    A half-written last line is left out with a `HalfWrittenLine` warning. Errors: WaltaxError with
    file and line for a line that is not a row or has another schema, for what is no number (NaN,
    1e400), and for a row that `untrue` finds fault with.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise WaltaxError(f"{path}: cannot read the rows: {error.strerror}") from error
    half = lines.pop()
    if half:
        message = one_line(f"{path}:{len(lines) + 1}: dropped a half-written last line")
        warnings.warn(message, HalfWrittenLine, stacklevel=2)
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    rows = {number: _parse(path, number, line) for number, line in numbered}
    for number, one in rows.items():
        found = untrue(one) if untrue is not None else []
        if found:
            raise WaltaxError(
                f"{path}:{number}: cell {one['cell']}: {found[0]}; the row was changed after it "
                "was measured: restore the file"
            )
    return list(rows.values())


def truncate_half_line(path: Path) -> int:
    """Cut what follows the last newline, so that appending can go on, and return how many bytes.

    Errors: WaltaxError when that is not the beginning of a row, since then somebody else wrote it.
    """
    with path.open("r+b") as file:
        content = file.read()
        whole = content.rfind(b"\n") + 1
        half = content[whole:].rstrip(b"\0")  # which a crash of the machine may leave
        if not half.startswith(_BEGINNING[: len(half)]):
            raise WaltaxError(
                f"{path}: ends in what is not the beginning of a row; restore the file"
            )
        file.truncate(whole)
        os.fsync(file.fileno())
    return len(content) - whole


def _append_durably(path: Path, line: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        before = os.fstat(descriptor).st_size
        try:
            while line:  # a write may be cut short by a full disk; the next one then fails
                line = line[os.write(descriptor, line) :]
            os.fsync(descriptor)
        except OSError:
            # What was not synced counts for nothing, and what is appended next needs its own line.
            with suppress(OSError):
                os.ftruncate(descriptor, before)
            raise
    finally:
        os.close(descriptor)
    if not before:  # the file's name must survive too
        directory = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _parse(path: Path, number: int, line: bytes) -> Row:
    where = f"{path}:{number}"
    try:
        row = strictjson.loads(line)
    except ValueError as error:
        raise WaltaxError(
            f"{where}: not a JSON line ({shorten(str(error))}); remove the line or restore the file"
        ) from None
    if not isinstance(row, dict):
        raise WaltaxError(f"{where}: a row is a JSON object, found {type(row).__name__}")
    if row.get("schema") != SCHEMA:
        raise WaltaxError(
            f"{where}: row of schema {shorten(str(row.get('schema')))}, this waltax reads "
            f"{SCHEMA}; use the waltax that wrote it (its git_commit is in the row)"
        )
    if problem := _problem(row):
        raise WaltaxError(f"{where}: {problem}")
    return row


def _problem(row: Row) -> str:
    """Return what makes this row unusable, in a clause; "" when it is fine."""
    from .base import tomlfile

    where = Path("row")
    try:
        tomlfile.validate(where, row, _model())
    except UsageError as error:
        return error.lines[0].removeprefix(f"{where}: ")
    for name, value in row.items():
        if name not in COLUMNS and name.startswith(_FAMILIES) and value is not None:
            is_text = name.endswith(_TEXT)
            if type(value) not in ((str,) if is_text else (int, float)):
                want = "a string" if is_text else "a number"
                return f"{name}: found {tomlfile.shown(value)}, want {want}"
    rate, is_ok = row["throughput"], row["status"] == "ok"
    if is_ok and (rate is None or (rate != 0 and rate < _LEAST)):
        return f"throughput: found {rate} of a slice that is ok, want 0, or {_LEAST:g} or more"
    return "" if is_ok or row["failure"] else "failure: found nothing of a slice that failed"


def driven_s(one: Row) -> float:
    """Return how long a slice took by its driver's clock, or else how long it should take."""
    parts: float = (one.get("warmup_s") or 0.0) + (one.get("measure_s") or 0.0)
    return float(one.get("driven_s") or parts)


def is_killed(one: Row) -> bool:
    """Return whether its program was killed from outside, so that a resume tries it again."""
    return one["status"] == "failed" and _KILLED.search(one["failure"]) is not None


def failures(rows: Iterable[Row]) -> dict[str, str]:
    """Return why cells failed, by their ids; a resume does not try these again."""
    failed = (one for one in rows if one["status"] == "failed" and not is_killed(one))
    return {one["cell"]: one["failure"] for one in failed}


def standing(rows: Iterable[Row]) -> list[Row]:
    """Return the rows, but not those of killed programs whose cells were measured since."""
    measured: set[tuple[str, str, str]] = set()
    left = []
    for one in reversed(list(rows)):
        key = one["campaign"], one.get("host") or "", one["cell"]
        if one["status"] == "ok":
            measured.add(key)
        if not (is_killed(one) and key in measured):
            left.append(one)
    return left[::-1]
