"""Runs on embedded RocksDB: recorded once, cut at moments, opened by the real engine.

Under `sync` nothing that was acknowledged is lost in any state. That the cutter would find it is
shown by runs whose syncs are swallowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from swallowing import swallow_syncs
from waltax.base import proc
from waltax.base.errors import UsageError, WaltaxError
from waltax.crash.cutter import history, state
from waltax.crash.cutter.content import STRATEGIES
from waltax.crash.cutter.state import Cut
from waltax.crash.log import Call, Kind
from waltax.crash.runs import recording, states
from waltax.crash.runs.engine import Engine
from waltax.crash.runs.recording import Recording, Run
from waltax.crash.runs.states import Outcome
from waltax.driver.argv import command_line
from waltax.driver.client import Driver, Event

_SECONDS = 0.5
_TPCC, _GRAPH = (
    Engine("tpcc", {"warehouses": 1}),
    Engine("linkbench", {"maxid1": 2001, "degree_cap": 50}),
)


@dataclass(frozen=True)
class Loaded:
    data: Engine
    db: Path


# A state of TPC-C takes a second and more to be checked: its acknowledgements are read in one test.
@pytest.fixture(scope="module", params=[_GRAPH], ids=lambda data: data.workload)
def loaded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    data: Engine = request.param
    db = tmp_path_factory.mktemp("loaded") / "db"
    argv = command_line(proc.program(data.workload), "load", {"db": db, "threads": 2}, data.load)
    loader = Driver("load", argv)
    loader.wait_for("loaded")
    loader.close()
    return Loaded(data, db)


def _recorded(loaded: Loaded, room: Path, durability: str) -> Recording:
    run = Run(durability, _SECONDS, threads=4)
    return recording.record(loaded.data, loaded.db, room, run)


@pytest.fixture(scope="module")
def synced(loaded: Loaded, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return _recorded(loaded, tmp_path_factory.mktemp("synced"), "sync")


@pytest.fixture(scope="module")
def flushed(loaded: Loaded, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return _recorded(loaded, tmp_path_factory.mktemp("flushed"), "flush")


def _middle(recording: Recording) -> int:
    return state.moments(recording.log, 1, seed=3)[0]


def _outcomes(recording: Recording, room: Path, *cuts: Cut) -> Iterator[Outcome]:
    for cut in cuts:
        yield states.outcome(recording, cut, room)


@pytest.mark.parametrize(
    "loaded",
    [pytest.param(_TPCC, marks=pytest.mark.nightly), _GRAPH],
    indirect=True,
    ids=lambda data: data.workload,
)
def test_a_synced_log_loses_nothing_in_any_state(synced: Recording, tmp_path: Path) -> None:
    cuts = [Cut(_middle(synced), strategy) for strategy in STRATEGIES]
    strict = [Cut(_middle(synced), strategy, "strict") for strategy in ("dropped", "sectors")]
    for found in _outcomes(synced, tmp_path, *cuts, *strict):
        assert (found.opens, found.consistent, found.problem) == (True, True, None), found
        assert (found.lost, found.lost_seconds) == (0, 0.0)
        assert found.acknowledged > 0


def test_a_flushed_log_loses_what_was_not_synced_and_only_to_a_power_cut(
    flushed: Recording, tmp_path: Path
) -> None:
    moment = _middle(flushed)
    cuts = [Cut(moment, strategy) for strategy in ("kill", "dropped", "prefix")]
    killed, dropped, prefix = _outcomes(flushed, tmp_path, *cuts)
    assert (killed.opens, killed.consistent, killed.lost) == (True, True, 0)
    assert (dropped.opens, dropped.consistent) == (True, True)
    assert 0 < prefix.lost <= dropped.lost == dropped.acknowledged
    assert dropped.lost_seconds == pytest.approx(
        (moment - next(state.acknowledged(flushed.log, moment))) / 1e9
    )
    assert 0 < prefix.lost_seconds <= dropped.lost_seconds


def test_moments_that_are_spread_come_to_what_each_comes_to_alone(
    flushed: Recording, tmp_path: Path
) -> None:
    moments = state.moments(flushed.log, 2, seed=2)
    cuts = [Cut(moment, strategy) for moment in moments for strategy in ("kill", "dropped")]
    together = list(states.outcomes(flushed, cuts, tmp_path))
    assert together == list(_outcomes(flushed, tmp_path, *cuts))
    assert [one.lost > 0 for one in together] == [False, True, False, True]
    assert list(tmp_path.iterdir()) == []


def _without(recording: Recording, drop: Callable[[Call], bool]) -> Recording:
    """The same run, had those calls never been made."""
    calls = tuple(call for call in recording.log.calls if not drop(call))
    log = replace(recording.log, calls=calls)
    starts = {recording.db: recording.db.parent / "start"}
    return replace(recording, log=log, history=history.of(log, starts))


def _files(recording: Recording, part: str) -> set[int]:
    """The numbers of the files whose first name had this part."""
    named = (Kind.CREATE, Kind.FILE)
    return {one.file for one in recording.log.calls if one.kind in named and part in one.text}


def test_without_the_syncs_of_its_log_the_same_run_loses_all(
    synced: Recording, tmp_path: Path
) -> None:
    logs = _files(synced, ".log")
    unsynced = _without(synced, lambda call: call.kind == Kind.SYNC and call.file in logs)
    (found,) = _outcomes(unsynced, tmp_path, Cut(_middle(synced), "dropped"))
    assert (found.opens, found.consistent) == (True, True)
    assert found.lost == found.acknowledged > 0


def test_without_the_syncs_of_folders_only_a_journal_keeps_the_names(
    synced: Recording, tmp_path: Path
) -> None:
    unnamed = _without(synced, lambda call: call.kind == Kind.SYNC_DIR)
    moment = _middle(synced)
    cuts = [Cut(moment, "dropped", names) for names in ("journal", "strict")]
    journal, strict = _outcomes(unnamed, tmp_path, *cuts)
    assert (journal.opens, journal.lost) == (True, 0)
    assert strict.lost == strict.acknowledged > 0


def test_without_the_syncs_of_its_manifest_the_database_does_not_open(
    synced: Recording, tmp_path: Path
) -> None:
    """Its name is durable and its content is not: CURRENT points to an empty file."""
    manifests = _files(synced, "MANIFEST")
    lied = _without(synced, lambda call: call.kind == Kind.SYNC and call.file in manifests)
    (found,) = _outcomes(lied, tmp_path, Cut(_middle(synced), "dropped"))
    assert (found.opens, found.consistent) == (False, False)
    assert found.lost == found.acknowledged > 0
    assert found.problem is not None


def test_syncs_that_are_swallowed_before_the_recorder_are_found(
    loaded: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swallow_syncs(tmp_path, monkeypatch)
    room = tmp_path / "run"
    room.mkdir()
    recording = _recorded(loaded, room, "sync")
    (found,) = _outcomes(recording, tmp_path, Cut(_middle(recording), "dropped"))
    assert found.lost == found.acknowledged > 0


def test_nothing_stays_of_a_state(synced: Recording, tmp_path: Path) -> None:
    states.outcome(synced, Cut(_middle(synced), "dropped"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_place_where_nothing_opens_is_an_error_and_no_loss(
    synced: Recording, tmp_path: Path
) -> None:
    def refuse(*_: Path) -> Event:
        raise UsageError("too long a path")

    states.require_opens(synced, tmp_path)
    with pytest.raises(WaltaxError, match=r"before the run cannot be checked here: too long"):
        states.require_opens(replace(synced, check=refuse), tmp_path)


def test_equal_states_of_a_moment_are_opened_once(synced: Recording, tmp_path: Path) -> None:
    looked: list[Path] = []

    def check(db: Path, wal: Path, acks: Path) -> Event:
        looked.append(db)
        return synced.check(db, wal, acks)

    cuts = [Cut(_middle(synced), strategy) for strategy in ("kill", "kept", "dropped")]
    found = list(states.outcomes(replace(synced, check=check), cuts, tmp_path))
    assert found[0].digest == found[1].digest
    assert len(looked) == len({one.digest for one in found})
    assert [one.cut for one in found] == cuts
