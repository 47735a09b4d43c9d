"""What lies between a program and the kernel is named."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from recorded_machine import Recorded
from waltax.base import proc
from waltax.devices import tap_page
from waltax.devices.tap_preload import tap_environment
from waltax.runners.cells import foreign_code

_LIAR = "int fsync(int fd) { (void)fd; return 0; }\n"


def _asked(env: dict[str, str]) -> list[str]:
    """What is said of a program that was started with this."""
    child = proc.launch(["sleep", "60"], env=env)
    try:
        while not Path(f"/proc/{child.pid}/exe").readlink().name.startswith(("sleep", "coreutils")):
            pass
        while "libc" not in Path(f"/proc/{child.pid}/maps").read_text():
            pass
        return foreign_code.warnings(child.pid)
    finally:
        child.kill()
        child.wait()


def test_a_program_behind_the_tap_alone_has_nothing_foreign(tmp_path: Path) -> None:
    page = tmp_path / "page"
    tap_page.create(page).close()
    assert _asked(tap_environment(tmp_path, page)) == []


def test_a_library_behind_the_tap_is_named(tmp_path: Path) -> None:
    (tmp_path / "liar.c").write_text(_LIAR)
    library = tmp_path / "liar.so"
    argv = ["cc", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "liar.c")]
    subprocess.run(argv, check=True)
    (said,) = _asked({"LD_PRELOAD": str(library)})
    assert said.startswith(f"{library} is loaded into a program")


def test_what_the_system_preloads_into_everything_is_named(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    machine.file("/etc/ld.so.preload", "/opt/liar.so")
    assert any("/etc/ld.so.preload loads /opt/liar.so" in said for said in _of(machine))


def test_a_filter_of_calls_that_only_the_program_has_is_counted(tmp_path: Path) -> None:
    machine = Recorded(tmp_path)
    machine.file("/proc/self/status", "Name:\twaltax\nSeccomp_filters:\t1")
    machine.file(f"/proc/{os.getpid()}/status", "Name:\tlinkbench\nSeccomp_filters:\t2")
    (said,) = _of(machine)
    assert said.startswith("1 filters of system calls (seccomp)")


def test_a_filter_that_answers_syncs_of_no_file_is_not_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fdatasync", lambda _: None)
    (said,) = _of(Recorded(tmp_path))
    assert said.startswith("not durable: ")
    assert "of no file succeeds" in said


def _of(machine: Recorded) -> list[str]:
    return foreign_code.warnings(os.getpid(), machine.kernel)
