"""Runs on a server: its files recorded, and its clients' acknowledgements on the same clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from waltax.base import proc
from waltax.crash.cutter import content, state
from waltax.crash.cutter.history import File
from waltax.crash.cutter.state import Cut
from waltax.crash.log import Call, Kind
from waltax.crash.runs import states
from waltax.crash.runs.engine import Engine
from waltax.crash.runs.recording import Recording, Run, record
from waltax.driver.argv import command_line
from waltax.driver.client import Driver
from waltax.runners.cells.data_set import DATADIR
from waltax.runners.cells.driver import loading
from with_server import SMALL, open_folder

_RECOVERY = {"myrocks": {"rocksdb_wal_recovery_mode": 2}, "innodb": {}}
_TPCC, _GRAPH = (
    Engine("tpcc", {"warehouses": 1}),
    Engine("linkbench", {"maxid1": 2001, "degree_cap": 50}),
)
_MYROCKS, _INNODB, _PAGES = ("myrocks", _GRAPH), ("innodb", _GRAPH), ("innodb", _TPCC)
# So little of either that pages are written all the time.
_TIGHT: dict[str, Any] = {"innodb_buffer_pool_size": "16M", "innodb_log_file_size": "8M"}


@dataclass(frozen=True)
class Loaded:
    told: Engine
    folder: Path

    def recorded(
        self, name: str, seconds: float, *, has_binlog: bool = False, **settings: str | bool
    ) -> Recording:
        room = self.folder / name
        room.mkdir()
        told = replace(
            self.told, settings={**self.told.settings, **settings}, has_binlog=has_binlog
        )
        run = Run("sync", seconds, threads=4)
        return record(told, self.folder / "loaded" / DATADIR, room, run)


@pytest.fixture(scope="module", params=[_MYROCKS, _INNODB])
def loaded(request: pytest.FixtureRequest) -> Iterator[Loaded]:
    engine, data = request.param
    told = replace(data, name=engine, settings={**SMALL[engine], **_RECOVERY[engine]})
    with open_folder() as folder:
        _load(told, folder / "loaded")
        yield Loaded(told, folder)


@pytest.fixture(scope="module")
def recording(loaded: Loaded) -> Recording:
    return loaded.recorded("run", 1.0)


def _load(told: Engine, home: Path) -> None:
    with loading.server_to_load(told.name, told.settings, home, "load") as server:
        argv = command_line(
            *(proc.program(told.workload), "load"),
            {"store": told.name, "socket": server.socket, "threads": 2},
            told.load,
        )
        loader = Driver("load", argv)
        loader.wait_for("loaded")
        loader.close()


def test_a_synced_server_loses_nothing_on_a_journal(recording: Recording, place: Path) -> None:
    (moment,) = state.moments(recording.log, 1, seed=1)
    for strategy in ("kill", "dropped", "sectors"):
        found = states.outcome(recording, Cut(moment, strategy), place)
        assert (found.opens, found.consistent, found.lost) == (True, True, 0), found
        assert found.acknowledged > 0


def test_a_server_recovers_by_its_binlog_what_was_only_prepared(
    loaded: Loaded, place: Path
) -> None:
    """Its index names the files of the run, which are elsewhere when a state is opened."""
    recording = loaded.recorded("binlog", 1.0, has_binlog=True)
    (moment,) = state.moments(recording.log, 1, seed=1)
    for strategy in ("kill", "dropped"):
        found = states.outcome(recording, Cut(moment, strategy), place)
        assert (found.opens, found.consistent, found.lost) == (True, True, 0), found
    synced = {call.text for call in recording.log.calls if "binlog.000001" in (call.text or "")}
    assert synced


@pytest.mark.nightly
@pytest.mark.parametrize("loaded", [_MYROCKS], indirect=True)
def test_myrocks_does_not_sync_its_logs_directory_and_loses_all_by_posix(
    recording: Recording, place: Path
) -> None:
    synced = {call.text for call in recording.log.calls if call.kind == Kind.SYNC_DIR}
    assert str(recording.wal) not in synced
    (moment,) = state.moments(recording.log, 1, seed=1)
    found = states.outcome(recording, Cut(moment, "dropped", "strict"), place)
    assert (found.opens, found.lost) == (True, found.acknowledged)
    assert found.lost > 0


@pytest.mark.nightly
@pytest.mark.parametrize("loaded", [_PAGES], indirect=True)
@pytest.mark.parametrize("twice", [True, False], ids=["twice", "once"])
def test_only_pages_that_were_written_twice_survive_being_torn(
    loaded: Loaded, place: Path, twice: bool
) -> None:
    """A power cut tears pages of 16 KiB that were on their way to the tables, within each."""
    recording = loaded.recorded(f"{twice}", 2.0, **_TIGHT, innodb_doublewrite=twice)
    found = states.outcome(recording, Cut(_with_pages_in_flight(recording), "sectors"), place)
    assert found.acknowledged > 0
    assert found.opens == found.consistent == twice, found
    assert found.lost == (0 if twice else found.acknowledged)


def _with_pages_in_flight(recording: Recording) -> int:
    """A moment, as near as can be to the middle of the run, at which some pages may be torn.

    None is the first of its file, of which MariaDB does not look for the other copy.
    """
    (middle,) = state.moments(recording.log, 1, seed=1)
    names = recording.history.names
    tables = [file for name, file in names.items() if name.endswith(".ibd")]
    ends = [one.end for file in tables for one in file.changes if one.end is not None]
    for moment in sorted(ends, key=lambda end: abs(end - middle)):
        pages = [one for file in tables for one in _unsynced_pages(file, moment)]
        if len(pages) > 4 and all(one.offset > 0 for one in pages):
            return moment
    raise AssertionError("no page was on its way")


def _unsynced_pages(file: File, moment: int) -> list[Call]:
    _, unsynced = content.durable_and_unsynced(file, moment)
    return [one for one in unsynced if one.kind == Kind.WRITE]
