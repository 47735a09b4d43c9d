"""The table over all nodes, on real servers: each row is on the node that owns it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from waltax.engines.server import datadir, spider
from waltax.engines.server.server import Server, Spec, running
from with_server import spec_in, sql

_PART = (
    "CREATE TABLE usertable (id VARCHAR(24) NOT NULL, modified BIGINT NOT NULL "
    "DEFAULT 0, field0 TEXT NOT NULL, PRIMARY KEY (id)) ENGINE=ROCKSDB "
    "DEFAULT CHARSET=latin1 COLLATE=latin1_bin"
)


def _node(folder: Path, data_set: Path) -> Spec:
    """An empty part, of a server that was shut down."""
    folder.mkdir(0o755)
    spec = spec_in(folder, "myrocks")
    datadir.clone(data_set, spec.datadir, spec.engine, spec.wal_dir)
    with running(spec) as server:
        sql(server, _PART)
        server.shutdown()
    return spec


def _started(stack: contextlib.ExitStack, spec: Spec, first: str) -> Server:
    (spec.home / "first.sql").write_text(first)
    told = {**spec.settings, **spider.settings(spec.settings, "ha_rocksdb.so")}
    told["init_file"] = str(spec.home / "first.sql")
    return stack.enter_context(running(replace(spec, settings=told)))


def test_each_node_answers_for_all_and_has_what_it_owns(
    place: Path, data_sets: Callable[[str], Path]
) -> None:
    with contextlib.ExitStack() as stack:
        specs = [_node(place / f"n{number}", data_sets("myrocks")) for number in range(2)]
        first = spider.statements([spider.at_socket(spec.socket_path) for spec in specs], ["user5"])
        servers = [_started(stack, spec, first) for spec in specs]
        rows = "('user1', 'a'), ('user5', 'b'), ('user7', 'c')"
        sql(servers[1], f"INSERT INTO {spider.TABLE} (id, field0) VALUES {rows}")
        parts = [sql(one, "SELECT id FROM usertable").split() for one in servers]
        assert parts == [["user1"], ["user5", "user7"]]
        for one in servers:
            there = f"SELECT modified, field0 FROM {spider.TABLE} WHERE id = 'user7'"
            assert sql(one, there).split() == ["0", "c"]
            every = sql(one, f"SELECT id FROM {spider.TABLE} ORDER BY id LIMIT 2")
            assert every.split() == ["user1", "user5"]


def test_a_profile_s_own_setting_of_spider_is_kept() -> None:
    told = spider.settings({"spider_conn_recycle_mode": 0}, "ha_rocksdb.so")
    assert "spider_conn_recycle_mode" not in told
    assert told["plugin_load_add"] == "ha_rocksdb.so;ha_spider.so"
