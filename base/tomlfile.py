"""Reading TOML files into strict models: each problem is one line with the file and dotted key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from .errors import UsageError
from .printable import shorten

T = TypeVar("T")

_MOST = 60  # problems of one file that a message lists
_LARGEST = 2**63 - 1  # whole number in TOML; Python does not enforce it
_DEEPEST = 32  # nested tables and arrays; no file of ours has more than five levels
_WITHOUT = "without control characters, on one line"
# The parser's time is quadratic in the parts of a dotted name: seconds, then hours.
_LONGEST, _DOTS = 1 << 20, 200
_SEVERAL_LINES = "notes"  # the only key whose text may have line ends

# What is wanted where pydantic finds a problem of this kind, with its own numbers.
_WANTED = {
    "string_type": "a string",
    "float_type": "a number",
    "int_type": "a whole number",
    "dict_type": "a table",
    "model_type": "a table",
    "list_type": "an array of tables",
    "tuple_type": "an array",
    "bool_type": "true or false",
    "finite_number": "a finite number",
    "literal_error": "one of {expected}",
    "too_long": "{max_length} or fewer",
    "too_short": "{min_length} or more",
    "greater_than_equal": "a number, {ge:g} or more",
    "greater_than": "a number, above {gt:g}",
    "less_than_equal": "a number, {le:,.15g} or less",
}


class Strict(BaseModel):
    """A table of a TOML file: unknown keys and wrong types are errors, not guesses."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


def matching(pattern: str, words: str) -> AfterValidator:
    """Validate that `pattern` matches a whole string; errors show `words` instead of it."""

    def check(text: str) -> str:
        if re.fullmatch(pattern, text) is None:
            raise ValueError(f"found {shown(text)}, want {words}")
        return text

    return AfterValidator(check)


def read_toml(path: Path) -> dict[str, Any]:
    """Return the parsed file, as `parse` does."""
    return parse(path, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """Return the file's content; raises UsageError for one that cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error


def parse(path: Path, content: bytes) -> dict[str, Any]:
    """Return the table in `content`, read from `path`.

    Raises UsageError with the parser's message for invalid TOML, and with a line per key for
    strings that are unsafe for a terminal and whole numbers beyond TOML's 64 bits.
    """
    if len(content) > _LONGEST or any(line.count(b".") > _DOTS for line in content.splitlines()):
        raise UsageError(
            f"{path}: found {len(content):,} bytes, or {_DOTS} dots on a line; want a table that a "
            f"person could have written, {_LONGEST:,} bytes at most"
        )
    try:
        table = tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not TOML: not UTF-8 text: {error}") from error
    except RecursionError as error:
        raise UsageError(f"{path}: not TOML: tables or arrays too deep in each other") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not TOML: {shorten(str(error), 200)}") from error
    except ValueError as error:  # from Python's int(), which names neither key nor line
        raise UsageError(f"{path}: not TOML: found a number of thousands of digits") from error
    if odd := [f"{path}: {problem}" for problem in _odd(table)]:
        raise UsageError(*odd[:_MOST])
    return table


def _odd(table: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with single names and values at any depth."""
    left: list[tuple[tuple[int | str, ...], Any]] = [((), table)]
    while left:
        loc, value = left.pop()
        pairs: list[tuple[int | str, Any]] = []
        if isinstance(value, dict):
            pairs = list(value.items())
        elif isinstance(value, list):
            pairs = list(enumerate(value))
        if pairs and len(loc) == _DEEPEST:
            yield f"{_dotted(loc)}: found tables or arrays too deep in each other"
            continue
        left += [((*loc, key), item) for key, item in reversed(pairs)]
        if isinstance(value, str) and not _is_plain(loc, value):
            yield f"{_dotted(loc)}: found {shown(value)}, want a text {_WITHOUT}"
        if not all(isinstance(key, int) or key.isprintable() for key, _ in pairs):
            yield f"{_dotted(loc) or 'names'}: found a name with control characters or line ends"
        if isinstance(value, int) and not -_LARGEST - 1 <= value <= _LARGEST:
            yield f"{_dotted(loc)}: found a number beyond 64 bits, want a smaller number"


def _is_plain(loc: tuple[int | str, ...], text: str) -> bool:
    """Return whether `text` is printable on one line; `_SEVERAL_LINES` may have several."""
    lines = text.split("\n") if loc[-1] == _SEVERAL_LINES else [text]
    return all(line.isprintable() for line in lines)


def validate(path: Path, data: object, wanted: type[T]) -> T:
    """Return `data`, read from `path`, as `wanted`; raises UsageError with a line per problem."""
    return _validated(path, data, wanted, lambda: TypeAdapter(wanted).validate_python(data))


def validate_json(path: Path, text: bytes, wanted: type[T]) -> T:
    """Return the JSON in `text` likewise."""
    return _validated(path, None, wanted, lambda: TypeAdapter(wanted).validate_json(text))


def _validated(path: Path, data: object, wanted: type[T], check: Callable[[], T]) -> T:
    try:
        return check()
    except ValidationError as error:
        problems: dict[str, list[str]] = {}  # what is found, and what is wanted of each kind
        for problem in error.errors():
            if not _follows(problem):
                text = _explain(problem, _place(problem, data), wanted)
                found, has_want, want = text.partition(", want ")
                problems.setdefault(found, []).extend([want] if has_want else [])
        lines = [
            f"{path}: {found}" + (f", want {', or '.join(wants)}" if wants else "")
            for found, wants in problems.items()
        ]
        raise UsageError(*lines) from error


def _place(problem: ErrorDetails, data: Any) -> tuple[int | str, ...]:
    """Return the keys that lead to a problem. Pydantic adds words for the kinds of a value."""
    loc = problem["loc"]
    if data is None:
        return loc
    keys: list[int | str] = []
    for part in loc:
        is_item = isinstance(data, list) and isinstance(part, int)
        if is_item or (isinstance(data, dict) and part in data):
            keys.append(part)
            data = data[part]
    return (*keys, loc[-1]) if problem["type"] == "missing" else tuple(keys)


def _follows(problem: ErrorDetails) -> bool:
    """Return whether an array is only too short once its invalid items are left out."""
    return problem["type"] == "too_short" and len(problem["input"]) >= problem["ctx"]["min_length"]


def _explain(problem: ErrorDetails, loc: tuple[int | str, ...], wanted: type) -> str:
    kind, value = problem["type"], problem["input"]
    key, context = _dotted(loc), problem.get("ctx", {})
    if kind == "extra_forbidden":
        return f"{key}: unknown key; accepted: {', '.join(_accepted(wanted, loc[:-1]))}"
    if kind == "unexpected_keyword_argument":
        return f"{key}: unknown key"
    if kind == "missing":
        return f"{key}: missing"
    if kind == "value_error":
        text = str(context["error"])
        return f"{key}: {text}" if key else text
    want = _WANTED[kind].format(**context) if kind in _WANTED else problem["msg"]
    return f"{key}: found {shown(value)}, want {want}"


def _dotted(loc: tuple[int | str, ...]) -> str:
    """Return "model.sync[0].bytes" for ("model", "sync", 0, "bytes")."""
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{shorten(part)}"
    return text.removeprefix(".")


def shown(value: object) -> str:
    """Return `value`, short and on one line: strings in quotes, tables and arrays by kind."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    return f'"{shorten(value)}"' if isinstance(value, str) else shorten(str(value))


def _accepted(wanted: Any, loc: tuple[int | str, ...]) -> list[str]:
    """Return the keys that the model at `loc` below the model `wanted` takes."""
    model = _model_in(wanted)
    for part in loc:
        if model is None:
            return []
        if not isinstance(part, int) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation)
    fields = {} if model is None else model.model_fields
    return [field.alias or name for name, field in fields.items() if not field.exclude]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model inside `X`, `X | None`, `tuple[X, ...]` or `dict[str, X]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = (_model_in(argument) for argument in get_args(annotation))
    return next((model for model in models if model is not None), None)
