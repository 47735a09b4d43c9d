"""Imports run one way, in Python and in C++ (docs: CONTRIBUTING.md, "The house")."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from test_figures import git, needs_history

ROOT = Path(__file__).parent.parent
SPINE = {
    *("commands", "errors", "printable", "cell", "columns", "row", "proc", "perf", "inputs"),
    *("axes", "tomlfile", "strictjson", "terminal"),
}
# What is under test and what it does: facts alone, and the tables of them.
RECORDS = {"workload", "workloads", "engines"}
SPINE |= RECORDS
BASE = SPINE | {"owned"}
# What a cell stands on: its device, its profile, its server.
CELL = BASE | {"devices", "profiles", "mariadb", "builds"}
# What each room may import, besides itself.
MAY_IMPORT = {
    "owned": {"errors"},
    "engines": {"errors"},
    "evidence": SPINE,
    "devices": BASE,
    "profiles": SPINE,
    "mariadb": BASE,
    "builds": BASE | {"devices", "mariadb"},
    "releases": BASE | {"builds"},
    "driver": CELL,
    "doctor": BASE | {"devices"},
    "runners": CELL | {"evidence", "driver", "dbbench", "serve", "doctor"},
    "receipts": CELL | {"driver", "runners"},
    "analysis": {
        *("axes", "cell", "row", "errors", "inputs", "printable", "strictjson", "terminal"),
        "owned",
        "evidence",
        *RECORDS,
    },
    "hosts": CELL | {"evidence", "driver", "dbbench", "doctor", "runners"},
    "study": BASE
    | {
        "analysis",
        "hosts",
        "evidence",
        "builds",
        "releases",
        "runners",
        "profiles",
        "devices",
        "mariadb",
        "driver",
        "dbbench",
        "serve",
        "doctor",
        "receipts",
    },
}
# Rooms of workloads that have no line of their own: a record, and perhaps the original's face.
_OF_A_WORKLOAD = BASE | {"driver"}
MAY_IMPORT["workloads"] = SPINE | {path.parent.name for path in ROOT.glob("*/workload.py")}
MAY_IMPORT |= {
    path.parent.name: _OF_A_WORKLOAD
    for path in ROOT.glob("*/workload.py")
    if path.parent.name not in MAY_IMPORT
}
_DRIVER = {"driver", "driver/rocksdb", "driver/table"}
# What each folder of C++ may include, besides itself; `*` stands for any workload's room. Stores,
# the check and the inputs of a workload know what stands at its top, and not each other.
CPP_MAY_INCLUDE = {
    "driver": set(),
    "driver/rocksdb": {"driver", "driver/table"},
    "driver/table": {"driver"},
    "mariadb": {"driver", "driver/table"},
    "redis": {"driver"},
    "program": _DRIVER | {"mariadb", "redis"},
    "devices/preload": set(),
    "devices/preload/tap": {"devices/preload"},
    "devices/preload/recorder": {"devices/preload"},
    "devices/preload/hooks": {
        *("devices/preload", "devices/preload/tap", "devices/preload/recorder"),
    },
    "*": _DRIVER | {"*/check", "*/inputs", "*/shards"},
    "*/check": _DRIVER | {"*"},
    "*/inputs": {"driver", "*"},
    "*/kv": _DRIVER | {"*"},
    "*/sql": _DRIVER | {"mariadb", "*"},
    "*/shards": {"driver", "*"},
    "*/redis": _DRIVER | {"redis", "*"},
    "*/main.cc": _DRIVER
    | {"mariadb", "program", "*", "*/check", "*/kv", "*/sql", "*/redis", "*/shards"},
}
CPP_WORKLOADS = {
    path.parent.relative_to(ROOT).as_posix()
    for pattern in ("*/main.cc", "workloads/*/main.cc")
    for path in ROOT.glob(pattern)
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
    for name in SPINE - {"engines", "workloads"}:
        extra = _imported_rooms((ROOT / f"{name}.py").read_text(), 0) - SPINE
        assert not extra, f"{name}.py imports {extra}"


def test_a_workloads_record_imports_facts_alone() -> None:
    for path in _records():
        extra = _imported_rooms(path.read_text(), 1) - RECORDS
        assert not extra, f"{path.relative_to(ROOT)} imports {extra}"


def _folders(path: Path) -> set[str]:
    """The folders of waltax, as dotted names, that a module imports from; "" is the root."""
    here = path.relative_to(ROOT).parts[:-1]
    tree, found = ast.parse(path.read_text()), set()
    for block in [node for node in tree.body if isinstance(node, ast.If)]:
        tree.body.remove(block)  # if TYPE_CHECKING
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = [*here[: len(here) - node.level + 1], *(node.module or "").split(".")]
        names = [[*filter(None, base), alias.name] for alias in node.names]
        found |= {_folder_of(parts) for parts in names}
    return found


def _folder_of(parts: list[str]) -> str:
    """The longest beginning of a dotted name that is a folder."""
    while parts and not ROOT.joinpath(*parts).is_dir():
        parts = parts[:-1]
    return ".".join(parts)


def test_no_two_folders_import_each_other() -> None:
    """Folders inside rooms, too. A room's face, its `__init__`, may name what is below it; what
    only a checker of types imports is no arrow at run time.
    """
    arrows: dict[str, set[str]] = {}
    for room in MAY_IMPORT:
        for path in set((ROOT / room).rglob("*.py")) - set((ROOT / room).rglob("__init__.py")):
            folder = ".".join(path.relative_to(ROOT).parts[:-1])
            arrows.setdefault(folder, set()).update(_folders(path) - {folder, ""})
    graph = TopologicalSorter(arrows)
    graph.prepare()  # raises CycleError, which names the folders


def _records() -> list[Path]:
    found = sorted(ROOT.glob("*/workload.py"))
    return [path for path in found if "\nWORKLOADS = " in path.read_text()]


def _cpp_room(folder: str) -> str:
    """The room of a folder: "tpcc" of "tpcc/kv", "workloads/mix" of "workloads/mix/kv"."""
    parts = folder.split("/")
    return "/".join(parts[: 2 if parts[0] == "workloads" else 1])


def _cpp_place(folder: str) -> str:
    """The key of a folder in CPP_MAY_INCLUDE: "*/kv" for "tpcc/kv"."""
    room = _cpp_room(folder)
    return f"*{folder.removeprefix(room)}" if room in CPP_WORKLOADS else folder


def _extra_includes(path: str, source: str) -> set[str]:
    """The folders that this file includes although it may not."""
    folder = path.rpartition("/")[0]
    place = _cpp_place(folder)
    may = CPP_MAY_INCLUDE.get(f"{place}/{path.rpartition('/')[2]}", CPP_MAY_INCLUDE[place])
    room = _cpp_room(folder)
    allowed = {name.replace("*", room) for name in may} | {folder}
    return set(re.findall(r'^#include "([\w/]+)/\w+\.(?:h|inc)"', source, re.M)) - allowed


@pytest.mark.parametrize(
    "room", ["devices", "driver", "mariadb", "program", "redis", *sorted(CPP_WORKLOADS)]
)
def test_a_cpp_folder_includes_only_what_lies_below_it(room: str) -> None:
    for path in (ROOT / room).rglob("*"):
        if path.suffix in {".h", ".cc", ".c", ".inc"}:
            name = path.relative_to(ROOT).as_posix()
            extra = _extra_includes(name, path.read_text())
            assert not extra, f"{name} includes {extra}"


def test_a_planted_include_is_seen() -> None:
    store = '#include "tpcc/sql/store.h"\n#include "tpcc/keys.h"\n#include "driver/status.h"\n'
    assert _extra_includes("tpcc/kv/store.cc", store) == {"tpcc/sql"}
    assert _extra_includes("tpcc/check/check.cc", store) == {"tpcc/sql"}
    mix = '#include "workloads/mix/sql/store.h"\n#include "workloads/mix/store.h"\n'
    assert _extra_includes("workloads/mix/kv/store.cc", mix) == {"workloads/mix/sql"}
    assert not _extra_includes("tpcc/main.cc", store)
    assert _extra_includes("linkbench/sql/store.cc", store) == {"tpcc/sql", "tpcc"}
    assert _extra_includes("driver/serve.cc", '#include "driver/rocksdb/engine.h"\n')


def test_a_planted_violation_is_seen() -> None:
    assert _imported_rooms("from ..runners import session", 1) == {"runners"}
    assert _imported_rooms("from .. import devices, row", 1) == {"devices", "row"}
    assert _imported_rooms("from waltax.analysis import load", 1) == {"analysis"}


@cache
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
    [(_REMOVING, {"owned"}), (_STARTING, {"proc.py"})],
    ids=["removes folders", "starts programs"],
)
def test_one_place_alone(what: set[str], only_in: set[str]) -> None:
    """See CONTRIBUTING: what is dangerous stands once, where its rules are."""
    for place in ROOT.iterdir():
        if place.name not in {"tests", "build", "data", "results", ".venv", *only_in}:
            for path in [place] if place.suffix == ".py" else place.rglob("*.py"):
                assert not _calls(path.read_text()) & what, path.relative_to(ROOT)


def test_a_planted_call_is_seen() -> None:
    assert _calls("import shutil\nshutil.rmtree(x)") & _REMOVING
    assert _calls("from shutil import rmtree") & _REMOVING
    assert _calls("import subprocess\nsubprocess.run(['x'])") & _STARTING


@needs_history
def test_every_folder_of_modules_is_installed() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    modules = git("ls-files", "*.py", ":(exclude)tests", root=ROOT).split()
    folders = {Path(name).parent for name in modules}
    assert sorted(told) == sorted(".".join(("waltax", *folder.parts)) for folder in folders)
