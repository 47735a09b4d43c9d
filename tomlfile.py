"""TOML files into strict models: each problem becomes one line with the file and the dotted key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ..errors import UsageError

T = TypeVar("T")

_MOST = 60  # letters of what was found that a message repeats

_WANTED = {
    "string_type": "a string",
    "float_type": "a number",
    "int_type": "a whole number",
    "dict_type": "a table",
    "model_type": "a table",
    "list_type": "an array of tables",
    "tuple_type": "an array of tables",
    "finite_number": "a finite number",
}


class Strict(BaseModel):
    """A table of a TOML file: unknown keys and wrong types are errors, not guesses."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


def matching(pattern: str, words: str) -> AfterValidator:
    """A string that `pattern` matches as a whole; errors say `words` instead of the pattern."""

    def check(text: str) -> str:
        if re.fullmatch(pattern, text) is None:
            raise ValueError(f"found {_shown(text)}, want {words}")
        return text

    return AfterValidator(check)


def shorten(text: str) -> str:
    """Return the text on one line, its end left out if it is long."""
    line = "".join(letter if letter.isprintable() else "?" for letter in text)
    return line if len(line) <= _MOST else f"{line[: _MOST - 3]}..."


def read_toml(path: Path) -> dict[str, Any]:
    """Return the parsed file; raises UsageError with the file's name and the parser's line."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:  # more digits or brackets than Python reads, too
        raise UsageError(f"{path}: not TOML: {error}") from error


def validate(path: Path, data: object, wanted: type[T]) -> T:
    """Return `data`, read from `path`, as `wanted`; raises UsageError with a line per problem."""
    try:
        return TypeAdapter(wanted).validate_python(data)
    except ValidationError as error:
        found = [problem for problem in error.errors() if not _follows(problem)]
        lines = [f"{path}: {_explain(problem, wanted)}" for problem in found]
        raise UsageError("\n".join(lines)) from error


def _follows(problem: ErrorDetails) -> bool:
    """Whether an array only seems too short: what is left of it without its wrong items is."""
    return problem["type"] == "too_short" and len(problem["input"]) >= problem["ctx"]["min_length"]


def _explain(problem: ErrorDetails, wanted: type) -> str:
    kind, loc, found = problem["type"], problem["loc"], problem["input"]
    key, context = _dotted(loc), problem.get("ctx", {})
    if kind == "extra_forbidden":
        return f"{key}: unknown key; accepted: {', '.join(_accepted(wanted, loc[:-1]))}"
    if kind == "missing":
        return f"{key}: missing"
    if kind == "value_error":
        text = str(context["error"])
        return f"{key}: {text}" if key else text
    if kind == "literal_error":
        return f"{key}: found {_shown(found)}, want one of {context['expected']}"
    if kind == "too_long":
        return f"{key}: found {_shown(found)}, want {context['max_length']} or fewer"
    if kind == "too_short":
        return f"{key}: found {_shown(found)}, want {context['min_length']} or more"
    bounds = {"ge": "{:g} or more", "gt": "above {:g}", "le": "{:,.15g} or less"}
    for name, words in bounds.items():
        if name in context:
            bound = words.format(context[name])
            return f"{key}: found {_shown(found)}, want a number, {bound}"
    want = _WANTED.get(kind, problem["msg"])
    return f"{key}: found {_shown(found)}, want {want}"


def _dotted(loc: tuple[int | str, ...]) -> str:
    """Return "model.sync[0].bytes" for ("model", "sync", 0, "bytes")."""
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{shorten(part)}"
    return text.removeprefix(".")


def _shown(value: object) -> str:
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
    return [] if model is None else [f.alias or name for name, f in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model inside `X`, `X | None`, `tuple[X, ...]` or `dict[str, X]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(argument) for argument in get_args(annotation))
    return next((model for model in found if model is not None), None)
