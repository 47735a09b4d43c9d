"""The Makefile under test: in the repository, or in a folder where stand-ins note their words."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = re.findall(r"^TAKES_([a-z-]+) :=", (ROOT / "Makefile").read_text(), re.M)
OF_WALTAX = [one for one in TABLE if one not in ("always", "bench", "lint")]
# What is run of the repository's own or found in PATH; each writes its words and ends well.
_TOOLS = ("waltax", "python", "ruff", "mypy", "clang-format", "clang-tidy")
_PROGRAMS = (*(f".venv/bin/{tool}" for tool in _TOOLS), "setup.sh", "tests/vm/run")
_OF_PATH = ("bin/git", "bin/ctest", "bin/cmake")
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


def takes(target: str) -> list[str]:
    """The variables of a target in the Makefile's table."""
    return run_make(f"--eval=show:;@echo $(TAKES_{target})", "show").stdout.split()


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
        said = self.folder / "said"
        said.write_bytes(b"")
        path = f"{self.folder.parent / 'bin'}:{os.environ['PATH']}"
        done = run_make(
            *words, cwd=self.folder, env={**(env or {}), "SAID": str(said), "PATH": path}
        )
        assert done.returncode == 0, done.stderr
        calls = []
        for part in said.read_bytes().decode().split("\2")[:-1]:
            argv, _, seen = part.partition("\1")
            pairs = (one.partition("=") for one in seen.split("\0")[:-1])
            calls.append(Call(argv.split("\0")[:-1], {name: text for name, _, text in pairs}))
        return calls

    def refused(
        self, *words: str, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        done = run_make(*words, cwd=self.folder, env=env)
        assert done.returncode == 2, done.stdout
        return done

    def planned(self, *words: str) -> list[str]:
        """The shell words of all recipes, as `make -n` prints them."""
        done = run_make("-n", *words, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return shlex.split(done.stdout.replace("\\\n", " "))

    def nothing_ran(self) -> bool:
        return not list(self.folder.parent.rglob("PWNED"))


def bench(parent: Path, name: str) -> Bench:
    """A new folder of that name below `parent`."""
    folder = parent / name
    for program in (*(folder / one for one in _PROGRAMS), *(parent / one for one in _OF_PATH)):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(_STAND_IN)
        program.chmod(0o755)
    (folder / "Makefile").write_text((ROOT / "Makefile").read_text())
    return Bench(folder)
