"""A driver is compiled as the library that it is linked to was: release builds lack some things."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from rocksdb_roots import debians, library_of
from waltax.base import proc

pytestmark = pytest.mark.nightly

_NO_TYPES, _OLD_STRINGS = "-fno-rtti", "-D_GLIBCXX_USE_CXX11_ABI=0"
# Links in a program that asks for the release, and has no type information of DB.
_WITHOUT_TYPES = """#include <string>
namespace rocksdb {
std::string GetRocksVersionAsString(bool) { return ""; }
}
"""


def _flags(root: Path, made: Path) -> set[str]:
    """Which of the two all C++ sources are compiled with; none may be compiled otherwise."""
    argv = ["cmake", "-G", "Ninja", "-S", str(Path(proc.__file__).parents[1]), "-B", str(made)]
    argv += [f"-DROCKSDB_ROOT={root}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    subprocess.run(argv, check=True, capture_output=True)
    commands = json.loads((made / "compile_commands.json").read_text())
    found = {
        frozenset({_NO_TYPES, _OLD_STRINGS}.intersection(one["command"].split()))
        for one in commands
        if one["file"].endswith((".cc", ".cxx"))
    }
    (same,) = found
    return set(same)


def test_debians_library_has_the_compilers_own_flags(tmp_path: Path) -> None:
    assert _flags(debians(tmp_path / "root"), tmp_path / "made") == set()


@pytest.mark.parametrize(
    ("before", "flags"), [("", set()), ("#define _GLIBCXX_USE_CXX11_ABI 0\n", {_OLD_STRINGS})]
)
def test_a_library_without_run_time_types_has_a_driver_without_them(
    tmp_path: Path, before: str, flags: set[str]
) -> None:
    root = debians(tmp_path / "root")
    library_of(root, before + _WITHOUT_TYPES)
    assert _flags(root, tmp_path / "made") == {_NO_TYPES, *flags}
