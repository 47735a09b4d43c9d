"""Imports run one way, in Python and in C++ (docs: CONTRIBUTING.md, "Rooms")."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPINE = {
    *("errors", "printable", "cell", "columns", "row", "proc", "inputs"),
    *("tomlfile", "strictjson", "terminal"),
}
# What is under test and what it does: facts alone, and the tables of them.
RECORDS = {"workload", "workloads", "engines"}
SPINE |= RECORDS
BASE = SPINE | {"owned"}
# What each room may import, besides itself.
MAY_IMPORT = {
    "owned": {"errors"},
    "engines": {"errors"},
    "devices": BASE,
    "profiles": SPINE,
    "driver": BASE,
    "mariadb": BASE,
    "dbbench": SPINE,
    "linkbench": BASE | {"driver"},
    "tpcc": BASE | {"driver"},
    "runners": BASE | {"devices", "profiles", "driver", "mariadb", "dbbench"},
    "analysis": {
        *("cell", "row", "errors", "inputs", "printable", "strictjson", "terminal", "owned"),
        *RECORDS,
    },
    "study": BASE | {"analysis", "runners", "profiles", "devices", "dbbench", "serve"},
}
CPP_MAY_INCLUDE = {
    "driver": {"driver"},
    "mariadb": {"driver", "mariadb"},
    "linkbench": {"driver", "mariadb", "linkbench"},
    "tpcc": {"driver", "mariadb", "tpcc"},
    "devices": {"devices"},
}


def _imported_rooms(source: str, depth: int) -> set[str]:
    """The top-level names of waltax that a module at this folder depth imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level == depth + 1:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {name.split(".")[0] for name in names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("waltax."):
            found.add(str(node.module).split(".")[1])
    return found


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_what_lies_below_it(room: str) -> None:
    for path in (ROOT / room).rglob("*.py"):
        depth = len(path.relative_to(ROOT).parts) - 1
        extra = _imported_rooms(path.read_text(), depth) - MAY_IMPORT[room] - {room}
        assert not extra, f"{path.relative_to(ROOT)} imports {extra}"


def test_the_spine_imports_no_room_but_its_records() -> None:
    rooms = {path.parent.name for path in _records()}
    for name in SPINE - {"engines"}:
        may = SPINE | (rooms if name == "workloads" else set())
        extra = _imported_rooms((ROOT / f"{name}.py").read_text(), 0) - may
        assert not extra, f"{name}.py imports {extra}"


def test_a_workloads_record_imports_facts_alone() -> None:
    for path in _records():
        extra = _imported_rooms(path.read_text(), 1) - RECORDS
        assert not extra, f"{path.relative_to(ROOT)} imports {extra}"


def _records() -> list[Path]:
    found = sorted(ROOT.glob("*/workload.py"))
    return [path for path in found if "\nWORKLOADS = " in path.read_text()]


@pytest.mark.parametrize("room", sorted(CPP_MAY_INCLUDE))
def test_a_cpp_room_includes_only_what_lies_below_it(room: str) -> None:
    for path in (ROOT / room).rglob("*"):
        if path.suffix in {".h", ".cc", ".c"}:
            included = set(re.findall(r'^#include "(\w+)/', path.read_text(), re.M))
            extra = included - CPP_MAY_INCLUDE[room]
            assert not extra, f"{path.relative_to(ROOT)} includes {extra}"


def test_a_planted_violation_is_seen() -> None:
    assert _imported_rooms("from ..runners import session", 1) == {"runners"}
    assert _imported_rooms("from .. import devices, row", 1) == {"devices", "row"}
    assert _imported_rooms("from waltax.analysis import load", 1) == {"analysis"}


def _calls(source: str) -> set[str]:
    """What a module calls by a dotted name: "shutil.rmtree", and every bare name it imports."""
    tree = ast.parse(source)
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    imported = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return called | {alias.name for node in imported for alias in node.names}


_REMOVING = {"shutil.rmtree", "rmtree", "os.rmdir", "os.removedirs", "shutil.move"}
_STARTING = {
    *(f"subprocess.{name}" for name in ("Popen", "run", "call", "check_call", "check_output")),
    *("Popen", "os.system", "os.popen", "os.fork", "os.posix_spawn"),
}


@pytest.mark.parametrize(
    ("what", "only_in"),
    [(_REMOVING, {"owned"}), (_STARTING, {"proc.py", "bench"})],
    ids=["removes folders", "starts programs"],
)
def test_one_place_alone(what: set[str], only_in: set[str]) -> None:
    """See CONTRIBUTING: what is dangerous stands once, where its rules are."""
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).parts
        if parts[0] not in {"tests", "build", "data", "results", ".venv", *only_in}:
            assert not _calls(path.read_text()) & what, "/".join(parts)


def test_a_planted_call_is_seen() -> None:
    assert _calls("import shutil\nshutil.rmtree(x)") & _REMOVING
    assert _calls("from shutil import rmtree") & _REMOVING
    assert _calls("import subprocess\nsubprocess.run(['x'])") & _STARTING
