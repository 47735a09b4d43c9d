from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.runners.cells.dbbench import program


def _fake(folder: Path, says: str) -> Path:
    path = folder / "db_bench"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def test_the_one_of_this_machine_is_found_with_its_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROCKSDB_ROOT", raising=False)
    found = program.find()
    assert found.path.is_file()
    major, minor, _ = found.version.split(".")
    assert program.KNOWN[0] <= (int(major), int(minor)) <= program.KNOWN[1]


@pytest.mark.parametrize("below", ["", "bin", "build"])
def test_the_one_of_rocksdbs_tree_goes_before_that_of_path(
    below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _fake(tmp_path / below, "db_bench version 11.2.0")
    monkeypatch.setenv("ROCKSDB_ROOT", str(tmp_path))
    assert program.find() == program.Program(path, "11.2.0")


def test_a_tree_without_one_is_not_replaced_by_that_of_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROCKSDB_ROOT", str(tmp_path))
    with pytest.raises(UsageError, match=r"ROCKSDB_ROOT: .* has no db_bench"):
        program.find()


@pytest.mark.parametrize("version", ["7.8.0", "7.10.2", "9.10.0", "11.8.1"])
def test_a_release_that_was_looked_at_is_taken(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fake(tmp_path, f"db_bench version {version}")
    monkeypatch.setenv("ROCKSDB_ROOT", str(tmp_path))
    assert program.find().version == version


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("db_bench version 6.29.5", "found db_bench of RocksDB 6.29.5"),
        ("db_bench version 7.7.8", "found db_bench of RocksDB 7.7.8"),
        ("db_bench version 11.9.0", "found db_bench of RocksDB 11.9.0"),
        ("db_bench version 11.10.0", "found db_bench of RocksDB 11.10.0"),
        ("db_bench version 12.0.0", "found db_bench of RocksDB 12.0.0"),
        ("db_bench", "it said 'db_bench'"),
        ("LevelDB: version 1.23", "it said 'LevelDB: version 1.23'"),
    ],
)
def test_another_release_is_refused_with_what_to_install(
    says: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _fake(tmp_path, says)
    monkeypatch.setenv("ROCKSDB_ROOT", str(tmp_path))
    instead = r"releases 7\.8 to 11\.8 .*ROCKSDB_ROOT.*rocksdb-tools"
    with pytest.raises(WaltaxError, match=f"{path}: .*{words}; .*{instead}"):
        program.find()


def test_a_machine_without_one_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROCKSDB_ROOT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WaltaxError, match="rocksdb-tools"):
        program.find()
