"""The original LinkBench beside ours: CPU time of client and server, and requests a second.

`python -m bench original --original DIR [--driver JAR] [--rounds N] [--engine E]
[--capped]`: DIR is a checkout of the Java LinkBench that was built (`mvn package`), JAR a
MySQL Connector/J 5.1.49, since the one that is built in (5.1.22) fails on collations without
numbers, which MariaDB has had since 10.10. Both run with ten clients on one
server, each on a database of its own with the same graph, and take turns slice by slice: whoever
has no slice is stopped, which is why they share no tables, where one would meet the locks of the
other. Every commit is synced, the WAL is in memory. The original connects over TCP, as it can do
nothing else; ours over the socket. The server estimates ranges as the original needs it to find
its rows (`rocksdb_records_in_range`). At the end our check goes over both databases.

Ratios are of paired slices, with intervals by Student's t.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import click
from rich.table import Table
from waltax import profiles
from waltax.base import proc
from waltax.base.errors import UsageError, WaltaxError
from waltax.base.terminal import Terminal
from waltax.devices.resolve import SHM
from waltax.driver.argv import Parameters
from waltax.driver.client import Driver
from waltax.engines import Settings
from waltax.engines.server.server import Server, running

from ..homes import server as server_home
from ..homes.server import Setup
from .paired import ratio

_CLIENTS = 10
_WARMUP_S = 0.5
_SLICE_S = 3.0
_FIRST_S = 15.0  # of both before the first slice: the other one compiles what it runs often
_SEED = 1
_DATABASE = "waltax_original"
_TICKS = os.sysconf("SC_CLK_TCK")
_FINISHED = re.compile(rb"(\d+)/\d+ requests finished")
# MyRocks takes any small range for one row, by which the original's statements would read, and
# lock, all links of a node; its requesters then hang.
_ESTIMATES: dict[str, Settings] = {"myrocks": {"rocksdb_records_in_range": 50}, "innodb": {}}


@dataclass(frozen=True)
class _Side:
    """Of one slice."""

    client_us: float  # CPU time for each request
    server_us: float
    per_s: float  # requests


@dataclass(frozen=True)
class _Sample:
    """What both processes used so far, and what was done."""

    at_s: float
    client_s: float
    server_s: float
    requests: int

    def since(self, before: _Sample) -> _Side:
        requests = self.requests - before.requests
        return _Side(
            1e6 * (self.client_s - before.client_s) / requests,
            1e6 * (self.server_s - before.server_s) / requests,
            requests / (self.at_s - before.at_s),
        )


@click.command()
@click.option(
    "--original",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="a checkout of the Java LinkBench, built",
)
@click.option("--driver", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(2), default=12, show_default=True)
@click.option("--engine", type=click.Choice(["myrocks", "innodb"]), default="myrocks")
@click.option("--capped", is_flag=True, help="the quick profile's graph, without the largest hub")
def main(original: Path, driver: Path | None, rounds: int, engine: str, capped: bool) -> None:
    """Print both clients' costs, and ours over the original's."""
    program = original.absolute() / "target" / "FacebookLinkBench.jar"
    if not program.exists():
        raise UsageError(f"--original: found no {program}; build it there: mvn package -DskipTests")
    jars = [program] if driver is None else [driver.absolute(), program]
    setup = _setup(engine, capped)
    with server_home.home("original") as home, server_home.home("original", SHM) as memory:
        loaded = server_home.fill(home, setup, also=_DATABASE)
        spec = server_home.fresh(home, setup, loaded, "sync", memory / "wal")
        access = _Access(_free_port(), "waltax-original", secrets.token_hex(16))
        settings = {**spec.settings, "init_file": str(access.write(spec.datadir.parent))}
        spec = replace(spec, settings=settings, loopback_port=access.port)
        with running(spec) as server:
            ours = server_home.start(
                home, setup, server, threads=_CLIENTS, seed=_SEED, parameters={}
            )
            with _Original(jars, home, setup, access).running() as theirs:
                slices = _slices(server, ours, theirs, rounds)
            ours.close()
            Terminal(width=120).print(_table(slices))
            _require_whole(home, setup, server)
            server.shutdown()


def _setup(engine: str, capped: bool) -> Setup:
    profile = profiles.load("quick", engine)
    workload = profile.workload("linkbench")
    load = dict(workload.load)
    if not capped:
        load.pop("degree_cap", None)
    settings = {**profile.server_settings("linkbench"), **_ESTIMATES[engine]}
    return Setup(engine, "linkbench", settings, load, workload.run)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class _Access:
    """How the original enters the server: a port of this machine, and an account of its own."""

    port: int
    user: str
    password: str

    def write(self, folder: Path) -> Path:
        """Statements that make the account, for the server to read when it starts."""
        account = f"'{self.user}'@'127.0.0.1'"
        path = folder / "original.sql"
        path.write_text(
            f"CREATE USER {account} IDENTIFIED BY '{self.password}';\n"
            f"GRANT ALL PRIVILEGES ON {_DATABASE}.* TO {account};\n"
        )
        path.chmod(0o644)
        return path


class _Original:
    """The other client's process. Use from one thread."""

    def __init__(self, jars: list[Path], folder: Path, setup: Setup, access: _Access) -> None:
        self._log = folder / "original.log"
        self._said = folder / "original.stderr"
        told = {
            **{"host": "127.0.0.1", "port": access.port, "dbid": _DATABASE},
            **{"user": access.user, "password": access.password},
            **{"maxid1": setup.load["maxid1"], "requesters": _CLIENTS},
            # It ends when we end it.
            **{"requests": 1_000_000_000, "maxtime": 1_000_000, "max_failed_requests": -1},
            **{"request_random_seed": _SEED, "req_progress_interval": 250},
            **{"progressfreq": 1_000_000, "displayfreq": 1_000_000},
        }
        home = jars[-1].parent.parent
        self._argv: list[str | Path] = [
            *(
                "java",
                "-Xmx1000m",
                "-cp",
                ":".join(map(str, jars)),
                "com.facebook.LinkBench.LinkBenchDriver",
            ),
            *("-c", home / "config" / "LinkConfigMysql.properties", "-r", "-L", self._log),
            *(f"-D{name}={value}" for name, value in told.items()),
        ]
        self._home = home

    @contextlib.contextmanager
    def running(self) -> Iterator[_Original]:
        """It runs from here on, until it is stopped or the `with` ends."""
        env = {"LINKBENCH_HOME": str(self._home)}
        with (
            self._said.open("wb") as said,
            proc.launched_group(
                self._argv, stdout=said, stderr=said, env=env, cwd=self._home
            ) as child,
        ):
            self._pid = child.pid
            self._await_first(child)
            yield self

    def _await_first(self, child: proc.Child) -> None:
        deadline = time.monotonic() + 120
        while self.requests() == 0:
            if time.monotonic() > deadline or child.poll() is not None:
                said = self._said.read_text(errors="replace")[-2000:].strip()
                raise WaltaxError(f"the original LinkBench does not begin: {said}")
            time.sleep(0.2)

    def requests(self) -> int:
        """How many are finished; each of its threads says so after 250."""
        if not self._log.exists():
            return 0
        with self._log.open("rb") as log:
            log.seek(max(0, self._log.stat().st_size - 4096))
            said = _FINISHED.findall(log.read())
        return int(said[-1]) if said else 0

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def go_on(self) -> None:
        os.kill(self._pid, signal.SIGCONT)

    def stop(self) -> None:
        os.kill(self._pid, signal.SIGSTOP)


def _slices(
    server: Server, ours: Driver, theirs: _Original, rounds: int
) -> tuple[list[_Side], list[_Side]]:
    """Those of ours, and of the original, in the order of rounds."""
    time.sleep(_FIRST_S)
    theirs.stop()
    ours.ask("slice", within_s=_FIRST_S, cmd="run", warmup_s=0.0, measure_s=_FIRST_S)
    slices: tuple[list[_Side], list[_Side]] = ([], [])
    for number in range(rounds):
        # Who comes first takes turns, too.
        for place in (0, 1) if number % 2 else (1, 0):
            slices[place].append(_theirs(server, theirs) if place else _ours(server, ours))
    return slices


def _ours(server: Server, driver: Driver) -> _Side:
    """Over a whole slice, warm-up included, which CPU times span."""
    before = sum(server.cpu_s())
    times = {"warmup_s": _WARMUP_S, "measure_s": _SLICE_S}
    event = driver.ask("slice", within_s=sum(times.values()), cmd="run", **times)
    requests = int(event["slice_requests"])
    client_s = float(event["cpu_user_s"]) + float(event["cpu_system_s"])
    seconds = sum(times.values())
    return _Side(
        1e6 * client_s / requests,
        1e6 * (sum(server.cpu_s()) - before) / requests,
        requests / seconds,
    )


def _theirs(server: Server, original: _Original) -> _Side:
    original.go_on()
    time.sleep(_WARMUP_S)
    before = _sample(server, original)
    time.sleep(_SLICE_S)
    after = _sample(server, original)
    original.stop()
    return after.since(before)


def _sample(server: Server, original: _Original) -> _Sample:
    return _Sample(time.monotonic(), original.cpu_s(), sum(server.cpu_s()), original.requests())


def _table(slices: tuple[list[_Side], list[_Side]]) -> Table:
    table = Table("", "client us", "server us", "both us", "requests/s", box=None)
    columns = [[_figures(side) for side in sides] for sides in slices]
    for name, rows in zip(("ours", "original"), columns, strict=True):
        means = (sum(column) / len(column) for column in zip(*rows, strict=True))
        table.add_row(name, *(f"{mean:,.1f}" for mean in means))
    table.add_row("ours / original", *ratio(*columns))
    return table


def _figures(side: _Side) -> tuple[float, ...]:
    client_us, server_us, per_s = astuple(side)
    return client_us, server_us, client_us + server_us, per_s


def _require_whole(folder: Path, setup: Setup, server: Server) -> None:
    """Errors: WaltaxError for a database whose counts are not those of its links."""
    databases: dict[str, Parameters] = {"ours": {}, "the original": {"database": _DATABASE}}
    for name, parameters in databases.items():
        found = server_home.check(folder, setup, server, parameters)
        if not found["ok"]:
            raise WaltaxError(f"the database of {name}: {found['violations']}")
        print(f"the database of {name} is consistent")


if __name__ == "__main__":
    main()
