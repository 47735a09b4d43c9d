"""A machine that cannot cut power for real is told why before anything is started."""

from __future__ import annotations

import os
import shutil

import cut
import pytest


def test_programs_that_are_missing_are_named_by_their_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert cut.main() == 2
    said = capsys.readouterr().err
    assert said.startswith("receipts-vm: programs are missing; run as root: apt-get install ")
    assert {"busybox-static", "e2fsprogs", "kmod", "qemu-system-x86"} <= set(said.split())


def test_whoever_may_not_mount_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert cut.main() == 2
    assert "run as root" in capsys.readouterr().err
