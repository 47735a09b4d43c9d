"""One node of shards killed under load: acknowledged writes lost, and commits that are torn.

`python -m waltax.bench shards_crash [KILLS]`: two MyRocks servers. In each mode clients insert rows
at the node that owns them, and node 1 is killed (kill -9); then a new server on its directories has
the rows that were acknowledged, or not. Then clients move money between accounts of both nodes in
transactions of a third server, by a Spider table, without and with spider_internal_xa, its commit
in two phases; whatever a kill of node 1 tears shows in the sum of all balances. What is prepared
and in doubt afterwards is committed where the third server had decided to, and else rolled back.

Spider tells nodes apart by their hosts, so that with two phases they cannot be reached by sockets:
here they are at 127.0.0.1 and 127.0.0.2, with a password of the moment.
"""

from __future__ import annotations

import contextlib
import random
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.table import Table

from ... import proc
from ...engines import Settings
from ...mariadb import account, datadir, private, spider
from ...mariadb.server import Server, running
from ...mariadb.settings import durability
from ...mariadb.spec import Spec
from ...owned import removal
from ...terminal import Terminal
from ..homes import server as server_home
from .client import Client, Lost

_SEED = 1
_CLIENTS = 4
_MODES = ("sync", "flush", "delayed", "off")
_EARLIEST_S, _LATEST_S = 0.5, 3.0
_ACCOUNTS = 8  # of each node
_SMALL: Settings = {"rocksdb_block_cache_size": "64M", "rocksdb_wal_recovery_mode": 2}
_PART = (
    "CREATE TABLE usertable (ycsb_key VARCHAR(255) NOT NULL, balance BIGINT NOT NULL DEFAULT 0, "
    "PRIMARY KEY (ycsb_key)) ENGINE=ROCKSDB DEFAULT CHARSET=latin1 COLLATE=latin1_bin"
)
_GUEST = "waltaxguest"
_BOUND = "b"  # keys of node 0 begin with a, those of node 1 with b


@dataclass(frozen=True)
class Crash:
    """One kill of node 1: rows that were acknowledged by each node, and of these lost."""

    acked: tuple[int, int]
    lost: tuple[int, int]


@dataclass(frozen=True)
class Torn:
    """One kill of node 1 among transfers: how many were acknowledged, how many commits of a node
    were in doubt, and what the sum is off.
    """

    acked: int
    in_doubt: int
    off_by: int


def main(arguments: list[str]) -> None:
    kills = int(arguments[0]) if arguments else 10
    draw, console = random.Random(_SEED), Terminal(width=120)
    moments = [draw.uniform(_EARLIEST_S, _LATEST_S) for _ in range(kills)]
    with server_home.home("shards-crash") as home:
        nodes = empty(home)
        table = Table(*("mode", "kills", "acknowledged", "lost on node 1", "on node 0"), box=None)
        found = {mode: [crash(nodes, mode, after_s) for after_s in moments] for mode in _MODES}
        for mode, crashes in found.items():
            table.add_row(mode, str(kills), *_figures(crashes))
        console.print(table)
        torn = Table(*("commits", "kills", "transfers", "in doubt", "sums wrong", "by"), box=None)
        for xa, words in ((False, "one after the other"), (True, "in two phases")):
            seen = [transfers(nodes, after_s, xa=xa) for after_s in moments]
            torn.add_row(words, str(kills), *_torn(seen))
        console.print(torn)
    if any(sum(one.lost) for mode in ("sync", "flush") for one in found[mode]):
        raise SystemExit("a mode that loses nothing to a killed process has lost something")
    if any(one.off_by for one in seen):  # in two phases
        raise SystemExit("a commit in two phases was torn")


def _torn(seen: Sequence[Torn]) -> list[str]:
    wrong = [one.off_by for one in seen if one.off_by]
    doubts = sum(one.in_doubt for one in seen)
    by = " ".join(map(str, wrong)) or "-"
    return [f"{sum(one.acked for one in seen):,}", str(doubts), str(len(wrong)), by]


def _figures(crashes: Sequence[Crash]) -> list[str]:
    acked = sum(sum(one.acked) for one in crashes)
    return [f"{acked:,}", *(f"{sum(one.lost[node] for one in crashes):,}" for node in (1, 0))]


def empty(home: Path) -> list[Spec]:
    """Three nodes, each with an empty part of the table; nothing runs."""
    made = []
    for number in range(3):
        folder = home / f"node{number}"
        spec = Spec(
            name=f"node {number}",
            engine="myrocks",
            home=folder,
            datadir=folder / "loaded",
            wal_dir=None,
            settings={**_SMALL, **durability("myrocks", "flush")},
        )
        datadir.create(spec)
        with running(spec) as server, Client(server) as client:
            client.ask(_PART)
            server.shutdown()
        made.append(spec)
    return made


def crash(nodes: Sequence[Spec], mode: str, after_s: float) -> Crash:
    """Insert at both nodes, kill node 1, and look for what was acknowledged.

    Node 0 goes on, and is shut down.
    """
    specs = [_fresh(spec, mode) for spec in nodes[:2]]
    acked: list[list[str]] = [[], []]
    with _up(specs) as servers:
        with contextlib.ExitStack() as stack:
            for number in range(_CLIENTS):
                node = number % 2
                insert = _inserts(servers[node], f"{'ab'[node]}-{number}", acked[node])
                stack.enter_context(_working(insert))
            time.sleep(after_s)
            servers[1].kill()
        servers[0].shutdown()
    return Crash(
        (len(acked[0]), len(acked[1])),
        (_missing(specs[0], acked[0]), _missing(specs[1], acked[1])),
    )


def transfers(nodes: Sequence[Spec], after_s: float, *, xa: bool) -> Torn:
    """Move money between nodes 0 and 1 in transactions of a third, kill node 1, and add up."""
    parts, head = _redirecting([_fresh(spec, "sync") for spec in nodes], xa=xa)
    acked: list[str] = []
    with _up([*parts, head]) as servers:
        with Client(servers[2]) as client:
            for number in range(_ACCOUNTS):
                client.ask(f"INSERT INTO {spider.TABLE} VALUES ('a{number}', 0), ('b{number}', 0)")
        with contextlib.ExitStack() as stack:
            for number in range(_CLIENTS):
                stack.enter_context(_working(_moves(servers[2], number, acked)))
            time.sleep(after_s)
            servers[1].kill()
        told = server_home.ask(servers[2], "SELECT HEX(data), status FROM mysql.spider_xa")
    decided = [row[0] for row in told if row[1] == "COMMIT"]
    ended = [_settled(spec, decided) for spec in parts]
    return Torn(len(acked), sum(count for count, _ in ended), sum(sum_ for _, sum_ in ended))


def _settled(spec: Spec, decided: Sequence[str]) -> tuple[int, int]:
    """How many commits a new server on the directories has in doubt, and its balances after all of
    them ended: those are committed whose transactions, in hexadecimal, were `decided` on.
    """
    with running(spec) as server:
        doubts = [row[3] for row in server_home.ask(server, "XA RECOVER FORMAT='SQL'")]
        for one in doubts:
            # As 'a','1', which are one after the other in what Spider keeps of it.
            name = "".join(one.split("'")[1::2]).encode().hex().upper()
            commits = any(transaction.startswith(name) for transaction in decided)
            server_home.ask(server, f"XA {'COMMIT' if commits else 'ROLLBACK'} {one}")
        ((total,),) = server_home.ask(server, "SELECT SUM(balance) FROM usertable")
    return len(doubts), int(total)


def _redirecting(specs: Sequence[Spec], *, xa: bool) -> tuple[list[Spec], Spec]:
    """The nodes, to be reached at loopback addresses, and a server with the table of both."""
    secret, parts, places = secrets.token_hex(16), [], []
    enter = (
        f"CREATE OR REPLACE USER {_GUEST}@'127.0.0.%' IDENTIFIED BY '{secret}';\n"
        f"GRANT ALL PRIVILEGES ON {account.DATABASE}.* TO {_GUEST}@'127.0.0.%';\n"
    )
    for number, spec in enumerate(specs[:2]):
        host = f"127.0.0.{number + 1}"
        port = _free_port(host)
        places.append(f"HOST '{host}', PORT {port}, USER '{_GUEST}', PASSWORD '{secret}'")
        parts.append(replace(_first(spec, enter), loopback_host=host, loopback_port=port))
    ours = f"`{account.user()}`@localhost"
    head = _first(
        specs[2],
        spider.statements(places, [_BOUND]) + f"GRANT SELECT ON mysql.spider_xa TO {ours};\n",
    )
    told = {**head.settings, **spider.settings(head.settings, "ha_rocksdb.so")}
    return parts, replace(head, settings={**told, "spider_internal_xa": xa})


def _first(spec: Spec, statements: str) -> Spec:
    """A server that runs these when it starts for the first time."""
    private.write(spec.home / "first.sql", statements)
    return replace(spec, settings={**spec.settings, "init_file": str(spec.home / "first.sql")})


def _free_port(host: str) -> int:
    with socket.socket() as one:
        one.bind((host, 0))
        port: int = one.getsockname()[1]
        return port


def _fresh(spec: Spec, mode: str) -> Spec:
    """A clone of an empty node, with a log directory of its own."""
    db, wal = spec.home / "db", spec.home / "wal"
    removal.trees(db, wal)
    datadir.clone(spec.datadir, db, spec.engine, wal)
    return replace(
        spec, datadir=db, wal_dir=wal, settings={**_SMALL, **durability(spec.engine, mode)}
    )


@contextlib.contextmanager
def _up(specs: Sequence[Spec]) -> Iterator[list[Server]]:
    """Their servers, all killed at the end."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(running(spec)) for spec in specs]


@contextlib.contextmanager
def _working(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """A client at work, until it lost its server or is told to end."""
    ends = threading.Event()
    thread = threading.Thread(target=work, args=(ends,))
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


def _inserts(server: Server, prefix: str, acked: list[str]) -> Callable[[threading.Event], None]:
    def work(ends: threading.Event) -> None:
        with contextlib.suppress(Lost), Client(server) as client:
            number = 0
            while not ends.is_set():
                client.ask(f"INSERT INTO usertable VALUES ('{prefix}-{number}', 1)")
                acked.append(f"{prefix}-{number}")
                number += 1

    return work


def _moves(server: Server, number: int, acked: list[str]) -> Callable[[threading.Event], None]:
    """Each client has accounts of its own, so that none waits for another's lock."""

    def work(ends: threading.Event) -> None:
        with contextlib.suppress(Lost), Client(server) as client:
            while not ends.is_set():
                for statement in ("BEGIN", *_transfer(number), "COMMIT"):
                    client.ask(statement)
                acked.append(str(number))

    return work


def _transfer(number: int) -> tuple[str, str]:
    change = f"UPDATE {spider.TABLE} SET balance = balance {{}} 1 WHERE ycsb_key = '{{}}{number}'"
    return change.format("-", "a"), change.format("+", "b")


def _missing(spec: Spec, acked: Sequence[str]) -> int:
    """How many of these rows a new server on the directories does not have."""
    with running(spec) as server:
        argv = ["mariadb", "--no-defaults", "--skip-column-names", f"--socket={server.socket}"]
        argv += [f"--user={server.user}", "--execute=SELECT ycsb_key FROM usertable"]
        there = set(proc.run([*argv, account.DATABASE]).split())
    return len(set(acked) - there)


if __name__ == "__main__":
    main(sys.argv[1:])
