"""A table over all nodes of shards on each of them: MariaDB's storage engine Spider.

A client that is tied to one node asks that table there. The server finds the partition of the key,
and asks the node that owns it, itself included, by the account that the server runs as.
"""

from __future__ import annotations

import pwd
from collections.abc import Sequence
from pathlib import Path

from .. import Settings
from . import access, account

TABLE = "usertable_all"
"""The table over all nodes, of which each has a part in `usertable`."""
_PART = "usertable"
_PLUGIN = "ha_spider.so"
_COLUMNS = (
    "SET @columns = (SELECT GROUP_CONCAT(CONCAT(column_name, ' ', column_type, ' NOT NULL', "
    "IFNULL(CONCAT(' DEFAULT ', column_default), '')) ORDER BY ordinal_position) "
    f"FROM information_schema.columns WHERE table_schema = '{account.DATABASE}' "
    f"AND table_name = '{_PART}');"
)
TUNED: Settings = {
    # Its own node is one that it asks.
    "spider_same_server_link": True,
    # One round trip a statement. By default it connects anew for each, and sends eight more: then a
    # sync of the log is a small part of what a commit takes.
    "spider_conn_recycle_mode": 1,
    "spider_remote_autocommit": 1,
    "spider_remote_trx_isolation": 1,
    "spider_sync_trx_isolation": 0,
    "spider_sync_autocommit": False,
    "spider_sync_sql_mode": False,
    "spider_semi_trx": False,
}
"""What a node is told so that the price of a hop is one round trip; a profile may replace it."""


def settings(told: Settings, plugin: str) -> Settings:
    """What a node is told beside `told`; `plugin` is what it loads without Spider."""
    ours = {name: value for name, value in TUNED.items() if name not in told}
    return {"plugin_load_add": f"{plugin};{_PLUGIN}", **ours}


def at_socket(socket: Path) -> str:
    """How a node is reached by another server of ours, whom the kernel vouches for."""
    return f"SOCKET '{socket}', USER '{_user()}'"


def statements(places: Sequence[str], bounds: Sequence[str]) -> str:
    """What each node runs when it starts, a statement a line: servers, account and the table.

    `places` say how each node is reached, in their order, as `at_socket` does, and `bounds` are the
    first keys of all but the first. The table has the columns of the part that is there.
    """
    user, database = f"`{_user()}`@localhost", account.DATABASE
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
        ", PRIMARY KEY (ycsb_key)) ENGINE=SPIDER DEFAULT CHARSET=latin1 COLLATE=latin1_bin "
        f'COMMENT=\'wrapper "mysql", table "{_PART}"\' '
        f"PARTITION BY RANGE COLUMNS (ycsb_key) ({parts})"
    ).replace("'", "''")
    lines = [
        # The kernel says who asks: another server of ours.
        f"CREATE USER IF NOT EXISTS {user} IDENTIFIED VIA unix_socket;",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {database}.* TO {user};",
        *servers,
        _COLUMNS,
        f"EXECUTE IMMEDIATE CONCAT('CREATE OR REPLACE TABLE {database}.{TABLE} (', @columns, "
        f"'{rest}');",
    ]
    return "\n".join(lines) + "\n"


def _user() -> str:
    """Whom the servers run as."""
    ids = access.owner()
    return account.user() if ids is None else pwd.getpwuid(ids[0]).pw_name
