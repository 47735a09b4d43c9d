"""A campaign is measured with one tap and one driver from its begin to its end."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.base import proc


@pytest.mark.usefixtures("at_once")
def test_a_resume_with_another_build_of_a_program_is_refused(
    waltax: Any,
    tiny: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    at_row: Any,
) -> None:
    build = tmp_path / "build"
    build.mkdir()
    for name in ("libwaltax_tap.so", "linkbench"):
        shutil.copy2(proc.program(name), build)
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(build))
    at_row(2, lambda: os.kill(os.getpid(), signal.SIGINT))
    assert waltax.run("--profile", tiny(min_sessions=2)).returncode == 130
    (first, *_) = waltax.rows()
    before = (waltax.folder() / "rows.jsonl").read_bytes()

    for column, name, words in (
        ("tap_digest", "libwaltax_tap.so", "the tap is another than when it began"),
        ("driver_digest", "linkbench", "the driver program is another than when it began"),
    ):
        kept = build / f"{name}.kept"
        shutil.copy2(build / name, kept)
        with (build / name).open("ab") as file:  # which changes nothing that it does
            file.write(b"\0")
        done = waltax.run("--resume", waltax.folder())
        assert done.returncode == 2, done.stdout + done.stderr
        assert f"{words} ({column} {first[column]}, now " in done.stderr
        assert done.stderr.strip().endswith("start a new campaign")
        kept.replace(build / name)  # not written over: we have mapped the file ourselves
        assert (waltax.folder() / "rows.jsonl").read_bytes() == before

    done = waltax.run("--resume", waltax.folder())
    assert done.returncode == 0, done.stdout + done.stderr
    assert {row["tap_digest"] for row in waltax.rows()} == {first["tap_digest"]}
