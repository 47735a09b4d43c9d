"""A mariadbd of the user's as a build."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.engines.builds.build import Named
from waltax.engines.builds.inspection import look
from waltax.engines.server import binaries


def _installation(folder: Path) -> Path:
    """A folder whose server answers as a MariaDB does, with the plugin of MyRocks."""
    for name in ("sbin", "bin", "plugin"):
        (folder / name).mkdir(parents=True)
    (folder / "plugin/ha_rocksdb.so").write_text("plugin")
    (folder / "bin/mariadb-install-db").touch()
    program = folder / "sbin/mariadbd"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *--help) echo "basedir   {folder}/"; '
        f'echo "plugin-dir   {folder}/plugin/";; *) echo "Ver 11.4.2-MariaDB for Linux";; esac\n'
    )
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize(("engine", "files"), [("myrocks", 2), ("innodb", 1)])
def test_a_folder_or_its_server_is_a_build_with_all_the_files_of_its_engine(
    tmp_path: Path, engine: str, files: int
) -> None:
    root = _installation(tmp_path / "a")
    asked = [Named("a", str(root)), Named("b", str(root / "sbin/mariadbd"))]
    found = look(engine, asked)
    assert len(found["a"].files) == files
    assert found["a"].files == found["b"].files
    assert (found["a"].release, found["a"].programs) == ("11.4.2", None)
    assert found["a"].mariadbd == root / "sbin/mariadbd"
    # Also where MARIADBD would name another.
    assert binaries.find(engine, found["a"].mariadbd).mariadbd == root / "sbin/mariadbd"


@pytest.mark.parametrize(
    ("typed", "says"),
    [("none", "no such file or folder"), ("empty", "found no mariadbd in sbin, bin, sql or the")],
)
def test_what_is_no_server_is_refused_by_its_name(tmp_path: Path, typed: str, says: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=rf"^--build a={tmp_path}/{typed}: {says}"):
        look("innodb", [Named("a", f"{tmp_path}/{typed}")])


def test_a_server_without_the_engine_is_refused_by_the_builds_name(tmp_path: Path) -> None:
    root = _installation(tmp_path / "a")
    (root / "plugin/ha_rocksdb.so").unlink()
    with pytest.raises(UsageError, match=rf"^--build a={root}: .*cannot run myrocks"):
        look("myrocks", [Named("a", str(root))])
