"""`python -m bench NAME [WORD...]` runs a benchmark by name, as `make bench NAME=...` does.

`make` has the words as one text: `--args TEXT` stands for the words of TEXT.
"""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

from waltax.base.errors import UsageError
from waltax.runners.recipe import command_line

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The benchmarks, sorted."""
    return sorted(_rooms())


def _rooms() -> dict[str, str]:
    """The folder of each benchmark by its name; the other modules there have no `main`."""
    every = _FOLDER.glob("*/[!_]*.py")
    return {path.stem: path.parent.name for path in every if _has_main(path)}


def _has_main(path: Path) -> bool:
    found = ast.parse(path.read_text()).body
    return any(isinstance(one, ast.FunctionDef) and one.name == "main" for one in found)


def _about(path: Path) -> str:
    """What a benchmark says of itself in a line."""
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]


def main(arguments: list[str]) -> None:
    """Run the benchmark that the first argument names, with the words of the others.

    Without arguments say what there is. Errors: UsageError for a name that none has.
    """
    rooms = _rooms()
    if not arguments:
        for name, room in sorted(rooms.items()):
            print(f"{name.replace('_', '-'):16} {_about(_FOLDER / room / f'{name}.py')}")
        return
    name = arguments[0].replace("-", "_")
    if name not in rooms:
        every = ", ".join(sorted(rooms))
        raise UsageError(f"bench: found {arguments[0]!r}; the benchmarks are {every}")
    words = arguments[1:]
    if words[:1] == ["--args"]:
        words = command_line.words("ARGS", " ".join(words[1:]))
    path = _FOLDER / rooms[name] / f"{name}.py"
    if words == ["--help"] and "import click" not in path.read_text():
        print(ast.get_docstring(ast.parse(path.read_text())))
        return
    # As `python -m` does: a benchmark reads its words there, with click or without.
    sys.argv = [str(path), *words]
    runpy.run_module(f"{__package__}.{rooms[name]}.{name}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UsageError as error:
        print(f"waltax: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
