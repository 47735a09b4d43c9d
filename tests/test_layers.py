"""Imports run one way, in Python and in C++ (docs: CONTRIBUTING.md, "The house")."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from test_figures import git, needs_history

ROOT = Path(__file__).parent.parent
BASE = {"base", "base.folders"}
# What is under test and what it does: facts alone, and the tables of them.
RECORDS = {"workload", "workloads", "engines"}
SPINE = {"base", "axes", "cell", "commands", "device_names", "row"} | RECORDS
# What a cell stands on: its device, its profile, its server.
CELL = SPINE | BASE | {"devices", "profiles", "engines.server", "engines.builds"}
_MEASURED = {"driver", "evidence"}
# What each room may import, besides itself; a room within a room has a line of its own.
MAY_IMPORT = {
    "base": set(),
    "base.folders": {"base"},
    "engines": {"base"},
    "evidence": SPINE,
    "devices": BASE | {"device_names"},
    "profiles": SPINE,
    "engines.server": SPINE | BASE,
    "engines.builds": SPINE | BASE | {"engines.server"},
    "engines.releases": SPINE | BASE | {"engines.builds"},
    "driver": BASE,
    "workloads": SPINE,
    "runners": CELL | _MEASURED,
    "runners.hosts": CELL | _MEASURED | {"runners"},
    "crash": CELL | {"driver", "runners"},
    "analysis": SPINE | BASE | {"evidence"},
}
MAY_IMPORT["studies"] = SPINE | MAY_IMPORT.keys()
_DRIVER = {"driver", "driver/rocksdb", "driver/table"}
# What each folder of C++ may include, besides itself; `*` stands for any workload's room. Stores
# and the check of a workload know what stands at its top, and not each other.
CPP_MAY_INCLUDE = {
    "driver": set(),
    "driver/rocksdb": {"driver", "driver/table"},
    "driver/table": {"driver"},
    "driver/sql": {"driver", "driver/table"},
    "driver/redis": {"driver"},
    "driver/program": _DRIVER | {"driver/sql", "driver/redis"},
    "devices/preload": set(),
    "devices/preload/tap": {"devices/preload"},
    "devices/preload/recorder": {"devices/preload"},
    "devices/preload/supervisor": {"devices/preload", "devices/preload/tap"},
    "devices/preload/hooks": {
        *("devices/preload", "devices/preload/tap", "devices/preload/recorder"),
    },
    "*": _DRIVER | {"*/check", "*/shards"},
    "*/check": _DRIVER | {"*"},
    "*/kv": _DRIVER | {"*"},
    "*/sql": _DRIVER | {"driver/sql", "*"},
    "*/shards": {"driver", "*"},
    "*/redis": _DRIVER | {"driver/redis", "*"},
    "*/main.cc": _DRIVER
    | {"driver/sql", "driver/program", "*", "*/check", "*/kv", "*/sql", "*/redis", "*/shards"},
}
CPP_WORKLOADS = {
    path.parent.relative_to(ROOT).as_posix()
    for pattern in ("*/main.cc", "workloads/*/main.cc")
    for path in ROOT.glob(pattern)
}


def _imports(path: Path, *, at_run_time: bool = False) -> set[str]:
    """The dotted names of waltax that a module imports from; "" is the root."""
    tree = ast.parse(path.read_text())
    if at_run_time:
        checked = [node for node in tree.body if isinstance(node, ast.If)]  # if TYPE_CHECKING
        tree.body = [node for node in tree.body if node not in checked]
    return _imported(tree, path.relative_to(ROOT).parts[:-1])


def _imported(tree: ast.AST, here: Sequence[str]) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        base = [*here[: len(here) - node.level + 1]] if node.level else []
        names = [*base, *filter(None, (node.module or "").split("."))]
        if not node.level and names[:1] != ["waltax"]:
            continue
        found |= {".".join([*names, alias.name]).removeprefix("waltax.") for alias in node.names}
    return found


def _room(name: str) -> str:
    """The room of a dotted name, or the module at the root."""
    parts = name.split(".")
    two = ".".join(parts[:2])
    return two if two in MAY_IMPORT else parts[0]


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_what_lies_below_it(room: str) -> None:
    for path in ROOT.joinpath(*room.split(".")).rglob("*.py"):
        if _room(".".join(path.relative_to(ROOT).parts[:-1])) != room:
            continue
        extra = {_room(name) for name in _imports(path)} - MAY_IMPORT[room] - {room}
        assert not extra, f"{path.relative_to(ROOT)} imports {extra}"


def test_the_spine_imports_no_room_but_its_records() -> None:
    for name in SPINE - {"base", "engines", "workloads"}:
        extra = {_room(one) for one in _imports(ROOT / f"{name}.py")} - SPINE
        assert not extra, f"{name}.py imports {extra}"


def test_a_workloads_record_imports_facts_alone() -> None:
    for path in _records():
        own = _room(".".join(path.relative_to(ROOT).parts[:-1]))
        extra = {_room(name) for name in _imports(path)} - RECORDS - {own}
        assert not extra, f"{path.relative_to(ROOT)} imports {extra}"


def _folder_of(name: str) -> str:
    """The longest beginning of a dotted name that is a folder."""
    parts = name.split(".")
    while parts and not ROOT.joinpath(*parts).is_dir():
        parts = parts[:-1]
    return ".".join(parts)


def test_no_two_folders_import_each_other() -> None:
    """Folders inside rooms, too. A room's face, its `__init__`, may name what is below it; what
    only a checker of types imports is no arrow at run time.
    """
    arrows: dict[str, set[str]] = {}
    for room in {name.partition(".")[0] for name in MAY_IMPORT}:
        for path in set((ROOT / room).rglob("*.py")) - set((ROOT / room).rglob("__init__.py")):
            folder = ".".join(path.relative_to(ROOT).parts[:-1])
            found = {_folder_of(name) for name in _imports(path, at_run_time=True)}
            arrows.setdefault(folder, set()).update(found - {folder, ""})
    graph = TopologicalSorter(arrows)
    graph.prepare()  # raises CycleError, which names the folders


def test_the_folders_stand_on_eight_floors_at_most() -> None:
    """A folder stands above all that it imports, through the modules at the root, too."""
    arrows: dict[str, set[str]] = {}
    for path in ROOT.glob("*.py"):
        arrows[path.stem] = {name.partition(".")[0] for name in _imports(path)} - {path.stem, ""}
    for room in {name.partition(".")[0] for name in MAY_IMPORT} - {"workload"}:
        found = {
            name.partition(".")[0]
            for path in (ROOT / room).rglob("*.py")
            for name in _imports(path)
        }
        arrows[room] = found - {room, ""}
    floors: dict[str, int] = {}
    for room in TopologicalSorter(arrows).static_order():
        floors[room] = 1 + max((floors[below] for below in arrows.get(room, ())), default=0)
    assert floors["studies"] == max(floors[room] for room in arrows if (ROOT / room).is_dir()) <= 8


def _file_of(name: str) -> str:
    """The longest beginning of a dotted name that is a module; "" for a room's face."""
    parts = name.split(".")
    while parts and not ROOT.joinpath(*parts).with_suffix(".py").is_file():
        parts = parts[:-1]
    return ".".join(parts)


def test_no_two_files_of_the_analysis_import_each_other() -> None:
    """Not even for their types."""
    arrows: dict[str, set[str]] = {}
    for path in set((ROOT / "analysis").rglob("*.py")) - set(
        (ROOT / "analysis").rglob("__init__.py")
    ):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        arrows[name] = set(map(_file_of, _imports(path))) - {name, ""}
    TopologicalSorter(arrows).prepare()  # raises CycleError, which names the files


def _records() -> list[Path]:
    found = sorted(ROOT.glob("workloads/*.py"))
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


@pytest.mark.parametrize("room", ["devices", "driver", *sorted(CPP_WORKLOADS)])
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
    for source, rooms in {
        "from ..runners import session": {"runners"},
        "from .. import devices, row": {"devices", "row"},
        "from ..engines.server import spec": {"engines.server"},
        "from waltax.analysis import load": {"analysis"},
    }.items():
        assert {_room(name) for name in _imported(ast.parse(source), ["x"])} == rooms


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
    [(_REMOVING, "base/folders/"), (_STARTING, "base/proc.py")],
    ids=["removes folders", "starts programs"],
)
def test_one_place_alone(what: set[str], only_in: str) -> None:
    """See CONTRIBUTING: what is dangerous stands once, where its rules are."""
    for place in ROOT.iterdir():
        if place.name not in {"tests", "build", "data", "results", ".venv"}:
            for path in [place] if place.suffix == ".py" else place.rglob("*.py"):
                name = path.relative_to(ROOT).as_posix()
                assert name.startswith(only_in) or not _calls(path.read_text()) & what, name


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
