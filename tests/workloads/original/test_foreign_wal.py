"""RocksDB removes what it finds among its logs, so that another's are refused before it opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_driver import Result, invoke
from waltax.tpcc.original.command import command


def _tpcc(*words: str) -> Result:
    return invoke(command, *words)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tpcc") / "db"
    assert _tpcc("load", "-w", "1", "--db", str(path)).error == ""
    return path


_RUN = ("run", "-w", "1", "-c", "2", "-r", "0", "-l", "1", "-i", "1")


@pytest.mark.parametrize("words", [_RUN, ("check", "-w", "1")])
def test_somebody_s_logs_are_refused_and_kept(
    db: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    notes = tmp_path / "000003.log"
    notes.write_text("my notes")
    done = _tpcc(*words, "--db", str(db), "--wal-dir", str(tmp_path))
    assert done.exit_code == 2, done.error
    assert "holds the WAL of another database (000003.log)" in done.error
    assert notes.read_text() == "my notes"


def test_its_own_logs_are_taken_again(db: Path, tmp_path: Path) -> None:
    for words in (_RUN, _RUN, ("check", "-w", "1")):
        done = _tpcc(*words, "--db", str(db), "--wal-dir", str(tmp_path))
        assert done.error == ""
    assert list(tmp_path.glob("*.log"))
