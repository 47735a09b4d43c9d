"""Record a run on a server until server and driver are killed.

The server's files and the driver's acknowledgements are recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...base.folders import removal
from ...devices import tap_preload
from ...driver.argv import server_argv
from ...driver.client import Driver, Event
from ...engines import Settings
from ...engines.server import datadir, settings
from ...engines.server.server import running
from ...engines.server.settings import BINLOG_NAME
from ...engines.server.spec import Spec
from .. import log
from ..cutter import history
from .recording import CHECK_S, CHECK_THREADS, INFO_LOGS, READY_S, Data, Recording, Run

_SEEN: Mapping[str, Settings] = {"innodb": {"innodb_use_native_aio": False}}
"""Settings that turn off what the recorder cannot see."""


@dataclass(frozen=True)
class Served:
    """A server's settings, besides mode and places, and whether it has a binlog beside its log."""

    engine: str
    settings: Settings
    has_binlog: bool = False

    def binlog(self, wal: Path) -> Path | None:
        """Return the folder of its binlog, if it has one, when its log is in the folder `wal`."""
        return wal / BINLOG_NAME if self.has_binlog else None


def record(
    loaded: Path,
    folder: Path,
    run: Run,
    served: Served,
    *,
    wal: Path | None = None,
    tapped: Mapping[str, str] | None = None,
) -> Recording:
    """Run requests on a server with a clone of the data directory `loaded`, and kill it.

    It is like `embedded.record`. Errors: as there, and ServerDied.
    """
    starts, wal = (folder / "start", folder / "start-wal"), wal or folder / "wal"
    db, recorded, acks = folder / "db", folder / "recorded", folder / "acks"
    datadir.clone(loaded, starts[0], served.engine, starts[1])
    datadir.clone(loaded, db, served.engine, wal)
    if (second := served.binlog(starts[1])) is not None:
        second.mkdir()
    log.create(recorded)
    spec = _spec(served, run.durability, folder / "server", db, wal)
    env = tap_preload.recorder_environment(recorded, [db, wal], acks, tapped)
    run_killed(run, spec, folder, env, tap_preload.recorder_environment(recorded, [db, wal], acks))
    read = log.read(recorded)
    read.require_seen()
    story = history.of(read, {db: starts[0], wal: starts[1]})

    def check(db: Path, wal: Path, acks: Path) -> Event:
        return look(served, run.data, run.durability, db, wal, acks)

    return Recording(read, story, db, wal, check, INFO_LOGS)


def run_killed(
    run: Run,
    spec: Spec,
    folder: Path,
    env: Mapping[str, str] | None = None,
    client_env: Mapping[str, str] | None = None,
) -> None:
    """Run requests on a server, and kill both. Acknowledgements go to `folder`/acks.

    Errors: DriverFailed; ServerDied.
    """
    with running(spec, env=env) as server:
        parameters = {**run.data.flags, **run.parameters, "ack_log": str(folder / "acks")}
        argv = server_argv(
            run.data.program,
            "run",
            spec.engine,
            server.socket,
            threads=run.threads,
            seed=run.seed,
            parameters=parameters,
        )
        log, pids = folder / "run.stderr", [server.pid]
        driver = Driver("run", argv, log=log, env=client_env, server_pids=pids)
        try:
            driver.wait_for("ready", within_s=READY_S)
            run.work(driver, spec.wal_dir or spec.datadir)
            server.require_alive()
        finally:
            server.kill()
            driver.kill()


def _spec(served: Served, mode: str, home: Path, db: Path, wal: Path) -> Spec:
    with_mode = {
        **served.settings,
        **_SEEN.get(served.engine, {}),
        **settings.durability(served.engine, mode, binlog=served.has_binlog),
    }
    return Spec(
        name=mode,
        engine=served.engine,
        home=home,
        datadir=db,
        wal_dir=wal,
        settings=with_mode,
        binlog_dir=served.binlog(wal),
    )


def look(served: Served, data: Data, mode: str, db: Path, wal: Path, acks: Path) -> Event:
    """Open a state with a server, and return what the driver's check finds.

    Errors: WaltaxError when it does not open.
    """
    home = db.parent / "server"
    if (second := served.binlog(wal)) is not None:
        _move(second / f"{BINLOG_NAME}.index")
    try:
        return check(_spec(served, mode, home, db, wal), data, acks)
    finally:
        removal.trees(home)


def _move(index: Path) -> None:
    """Have a binlog's index, which holds whole paths, name the files beside it."""
    if index.is_file():
        names = [Path(line).name for line in index.read_text(errors="replace").splitlines()]
        index.write_text("".join(f"{index.parent / name}\n" for name in names))


def check(spec: Spec, data: Data, acks: Path, start_s: float | None = None) -> Event:
    """Check a state on a server started for it. Errors: DriverFailed; ServerDied."""
    with running(spec, start_s=start_s) as server:
        argv = server_argv(
            data.program,
            "check",
            spec.engine,
            server.socket,
            threads=CHECK_THREADS,
            parameters={**data.flags, "acks": str(acks)},
        )
        checker = Driver(None, argv, server_pids=[server.pid])
        try:
            return checker.wait_for("check", within_s=CHECK_S)
        finally:
            checker.kill()
