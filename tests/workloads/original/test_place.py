"""Where a command line keeps its data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.driver import patience
from waltax.workloads.original.place import Place, refuse_foreign_wal


def test_the_wal_of_another_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "000004.log").touch()
    with pytest.raises(UsageError, match=r"^--wal-dir: .* \(000004\.log\); empty it"):
        refuse_foreign_wal(tmp_path / "db", tmp_path, fresh=True)


def test_its_own_wal_is_no_reason_to_refuse_a_database(tmp_path: Path) -> None:
    (tmp_path / "000004.log").touch()
    refuse_foreign_wal(tmp_path, tmp_path, fresh=True)


def test_only_an_embedded_load_is_waited_for_with_a_limit() -> None:
    assert Place("rocksdb", {"db": "/d", "wal_dir": "/d"}).still_s == patience.STILL_S
    assert Place("myrocks", {"socket": "/s"}).still_s is None


def test_a_driver_is_told_of_the_place_and_of_nothing_that_a_server_decides() -> None:
    served = Place("myrocks", {"socket": "/s"})
    assert served.flags("run") == {"socket": "/s", "store": "myrocks"}


def test_a_run_alone_has_a_durability_and_a_load_no_wal() -> None:
    place = Place("rocksdb", {"db": "/d", "wal_dir": "/w"}, "flush")
    assert place.flags("run") == {"db": "/d", "wal_dir": "/w", "durability": "flush"}
    assert place.flags("check") == {"db": "/d", "wal_dir": "/w"}
    assert place.flags("load") == {"db": "/d"}
