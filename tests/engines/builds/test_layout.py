"""Headers whose options have another layout than the library's: refused, and no database opened."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

_ROOT = Path(__file__).parents[3]
_HEADERS = Path("/usr/include/rocksdb")


def _facts(folder: Path) -> subprocess.CompletedProcess[str]:
    """What the program says that is compiled against the headers in `folder`."""
    program = folder / "facts"
    source = str(_ROOT / "engines" / "builds" / "facts.cc")
    told = ["-std=c++20", "-O0", f"-I{folder}", f"-I{_ROOT}", "-lrocksdb", "-o", str(program)]
    subprocess.run(["g++", source, *told], check=True, timeout=300)
    return subprocess.run([program], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("", None),
        ("int max_open_files = -1;", "DBOptions takes"),
    ],
)
def test_a_member_that_only_the_headers_have_is_found(
    tmp_path: Path, before: str, message: str | None
) -> None:
    shutil.copytree(_HEADERS, tmp_path / "rocksdb")
    options = tmp_path / "rocksdb" / "options.h"
    text = options.read_text()
    if message is not None:
        assert text.count(before) == 1
        options.write_text(text.replace(before, f"uint64_t planted = 7;\n  {before}"))
    done = _facts(tmp_path)
    assert (done.returncode == 1) == (message is not None), done.stderr
    assert (message or "") in done.stderr
