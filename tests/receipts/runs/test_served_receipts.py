"""Runs on a server: its files recorded, and its clients' acknowledgements on the same clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from waltax import proc
from waltax.driver.argv import server_argv
from waltax.driver.cells import loading
from waltax.driver.client import Driver
from waltax.harness.data_set import DATADIR
from waltax.receipts.cutter import state
from waltax.receipts.cutter.state import Cut
from waltax.receipts.log import Kind
from waltax.receipts.runs import served, states
from waltax.receipts.runs.recording import Data, Recording, Run
from waltax.receipts.runs.served import Served
from with_server import SMALL, open_folder

_RECOVERY = {"myrocks": {"rocksdb_wal_recovery_mode": 2}, "innodb": {}}


_TPCC, _GRAPH = Data("tpcc", {"warehouses": 1}), Data("linkbench", {"maxid1": 2001})


@pytest.fixture(scope="module", params=[("myrocks", _TPCC), ("innodb", _TPCC), ("innodb", _GRAPH)])
def recording(request: pytest.FixtureRequest) -> Iterator[Recording]:
    engine, data = request.param
    told = Served(engine, {**SMALL[engine], **_RECOVERY[engine]})
    with open_folder() as folder:
        _load(told, data, folder / "loaded")
        room = folder / "run"
        room.mkdir()
        run = Run("sync", 2.0, threads=4, data=data)
        yield served.record(folder / "loaded" / DATADIR, room, run, told)


def _load(told: Served, data: Data, home: Path) -> None:
    with loading.server_to_load(told.engine, told.settings, home, "load") as server:
        argv = server_argv(
            proc.program(data.workload),
            "load",
            told.engine,
            server.socket,
            threads=2,
            seed=1,
            parameters=data.load,
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


@pytest.mark.parametrize("recording", [("myrocks", _TPCC)], indirect=True)
def test_myrocks_does_not_sync_its_logs_directory_and_loses_all_by_posix(
    recording: Recording, place: Path
) -> None:
    synced = {call.text for call in recording.log.calls if call.kind == Kind.SYNC_DIR}
    assert str(recording.wal) not in synced
    (moment,) = state.moments(recording.log, 1, seed=1)
    found = states.outcome(recording, Cut(moment, "dropped", "strict"), place)
    assert (found.opens, found.lost) == (True, found.acknowledged)
    assert found.lost > 0
