"""What `make test-all` runs: every part, whatever came of the others, and a line for each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _nightly(
    folder: Path, programs: Mapping[str, str], user: int = 0
) -> tuple[int, dict[str, str], list[str]]:
    """Exit code, what is said of each part, and the commands; `programs` end as they say."""
    bodies = {"tests/run": "true", "tests/bare": "true", ".ci/sanitize": "true", "bin/make": "true"}
    bodies |= {f"bin/{name}": body for name, body in programs.items() if "/" not in name}
    bodies |= {name: body for name, body in programs.items() if "/" in name}
    for name, body in {**bodies, "bin/id": f"echo {user}"}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        noted = "" if name == "bin/id" else f'echo "{path.name} $*" >>"{folder}/said"\n'
        path.write_text(f"#!/bin/sh\n{noted}{body}\n")
        path.chmod(0o755)
    for name in ("mktemp", "date", "rm", "grep", "cat", "sh", "dirname"):
        (folder / "bin" / name).symlink_to(shutil.which(name) or "")
    # Nothing that this machine has besides.
    script = (ROOT / "tests/nightly").read_text().replace(":/usr/sbin:/sbin", "")
    (folder / "tests/nightly").write_text(script)
    done = subprocess.run(
        ["/bin/sh", folder / "tests/nightly"],
        env={**os.environ, "PATH": str(folder / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    table = done.stdout.rpartition("\n\n")[2].splitlines()
    parts = {line.split()[0]: line.partition(" ")[2].strip() for line in table}
    return done.returncode, parts, (folder / "said").read_text().splitlines()


def test_all_parts_run_though_the_first_failed(tmp_path: Path) -> None:
    programs = dict.fromkeys(("clang", "qemu-system-x86_64", "debootstrap"), "true")
    code, parts, commands = _nightly(tmp_path, {**programs, "tests/run": "exit 3"})
    assert code == 1
    assert parts.pop("tests") == "failed, 0 min"
    assert set(parts.values()) == {"passed, 0 min"}
    assert commands == [
        *("run --all", "make fuzz SECONDS=20", "sanitize tests", "sanitize workloads"),
        *(
            "make test-devices",
            "make receipts-vm",
            "make test-bare",
            "make package",
            "bare --package",
        ),
    ]


@pytest.mark.parametrize("user", [0, 1000])
def test_what_a_machine_cannot_run_is_named_with_what_to_type(tmp_path: Path, user: int) -> None:
    code, parts, _ = _nightly(tmp_path, {}, user)
    assert code == 0
    run = {name for name, came in parts.items() if came == "passed, 0 min"}
    assert run == {"tests", "sanitize", "sanitize-run"} | ({"fuzz"} if user == 0 else set())
    qemu = "no qemu-system-x86_64 here; type sudo apt-get install qemu-system-x86"
    root = "it wants root; type sudo make"
    assert parts["test-devices"] == f"not run: {qemu}"
    assert parts["receipts-vm"] == f"not run: {f'{root} receipts-vm' if user else qemu}"
    assert parts["test-bare"].startswith(f"not run: {root if user else 'no debootstrap here'}")


def test_it_is_what_make_runs() -> None:
    target = re.findall(r"^test-all: (.*)$", (ROOT / "Makefile").read_text(), re.M)
    assert [line.split("@")[-1] for line in target] == ["tests/nightly"]
    assert os.access(ROOT / "tests/nightly", os.X_OK)
