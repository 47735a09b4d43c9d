"""A table over all nodes of shards on each node, by MariaDB's storage engine Spider.

A client that is tied to one node queries that table there. The server finds the partition of the
key, and queries the node that owns it, possibly itself, with the account of its own user.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import Settings
from . import account

TABLE = "usertable_all"
"""The table over all nodes, each of which has a part in `usertable`."""
_PART = "usertable"
_PLUGIN = "ha_spider.so"
_COLUMNS = (
    "SET @columns = (SELECT GROUP_CONCAT(CONCAT(column_name, ' ', column_type, ' NOT NULL', "
    "IFNULL(CONCAT(' DEFAULT ', column_default), '')) ORDER BY ordinal_position) "
    f"FROM information_schema.columns WHERE table_schema = '{account.DATABASE}' "
    f"AND table_name = '{_PART}');"
)
TUNED: Settings = {
    # It also queries its own node.
    "spider_same_server_link": True,
    # One round trip a statement. By default it reconnects for each and sends eight more, so that a
    # sync of the log is only a small part of a commit.
    "spider_conn_recycle_mode": 1,
    "spider_remote_autocommit": 1,
    "spider_remote_trx_isolation": 1,
    "spider_sync_trx_isolation": 0,
    "spider_sync_autocommit": False,
    "spider_sync_sql_mode": False,
    "spider_semi_trx": False,
}
"""Settings that limit a hop to one round trip; a profile may override them."""


def settings(given: Settings, plugin: str) -> Settings:
    """Return a node's settings in addition to `given`; `plugin` is what it loads besides Spider."""
    ours = {name: value for name, value in TUNED.items() if name not in given}
    return {"plugin_load_add": f"{plugin};{_PLUGIN}", **ours}


def at_socket(socket: Path) -> str:
    """Return how another server of ours, which the kernel authenticates, connects to a node."""
    return f"SOCKET '{socket}', USER '{account.user()}'"


def statements(places: Sequence[str], bounds: Sequence[str]) -> str:
    """Return what each node runs when it starts, a statement a line: servers, account and table.

    `places` describe how to reach each node, in order, as `at_socket` does, and `bounds` are the
    first keys of all nodes but the first. The table has the columns of the local part.
    """
    user, database = f"`{account.user()}`@localhost", account.DATABASE
    servers = (
        f"CREATE OR REPLACE SERVER node{number} FOREIGN DATA WRAPPER mysql OPTIONS ({place}, "
        f"DATABASE '{database}');"
        for number, place in enumerate(places)
    )
    limits = [*(f"('{bound}')" for bound in bounds), "(MAXVALUE)"]
    parts = ", ".join(
        f"PARTITION p{number} VALUES LESS THAN {limit} COMMENT = 'srv \"node{number}\"'"
        for number, limit in enumerate(limits)
    )
    rest = (
        ", PRIMARY KEY (id)) ENGINE=SPIDER DEFAULT CHARSET=latin1 COLLATE=latin1_bin "
        f'COMMENT=\'wrapper "mysql", table "{_PART}"\' '
        f"PARTITION BY RANGE COLUMNS (id) ({parts})"
    ).replace("'", "''")
    lines = [
        # The kernel authenticates the client, another server of ours.
        f"CREATE USER IF NOT EXISTS {user} IDENTIFIED VIA unix_socket;",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {database}.* TO {user};",
        *servers,
        _COLUMNS,
        f"EXECUTE IMMEDIATE CONCAT('CREATE OR REPLACE TABLE {database}.{TABLE} (', @columns, "
        f"'{rest}');",
    ]
    return "\n".join(lines) + "\n"
