"""Programs that Debian has, as a user types them after `waltax try`, with little to do."""

from __future__ import annotations

import os
import pwd
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_LIFE = (
    "{run} & server=$!; until {ready}; do sleep 0.05; done >/dev/null 2>&1; "
    "{load} && kill $server && {{ wait $server; true; }}"
)


@dataclass(frozen=True)
class Example:
    """A program with a log, or a server with a load.

    `fill` makes its data in an empty folder. `weaker` has its own modes by their flags. `apart` is
    how far the syncs and bytes of two runs may differ, as a share.
    """

    log: str
    run: str
    load: str = ""
    ready: str = ""
    metric: str = ""
    fill: Callable[[Path], None] | None = None
    weaker: Mapping[str, str] = field(default_factory=dict)
    apart: float = 0.0

    @property
    def typed(self) -> list[str]:
        """What stands after `waltax try --log ...`."""
        flags = {"--load": self.load, "--ready": self.ready, "--metric": self.metric, **self.weaker}
        serve = ["--serve"] if self.load else []
        return [*serve, *(f"{flag}={text}" for flag, text in flags.items() if text), "--", self.run]

    def life(self, run: str) -> str:
        """A line that runs it in the mode of `run` to its end, as a server with its load."""
        return _LIFE.format(run=run, ready=self.ready, load=self.load) if self.load else run


def _sqlite(journal: str, synchronous: str) -> str:
    begin = f"pragma journal_mode = {journal}; pragma synchronous = {synchronous}"
    insert = "insert into t values (1)"
    return f"sqlite3 t.db '{begin}; create table t (a); {f'{insert}; ' * 20}'"


# PostgreSQL refuses root, so that root is another user there.
_OTHER = "" if os.getuid() else "setpriv --reuid=postgres --regid=postgres --clear-groups "
_VERSIONS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parts[4]))
_BIN = f"{_OTHER}{_VERSIONS[-1]}"
_POSTGRES = f"{_BIN}/postgres -D . -k $WALTAX_SOCKETS -c listen_addresses="


def _fill_postgres(data: Path) -> None:
    if _OTHER:
        user = pwd.getpwnam("postgres")
        os.chown(data, user.pw_uid, user.pw_gid)
    control = f"{_BIN}/pg_ctl -D . -w -o '-k $PWD -c listen_addresses='"
    fill = f"{control} start && {_BIN}/pgbench -h $PWD -i postgres && {control} stop"
    _run(f"{_BIN}/initdb -N -A trust -D . && {fill}", data)


# Debian's redis-tools has the server in it under the name of a tool.
_REDIS = (
    "./redis-server --port 0 --unixsocket $WALTAX_SOCKETS/r --save '' --appendonly yes "
    "--appendfsync"
)


def _fill_redis(data: Path) -> None:
    (data / "redis-server").symlink_to("/usr/bin/redis-check-rdb")


_ETCD = (
    "etcd --data-dir . --listen-client-urls unix://c:0 --advertise-client-urls unix://c:0 "
    "--listen-peer-urls unix://p:0 --initial-advertise-peer-urls unix://p:0 "
    "--initial-cluster default=unix://p:0"
)
_PUTS = (
    """curl -sS --unix-socket c:0 -d '{"key": "Zm9v", "value": "YmFy"}' """
    "'http://etcd/v3/kv/put?[1-100]'"
)

_MARIADB = (
    f"mariadbd --no-defaults --user={pwd.getpwuid(os.getuid()).pw_name} --datadir=. "
    "--skip-networking --innodb-use-native-aio=0 --socket="
)
_SYSBENCH = "sysbench oltp_insert --mysql-user=root --mysql-db=test --time=0 --mysql-socket="


def _fill_mariadb(data: Path) -> None:
    make = "mariadb -uroot -Smade -e 'create database if not exists test'"
    served = Example("", f"{_MARIADB}made", f"{_SYSBENCH}made prepare", make)
    _run(
        "mariadb-install-db --no-defaults --auth-root-authentication-method=normal --datadir=.",
        data,
    )
    _run(served.life(served.run), data)


def _fill_lmdb(data: Path) -> None:
    """Write a dump, of which mdb_load commits a hundred at a time."""
    (data / "dump").write_text("".join(f"key{i:06}\nvalue\n" for i in range(1000)))


_RUST = """
from rocksdict import Rdict, WriteOptions
options, store = WriteOptions(), Rdict("db")
options.sync = {}
store.set_write_options(options)
for i in range(50):
    store[i] = i
store.close()
"""


def _rocksdict(*, sync: bool) -> str:
    return shlex.join([sys.executable, "-c", _RUST.format(sync)])


def _run(line: str, data: Path) -> None:
    subprocess.run(["/bin/sh", "-c", line], cwd=data, check=True, capture_output=True)


EXAMPLES = {
    "SQLite's rollback journal": Example(
        "t.db*", _sqlite("delete", "full"), weaker={"--flush": _sqlite("delete", "off")}
    ),
    "SQLite's write-ahead log": Example(
        "t.db-wal",
        _sqlite("wal", "full"),
        weaker={"--flush": _sqlite("wal", "normal"), "--off": _sqlite("wal", "off")},
    ),
    "PostgreSQL": Example(
        "pg_wal/",
        _POSTGRES,
        f"{_BIN}/pgbench -h $WALTAX_SOCKETS -t 50 postgres",
        f"{_BIN}/pg_isready -h $WALTAX_SOCKETS",
        "tps = ([0-9.]+)",
        _fill_postgres,
        {"--flush": f"{_POSTGRES} -c synchronous_commit=off"},
        apart=0.2,
    ),
    "Redis": Example(
        "appendonlydir/*.aof",
        f"{_REDIS} always",
        "redis-benchmark -s $WALTAX_SOCKETS/r -q -t set -c 1 -n 200",
        "redis-cli -s $WALTAX_SOCKETS/r ping",
        "SET: ([0-9.]+) requests",
        _fill_redis,
        {"--flush": f"{_REDIS} everysec"},
        apart=0.01,
    ),
    "etcd": Example(
        "*.wal", _ETCD, _PUTS, "etcdctl --endpoints unix://c:0 endpoint health", apart=0.1
    ),
    "MariaDB": Example(
        "ib_logfile0",
        f"{_MARIADB}$WALTAX_SOCKETS/m",
        f"{_SYSBENCH}$WALTAX_SOCKETS/m --events=100 run",
        "mariadb-admin -uroot -S$WALTAX_SOCKETS/m ping",
        r"transactions: +\d+ +\(([0-9.]+) per sec",
        _fill_mariadb,
        {"--flush": f"{_MARIADB}$WALTAX_SOCKETS/m --innodb-flush-log-at-trx-commit=2"},
        apart=0.1,
    ),
    "LMDB": Example("db/data.mdb", "mkdir db && mdb_load -T -f dump db", fill=_fill_lmdb),
    "RocksDB of Rust's crate": Example(
        "db/*.log", _rocksdict(sync=True), weaker={"--flush": _rocksdict(sync=False)}
    ),
}
