"""The Makefile under test: in the repository, or in a folder where stand-ins note their words."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
_MAKEFILE = (ROOT / "Makefile").read_text().replace("\\\n", " ")
OF_WALTAX = re.findall(r"^override OF_WALTAX := (.*)$", _MAKEFILE, re.M)[0].split()
TARGETS = [
    word
    for line in re.findall(r"^override TARGETS := (.*)$", _MAKEFILE, re.M)
    for word in line.replace("$(OF_WALTAX)", " ".join(OF_WALTAX)).split()
]
# What is run of the repository's own or found in PATH; each writes its words and ends well.
_TOOLS = ("waltax", "python", "ruff", "mypy", "clang-format", "clang-tidy")
_PROGRAMS = (
    *(f".venv/bin/{tool}" for tool in _TOOLS),
    "setup.sh",
    "tests/run",
    "tests/nightly",
    "tests/bare",
    "packages/build",
    "tests/vm/run",
    "tests/vm/cut",
    "tests/sanitize_workloads.sh",
)
_OF_PATH = ("bin/git", "bin/ctest", "bin/cmake", "bin/python3")
_SEEN = ("BUILD_DIR", "ROCKSDB_ROOT", "WALTAX_BUILD_DIR", "MARIADBD", "CC", "CXX", "TSAN_OPTIONS")
_STAND_IN = f"""#!/bin/sh
{{ printf '%s\\0' "$0" "$@"; printf '\\1'; env -0 | grep -zE '^({"|".join(_SEEN)})='; printf '\\2'
}} >>"$SAID"
"""


def run_make(
    *words: str, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Nothing is inherited of this test's own make, if `make test` runs it."""
    own = {name: text for name, text in os.environ.items() if not name.startswith(("MAKE", "MFL"))}
    return subprocess.run(
        ["make", "--no-print-directory", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**own, **(env or {})},
    )


@dataclass(frozen=True)
class Call:
    """A stand-in that was run: its words, the first being its path, and what it saw."""

    argv: list[str]
    env: dict[str, str]


@dataclass(frozen=True)
class Bench:
    """A folder with the Makefile, in which every program that it runs is a stand-in."""

    folder: Path

    def make(self, *words: str, env: Mapping[str, str] | None = None) -> list[Call]:
        """Run the recipes; return what they ran. Fails when make does."""
        done, calls = self._made(*words, env=env or {})
        assert done.returncode == 0, done.stderr
        return calls

    def refused(self, *words: str, env: Mapping[str, str] | None = None) -> str:
        """Return what make says when it refuses. Fails when anything was run before."""
        done, calls = self._made(*words, env=env or {})
        assert done.returncode == 2, done.stdout
        assert (done.stdout, calls) == ("", [])
        return done.stderr

    def _made(
        self, *words: str, env: Mapping[str, str]
    ) -> tuple[subprocess.CompletedProcess[str], list[Call]]:
        said = self.folder / "said"
        said.write_bytes(b"")
        path = f"{self.folder.parent / 'bin'}:{os.environ['PATH']}"
        done = run_make(*words, cwd=self.folder, env={**env, "SAID": str(said), "PATH": path})
        calls = []
        for part in said.read_bytes().decode().split("\2")[:-1]:
            argv, _, seen = part.partition("\1")
            pairs = (pair.partition("=") for pair in seen.split("\0")[:-1])
            calls.append(Call(argv.split("\0")[:-1], {name: text for name, _, text in pairs}))
        return done, calls

    def nothing_ran(self) -> bool:
        """Whether no stand-in of a shell's command left its file."""
        return not list(self.folder.parent.rglob("PWNED"))


def bench(parent: Path, name: str) -> Bench:
    """A new folder of that name below `parent`."""
    folder = parent / name
    stand_ins = [
        *(folder / program for program in _PROGRAMS),
        *(parent / tool for tool in _OF_PATH),
    ]
    for program in stand_ins:
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(_STAND_IN)
        program.chmod(0o755)
    for file in ("Makefile", ".ci/lint", ".ci/sanitize"):
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text((ROOT / file).read_text())
        (folder / file).chmod(0o755)
    return Bench(folder)
