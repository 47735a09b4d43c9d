"""What three cells of a campaign tell the simulation."""

from __future__ import annotations

import pytest
from swept import COMMITS, OFF, slice_of
from waltax.analysis.results.work import Work, work_of
from waltax.analysis.sweep.simulation import Fed, feed, simulate
from waltax.analysis.sweep.simulation.feed import WAKE_US
from waltax.row import Row


def _rows(device: str, us: float, rate: float) -> Row:
    return slice_of(device, us, rate, 0, 0)


def _work(device: str, us: float, rate: float, **more: object) -> Work:
    return work_of([_rows(device, us, rate) | more])


def _fed(off: Work, fastest: Work, slowest: Work) -> Fed:
    found = feed(off, fastest, slowest, eager=False)
    assert isinstance(found, Fed)
    return found


OFF_CELL = _work("off", 0, OFF)
FAST, SLOW = _work("sync-1us", 1, OFF / 2), _work("sync-5000us", 5000, OFF / 50)


def test_cores_and_commits_come_from_off() -> None:
    given = _fed(OFF_CELL, FAST, SLOW).given
    assert given.cpu_us == pytest.approx(50, rel=1e-3)  # two cores over 40,000 requests/s
    assert given.commits == pytest.approx(COMMITS, rel=1e-3)
    assert (given.clients, given.cores) == (4, 2)


def test_the_cpu_of_writing_the_log_comes_from_the_fastest_cell() -> None:
    rows = _rows("sync-1us", 1, OFF / 2)
    rows["cpu_engine_s"] = rows["slice_requests"] * 3e-5
    given = _fed(OFF_CELL, work_of([rows]), SLOW).given
    write_us = 3 * 1000 / rows["slice_requests"]
    assert given.group_us == 3
    assert given.commit_us == pytest.approx((10 - write_us) / COMMITS, rel=1e-3)


def test_what_the_slowest_cell_used_more_cpu_is_shared_by_its_halts() -> None:
    rows = _rows("sync-5000us", 5000, OFF / 50)
    rows |= {"cpu_engine_s": rows["slice_requests"] * 5e-5}
    fast = _rows("sync-1us", 1, OFF / 2)
    fed = _fed(
        OFF_CELL,
        work_of([fast | {"cpu_engine_s": fast["slice_requests"] * 2.5e-5}]),
        work_of([rows]),
    )
    commits_us = fed.given.commits * fed.given.commit_us
    assert commits_us > 4
    halts = simulate(fed.given, fed.sync(SLOW)).halts_per_request
    syncs_us = 3 * 1000 / rows["slice_requests"]
    assert fed.given.halt_us * halts == pytest.approx(30 - syncs_us - commits_us, rel=0.05)


def test_a_wake_up_takes_what_threads_of_the_slowest_cell_waited_for_a_core() -> None:
    counted = {"sched_wait_s": 0.018, "sched_switches_voluntary": 1000.0}
    slowest = _work("sync-5000us", 5000, OFF / 50, **counted)
    assert _fed(OFF_CELL, FAST, slowest).given.wake_us == pytest.approx(18)
    assert _fed(OFF_CELL, FAST, SLOW).given.wake_us == WAKE_US


def test_small_groups_on_the_slowest_device_show_that_clients_wait_for_locks() -> None:
    def of(group: float) -> int | None:
        rows = _rows("sync-5000us", 5000, OFF / 50) | {"threads": 16}
        commits = rows["rocksdb_write_self"] + rows["rocksdb_write_other"]
        rows["rocksdb_write_self"] = int(commits / group)
        rows["rocksdb_write_other"] = commits - rows["rocksdb_write_self"]
        off = _work("off", 0, OFF, threads=16)
        return _fed(off, FAST, work_of([rows])).given.lanes

    assert of(8.0) is None
    assert of(2.0) in (3, 4)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"paced": True}, "pause"),
        ({"rocksdb_write_self": None}, "count"),
        ({"cores": None}, "cores"),
    ],
)
def test_there_is_no_model_of_what_the_rows_do_not_tell(change: Row, why: str) -> None:
    assert why in str(feed(_work("off", 0, OFF, **change), FAST, SLOW, eager=False))


def test_a_machine_that_others_keep_from_halting_does_not_make_halts_dear() -> None:
    rows = _rows("sync-5000us", 5000, OFF / 50)
    rows |= {"cpu_engine_s": rows["slice_requests"] * 5e-5}
    quiet, busy = (
        _fed(OFF_CELL, FAST, work_of([rows | {"machine_idle_entries": halts}])).given.halt_us
        for halts in (rows["slice_requests"], 1.0)
    )
    assert 0 < quiet < busy < 500
