"""Programs that everybody knows sync and write as strace counts it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from examples import Example
from traced import Traced, traced
from waltax.runners.cells.program import run, watch
from waltax.runners.cells.program.watch import Watched
from waltax.runners.recipe.parts import Command
from with_server import open_folder

_FEW = 3  # syncs that come by the clock


def test_a_program_syncs_and_writes_as_strace_says(example: Example, filled: Path) -> None:
    watched, told = _both(example, example.run, filled)
    assert told.log_syncs >= 20
    _are_equal(example, watched, told)


def test_its_own_weaker_modes_do_so_too(example: Example, filled: Path) -> None:
    for mode in example.weaker.values():
        _are_equal(example, *_both(example, mode, filled))


def _both(example: Example, mode: str, filled: Path) -> tuple[Watched, Traced]:
    """What the tap sees of one run, and strace of another."""
    line, log = example.life(mode), run.pattern(example.log)
    with open_folder() as home:
        command = Command(line, "", str(filled), 60, 1, 1)
        watched = watch.watch(command, home / "watched")
        data, sockets = home / "data", home / "s"
        subprocess.run(["cp", "-a", filled, data], check=True)
        sockets.mkdir()
        sockets.chmod(0o777)
        env = {**os.environ, "WALTAX_SOCKETS": str(sockets)}
        return watched, traced(line, data, log, env, home / "trace")


def _are_equal(example: Example, watched: Watched, told: Traced) -> None:
    few = _FEW if example.apart else 0
    log, syncs = watched.matching([run.pattern(example.log)]), watched.syncs
    assert watched.counted.bypasses == 0
    folders = watched.counted.dir_syncs
    assert syncs + folders == pytest.approx(told.syncs, rel=example.apart, abs=few)
    assert log.syncs == pytest.approx(told.log_syncs, rel=example.apart, abs=few)
    assert log.bytes == pytest.approx(told.log_bytes, rel=example.apart)
