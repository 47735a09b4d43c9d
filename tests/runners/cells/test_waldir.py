from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import WaltaxError
from waltax.runners.cells import waldir


def test_a_cell_s_directory_is_new_and_empty_of_wal(tmp_path: Path) -> None:
    for _ in range(2):
        path = waldir.make(tmp_path, "cell")
        assert path == tmp_path / "cell"
        assert list(path.iterdir()) == []
        (path / "000001.log").write_text("of an earlier session")


def test_nobody_else_can_look_into_it(tmp_path: Path) -> None:
    assert waldir.make(tmp_path, "cell").stat().st_mode & 0o777 == 0o700


def test_a_root_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    root = tmp_path / "file"
    root.write_text("not a directory")
    with pytest.raises(WaltaxError, match="cannot be written"):
        waldir.make(root, "cell")
