from __future__ import annotations

from pathlib import Path

import pytest
from waltax.errors import UsageError, WaltaxError
from waltax.runners import waldir


def test_a_claimed_directory_is_new_and_empty_of_wal(tmp_path: Path) -> None:
    path = waldir.claim(tmp_path, "c1", "cell")
    assert path == tmp_path / "cell"
    assert list(path.glob("*.log")) == []


def test_what_an_earlier_run_of_the_same_campaign_left_is_removed(tmp_path: Path) -> None:
    (waldir.claim(tmp_path, "c1", "cell") / "000001.log").write_text("old")
    assert list(waldir.claim(tmp_path, "c1", "cell").glob("*.log")) == []


def test_a_directory_with_foreign_files_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "cell").mkdir()
    (tmp_path / "cell" / "000001.log").write_text("precious")
    with pytest.raises(UsageError, match=r"not empty \(found 000001.log\).*--wal-dir"):
        waldir.claim(tmp_path, "c1", "cell")
    assert (tmp_path / "cell" / "000001.log").read_text() == "precious"


def test_a_directory_of_another_campaigns_cell_is_refused(tmp_path: Path) -> None:
    waldir.claim(tmp_path, "c1", "cell")
    with pytest.raises(UsageError, match="belongs to cell cell of campaign c1"):
        waldir.claim(tmp_path, "c2", "cell")


def test_a_root_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    root = tmp_path / "file"
    root.write_text("not a directory")
    with pytest.raises(WaltaxError, match="cannot be written"):
        waldir.claim(root, "c1", "cell")


def test_release_removes_it_and_may_be_called_twice(tmp_path: Path) -> None:
    path = waldir.claim(tmp_path, "c1", "cell")
    waldir.release(path)
    waldir.release(path)
    assert not path.exists()
