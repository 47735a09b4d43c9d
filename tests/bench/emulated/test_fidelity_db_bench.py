"""A run of db_bench for the benchmark of replays."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from waltax import devices
from waltax.base.errors import WaltaxError
from waltax.devices.resolve import SHM

from bench.emulated import fidelity_db_bench
from bench.emulated.fidelity_db_bench import Case

CASE = Case(1, 100)


@pytest.fixture
def pretending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a db_bench on the path that runs some lines of shell."""

    def put(lines: str) -> None:
        program = tmp_path / "bin" / "db_bench"
        program.parent.mkdir()
        version = '[ "$1" != --version ] || { echo "db_bench version 7.8.3"; exit; }'
        program.write_text(f"#!/bin/sh\n{version}\n{lines}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
        monkeypatch.delenv("ROCKSDB_ROOT", raising=False)

    return put


@pytest.mark.parametrize("emulated", [False, True])
def test_a_run_tells_throughput_and_the_time_of_its_syncs(tmp_path: Path, emulated: bool) -> None:
    model = devices.load("ssd").model
    assert model is not None
    root, tapped = (SHM, model.tap_model()) if emulated else (tmp_path, None)
    found = fidelity_db_bench.run(CASE, 1, root, tapped, 7)
    assert found.throughput > 0
    assert found.cpu_us > 0
    assert found.sync_us > (100 if emulated else 0)  # ssd's is ten times that
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("echo put error: No space left >&2; exit 1", "exit code 1: put error: No space left"),
        ("echo nothing of use", "no throughput in its output: nothing of use"),
        ("echo 'fillrandom : 9 micros/op 1234 ops/sec'", "the tap saw no sync of a WAL"),
    ],
)
def test_a_run_that_measured_nothing_is_named_with_its_words(
    pretending: Callable[[str], None], tmp_path: Path, lines: str, said: str
) -> None:
    pretending(lines)
    where = f"db_bench  1 x    100 B, WAL below {tmp_path}: "
    with pytest.raises(WaltaxError) as error:
        fidelity_db_bench.run(CASE, 1, tmp_path, None, 7)
    assert str(error.value).startswith(where)
    assert said in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]
