"""Which server is found, and why another is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.engines.server import binaries


def _server(folder: Path, version: str, *, plugin: bool = True) -> Path:
    """A program that answers as a server would."""
    for name in ("bin", "plugin"):
        (folder / name).mkdir()
    if plugin:
        (folder / "plugin/ha_rocksdb.so").touch()
    program = folder / "bin/mariadbd"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *--help) '
        f'echo "basedir   {folder}/"; echo "plugin-dir   {folder}/plugin/";;\n'
        f"*) echo 'mariadbd  Ver {version} for Linux';; esac\n"
    )
    program.chmod(0o755)
    return program


def test_debians_server_has_both_engines(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MARIADBD", raising=False)
    found = binaries.find(engine)
    assert found.mariadbd.name == "mariadbd"
    assert found.version.startswith("10.")
    assert found.install_db.is_file()


def test_another_server_is_used_when_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = _server(tmp_path, "11.4.2-MariaDB")
    (tmp_path / "bin/mariadb-install-db").touch()
    monkeypatch.setenv("MARIADBD", str(program))
    assert binaries.find("myrocks") == binaries.Binaries(
        program, tmp_path / "bin/mariadb-install-db", tmp_path / "plugin", "11.4.2"
    )


def test_a_server_without_the_engine_is_refused_and_the_package_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARIADBD", str(_server(tmp_path, "11.4.2-MariaDB", plugin=False)))
    with pytest.raises(UsageError, match=r"no ha_rocksdb.so in .*mariadb-plugin-rocksdb"):
        binaries.find("myrocks")


def test_a_server_that_is_no_mariadb_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARIADBD", str(_server(tmp_path, "8.0.36")))
    with pytest.raises(UsageError, match="not a MariaDB server"):
        binaries.find("innodb")


def test_a_name_that_is_no_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARIADBD", "/no/such/mariadbd")
    with pytest.raises(UsageError, match="MARIADBD=/no/such/mariadbd: no program"):
        binaries.find("innodb")


def test_a_machine_without_the_server_is_told_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MARIADBD", raising=False)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    binaries._find.cache_clear()
    with pytest.raises(UsageError, match=r"mariadb-server is missing.*make setup"):
        binaries.find("innodb")
