"""The row: the flat record of one slice, one JSON line in results/<campaign>/rows.jsonl.

Everything meets here: the runners append rows, the analysis reads them, and neither calls
the other. columns.toml lists what a row holds. A line counts once its newline is on the disk:
what follows the last newline was interrupted, is ignored by `read` and removed by
`truncate_half_line`.
"""

from __future__ import annotations

import json
import math
import os
import re
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from .base import inputs, strictjson
from .base.errors import WaltaxError
from .base.printable import one_line, shorten
from .columns import COLUMNS, Column

SCHEMA = 1

# Beyond these a throughput is no rate of anything, and a ratio of two could not be held.
_LEAST, _MOST = 1e-9, 1e18

Row = dict[str, Any]
Judge = Callable[[Row], list[str]]
"""A function that returns what contradicts itself in a row, a sentence each."""


class HalfWrittenLine(UserWarning):
    """A rows file ends in a line that was cut while it was written."""


# What `proc.how_ended` says of a program that somebody ended, or the kernel for want of memory.
_KILLED = re.compile(r"(?:died|failed) \(killed by SIG(?:HUP|INT|KILL|QUIT|TERM)\)")
_BEGINNING = b'{"schema":'  # of every line that `append` writes
_BY_NAME = {column.name: column for column in COLUMNS}
_FAMILIES = tuple(name.removesuffix("*") for name in _BY_NAME if name.endswith("*"))
_TEXT = "_hdr"  # what a family's only texts end in
_AT_LEAST = {name: int(name == "threads") for name, one in _BY_NAME.items() if one.type == "int"}


def schema() -> dict[str, Any]:
    """Return the JSON schema of a row; what no column is for is a setting or counter as it came."""
    known = {name: one.schema() for name, one in _BY_NAME.items() if not name.endswith("*")}
    for name, least in _AT_LEAST.items():
        known.get(name, {})["minimum"] = least
    known["schema"]["const"], known["status"]["enum"] = SCHEMA, ["ok", "failed"]
    others = {f"^({'|'.join(_FAMILIES)}).*{_TEXT}$": {"type": ["string", "null"]}}
    for family in _FAMILIES:  # but for its texts, and for columns that are listed by themselves
        own = [name.removeprefix(family) for name in known if name.startswith(family)]
        pattern = f"^{family}(?!({'|'.join(own)})$)(?!.*{_TEXT}$)"
        others[pattern] = {"type": ["number", "null"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of rows.jsonl",
        "type": "object",
        "required": [name for name, one in _BY_NAME.items() if one.required],
        "properties": known,
        "patternProperties": others,
    }


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
    problems = _problems(row)
    if problems:
        raise WaltaxError(f"{path}: refused a row of cell {row.get('cell')}: {problems[0]}")
    try:
        return json.dumps(row, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise WaltaxError(f"{path}: refused a row of cell {row['cell']}: {error}") from None


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
    problems = _problems(row)
    if problems:
        raise WaltaxError(f"{where}: {problems[0]}")
    return row


def _problems(row: Row) -> list[str]:
    """Return what makes this row unusable, a clause each; nothing when it is fine."""
    missing = [c.name for c in COLUMNS if c.required and c.name not in row]
    if missing:
        return [f"missing column {', '.join(missing)}"]
    return _mistyped(row) or _impossible(row)


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


def _mistyped(row: Row) -> list[str]:
    """Describe the values whose type is not that of their column or family of columns."""
    columns = ((name, value, _column(name)) for name, value in row.items())
    return [
        f"{name} is {shorten(repr(value))}, want {column.type}"
        for name, value, column in columns
        if column is not None and not column.accepts(value)
    ]


@cache
def _column(name: str) -> Column | None:
    """Return the column that is listed for a name, or that its family has; None without one."""
    if name not in _BY_NAME and name.startswith(_FAMILIES):
        return Column(name, "str" if name.endswith(_TEXT) else "float")
    return _BY_NAME.get(name)


def _impossible(row: Row) -> list[str]:
    """Describe what no slice can have had. REQUIRES: the values have the right types."""
    wrong = []
    if row["status"] not in ("ok", "failed"):
        wrong.append(f"status is {shorten(repr(row['status']))}, want ok or failed")
    if row["status"] == "ok" and row["throughput"] is None:
        wrong.append("status is ok but throughput is null")
    wrong += [
        f"{name} is {value:g}, want a number that was measured, up to {_MOST:g}"
        for name, value in row.items()
        if isinstance(value, float) and math.isfinite(value) and abs(value) > _MOST
    ]
    wrong += [
        f"{name} is {row[name]}, want {least} or more"
        for name, least in _AT_LEAST.items()
        if row.get(name) is not None and row[name] < least
    ]
    found = map(inputs.problem, row.get("inputs") or ())
    wrong += [f"inputs: {words}" for words in found if words is not None]
    rate = row["throughput"]
    if not wrong and rate and math.isfinite(rate) and not _LEAST <= rate <= _MOST:
        wrong.append(f"throughput is {rate:g}, want 0, or a rate from {_LEAST:g} to {_MOST:g}")
    if row["status"] == "failed" and not row["failure"]:
        wrong.append("status is failed but failure says nothing")
    return wrong
