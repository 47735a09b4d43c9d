"""A variable of the user's that the tap's takes the place of is told of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.runners import local


@pytest.mark.usefixtures("at_once")
def test_libraries_that_reach_no_driver_are_told_of_before_the_first_slice(
    waltax: Any, tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_PRELOAD", "libm.so.6")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/mine/lib")
    done = waltax.run("--profile", tiny())
    assert done.returncode == 0, done.stderr
    for name in ("LD_PRELOAD=libm.so.6", "LD_LIBRARY_PATH=/opt/mine/lib"):
        assert done.stdout.count(f"warning: {name} reaches no driver and no server") == 1
    assert done.stdout.index("LD_PRELOAD") < done.stdout.index("session 1")


def test_an_environment_without_them_needs_no_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    assert local.dropped() == []
