"""Where a command line keeps its data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.driver import patience
from waltax.driver.original.place import Place, ServerPlace, refuse_foreign_wal


def test_the_wal_of_another_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "000004.log").touch()
    with pytest.raises(UsageError, match=r"^--wal-dir: .* \(000004\.log\); empty it"):
        refuse_foreign_wal(Place(tmp_path / "db", tmp_path, "sync", ours=False), fresh=True)


def test_its_own_wal_is_no_reason_to_refuse_a_database(tmp_path: Path) -> None:
    (tmp_path / "000004.log").touch()
    refuse_foreign_wal(Place(tmp_path, tmp_path, "sync", ours=False), fresh=True)


def test_only_an_embedded_load_is_waited_for_with_a_limit(tmp_path: Path) -> None:
    assert Place(tmp_path, tmp_path, "sync", ours=False).still_s == patience.STILL_S
    server = ServerPlace("myrocks", tmp_path / "socket", "waltax", "waltax")
    assert server.still_s is None
