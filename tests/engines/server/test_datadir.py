"""Data directories of real servers: made and cloned."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.engines.server import account, binaries, datadir
from waltax.engines.server.server import ServerDied, running
from with_server import gone, open_folder, spec_in, sql

DataSets = Callable[[str], Path]


def test_a_new_directory_has_our_account_and_database(place: Path, engine: str) -> None:
    spec = spec_in(place, engine)
    datadir.create(spec)
    with running(spec) as server:
        assert (
            sql(server, "SELECT CURRENT_USER(), DATABASE()")
            == f"{account.user()}@localhost\twaltax\n"
        )
        rights = sql(server, "SHOW GRANTS")
        engines = sql(server, "CREATE TABLE t (a INT PRIMARY KEY); SHOW CREATE TABLE t")
    assert "ON `waltax`.*" in rights
    assert {"myrocks": "ENGINE=ROCKSDB", "innodb": "ENGINE=InnoDB"}[engine] in engines
    assert "latin1_bin" in engines


def test_myrocks_runs_without_innodb_and_without_a_third_log(place: Path) -> None:
    spec = spec_in(place, "myrocks")
    datadir.create(spec)
    with running(spec) as server:
        engines = sql(server, "SELECT engine, support FROM information_schema.engines")
        assert "InnoDB\tNO" in engines
        assert not list(spec.datadir.glob("ib*"))
        assert not (spec.datadir / "tc.log").exists()


def test_a_directory_with_data_is_refused(place: Path) -> None:
    spec = spec_in(place, "myrocks")
    spec.datadir.mkdir()
    (spec.datadir / "mine").touch()
    with pytest.raises(UsageError, match="not empty"):
        datadir.create(spec)


def test_a_failure_to_make_one_is_told_in_mariadbs_words(place: Path) -> None:
    spec = spec_in(place, "myrocks")
    with pytest.raises(UsageError, match="no_such"):
        datadir.create(replace(spec, settings={"no_such": 1}))
    shutil.rmtree(spec.datadir)
    bad = replace(spec, settings={"rocksdb_default_cf_options": "nonsense=1"})
    with pytest.raises(ServerDied, match=r"making the data directory failed: .*\[ERROR\]"):
        datadir.create(bad)


def test_a_clone_starts_with_its_log_elsewhere(
    place: Path, data_sets: DataSets, engine: str
) -> None:
    spec = spec_in(place, engine)
    datadir.clone(data_sets(engine), spec.datadir, engine, spec.wal_dir)
    assert spec.wal_dir is not None
    logs = {"myrocks": "*.log", "innodb": "ib_logfile*"}[engine]
    assert list(spec.wal_dir.glob(logs))
    assert not [path for path in spec.datadir.rglob(logs) if path.name != "ddl_recovery.log"]
    with running(spec) as server:
        assert sql(server, "SELECT a FROM kept") == "7\n"
        sql(server, "INSERT INTO kept VALUES (8)")
    assert not [path for path in spec.datadir.rglob(logs) if path.name != "ddl_recovery.log"]


def test_what_a_clone_does_leaves_the_original_as_it_was(
    place: Path, data_sets: DataSets, engine: str
) -> None:
    original = data_sets(engine)
    before = _contents(original)
    spec = spec_in(place, engine)
    datadir.clone(original, spec.datadir, engine, spec.wal_dir)
    with running(spec) as server:
        sql(server, "DELETE FROM kept; CREATE TABLE other (a INT PRIMARY KEY); OPTIMIZE TABLE kept")
        server.shutdown()
    assert _contents(original) == before


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_tables_are_linked_and_what_changes_is_copied(place: Path, data_sets: DataSets) -> None:
    original = data_sets("myrocks")
    datadir.clone(original, place / "clone", "myrocks", None)
    files = [path for path in (place / "clone").rglob("*") if path.is_file()]
    linked = {path.suffix for path in files if path.stat().st_nlink > 1}
    assert linked == {".sst"}
    assert not [path for path in files if path.name in ("LOG", "LOCK")]


def test_a_clone_on_another_file_system_is_a_copy(data_sets: DataSets) -> None:
    original = data_sets("myrocks")
    with open_folder() as elsewhere:
        if elsewhere.stat().st_dev == original.stat().st_dev:
            pytest.skip("one file system holds both")
        datadir.clone(original, elsewhere / "clone", "myrocks", None)
        found = {path.read_bytes() for path in (elsewhere / "clone").rglob("*.sst")}
    assert found == {path.read_bytes() for path in original.rglob("*.sst")} != set()


def test_making_one_has_a_time_limit_and_leaves_no_process(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MariaDB's program is a script that starts a server; a stand-in starts something slower."""
    script = place / "install-db"
    script.write_text("#!/bin/sh\nsleep 600 &\necho $$ $! > pids\nwait\n")
    script.chmod(0o755)
    spec = spec_in(place, "myrocks")
    slow = replace(binaries.find("myrocks"), install_db=script)
    monkeypatch.setattr(binaries, "find", lambda _engine, _mariadbd: slow)
    monkeypatch.setattr(datadir, "INSTALL_S", 1.0)
    with pytest.raises(ServerDied, match=r"install-db did not end in 1 s"):
        datadir.create(spec)
    leader, child = map(int, (spec.datadir / "pids").read_text().split())
    assert leader != os.getpgid(0)
    for pid in (leader, child):
        assert gone(pid)


def test_a_clone_that_cannot_be_written_is_an_error(place: Path, data_sets: DataSets) -> None:
    (place / "clone").touch()
    with pytest.raises(WaltaxError, match="cannot clone"):
        datadir.clone(data_sets("myrocks"), place / "clone", "myrocks", None)


def test_others_see_nothing_of_a_server(place: Path, data_sets: DataSets) -> None:
    spec = spec_in(place, "innodb")
    datadir.clone(data_sets("innodb"), spec.datadir, "innodb", spec.wal_dir)
    with running(spec) as server:
        for folder in (spec.datadir, spec.home / "tmp", server.socket.parent):
            assert folder.stat().st_mode & 0o077 == 0, folder
