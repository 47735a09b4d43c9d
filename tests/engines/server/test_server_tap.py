"""Real servers under the real tap: it counts what they log, and nothing escapes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from waltax.devices import tap_page
from waltax.devices.tap_model import DeviceModel, SyncLatency, packed
from waltax.devices.tap_page import TapCounters, TapPage
from waltax.devices.tap_preload import tap_environment
from waltax.engines.server import datadir
from waltax.engines.server.server import Server, running
from with_server import MEMORY, open_folder, spec_in, sql

FAST = DeviceModel((SyncLatency(100, ((50, 5.0),)),), 0, 0, 0, 64, 0, 0, 1.0)
COMMITS = 200
# What a server may add of its own: its background thread, and InnoDB's purge. They do so by the
# clock, and the commits are as slow as the disk.
SLACK, SLACK_PER_S = 20, 5
MODES = [
    *(("myrocks", mode) for mode in ("sync", "flush", "delayed", "off")),
    *(("innodb", mode) for mode in ("sync", "flush", "delayed")),
]
WRITES_AND_SYNCS = {"sync": (1, 1), "flush": (1, 0), "delayed": (0, 0), "off": (0, 0)}


@dataclass
class Tapped:
    server: Server
    page: TapPage

    def commits(self) -> TapCounters:
        """Commit a row COMMITS times; what the tap counted meanwhile."""
        sql(self.server, "CREATE TABLE t (a INT PRIMARY KEY)")
        before = self.page.snapshot()
        sql(self.server, "".join(f"INSERT INTO t VALUES ({i});" for i in range(COMMITS)))
        return self.page.snapshot().minus(before)


@pytest.fixture(params=["observed", "emulated"])
def wal_dir(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A log directory: on the disk, or in memory, where a device can be emulated."""
    with open_folder(None if request.param == "observed" else MEMORY) as folder:
        yield folder / "wal"


@pytest.fixture
def mode() -> str:
    return "sync"


@pytest.fixture
def tapped(
    place: Path, wal_dir: Path, data_sets: Callable[[str], Path], engine: str, mode: str
) -> Iterator[Tapped]:
    """A server of the test's `engine` and `mode`, whose log is in `wal_dir`, under the tap."""
    spec = replace(spec_in(place, engine, mode), wal_dir=wal_dir)
    datadir.clone(data_sets(engine), spec.datadir, engine, spec.wal_dir)
    page = tap_page.create(place / "page")
    model = packed(FAST) if wal_dir.is_relative_to(MEMORY) else None
    with running(spec, env=tap_environment(wal_dir, place / "page", model)) as server:
        yield Tapped(server, page)


@pytest.mark.parametrize(("engine", "mode"), MODES)
def test_each_mode_writes_and_syncs_as_often_as_it_says(tapped: Tapped, mode: str) -> None:
    began = time.monotonic()
    seen = tapped.commits()
    slack = min(SLACK + SLACK_PER_S * (time.monotonic() - began), COMMITS / 2)
    writes, syncs = WRITES_AND_SYNCS[mode]
    assert writes * COMMITS <= seen.writes <= writes * COMMITS + slack
    assert syncs * COMMITS <= seen.syncs <= syncs * COMMITS + slack
    assert seen.attached == 0  # once, before
    assert tapped.page.snapshot().bypasses == 0


@pytest.mark.parametrize("engine", ["myrocks"])
def test_myrocks_counts_the_same_syncs_and_bytes(tapped: Tapped) -> None:
    tapped.commits()
    rows = sql(tapped.server, "SHOW GLOBAL STATUS LIKE 'rocksdb_wal%'").splitlines()
    status = {name: int(value) for name, value in (row.split("\t") for row in rows)}
    seen = tapped.page.snapshot()
    assert seen.syncs == pytest.approx(status["Rocksdb_wal_synced"], rel=0.01)
    # A log record has 7 bytes of its own.
    assert seen.write_bytes - 7 * seen.writes == pytest.approx(
        status["Rocksdb_wal_bytes"], rel=0.01
    )


def test_only_the_engines_log_is_followed_and_a_kill_loses_nothing_that_was_synced(
    tapped: Tapped, engine: str
) -> None:
    seen = tapped.commits()
    files = tapped.page.snapshot().files
    names = {file.name for file in files}
    if engine == "innodb":
        assert names == {"ib_logfile0"}
        # The same to an emulated disk as to a real one.
        assert seen.write_bytes >= COMMITS * 4096
        assert all(file.bytes % 4096 == 0 for file in files)
    else:
        assert names
        assert all(name.removesuffix(".log").isdigit() for name in names)
    tapped.server.kill()
    with running(tapped.server.spec) as server:
        assert sql(server, "SELECT COUNT(*) FROM t") == f"{COMMITS}\n"
