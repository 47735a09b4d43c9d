"""The account on our servers: who may use it, and its privileges.

MariaDB asks the kernel who is at the other end of the socket and compares the system's name with
the account's, so the account has the name of the user who runs waltax. (10.11 lacks `unix_socket AS
'somebody'`, an account of another name.) There is no password to keep or to type.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Sequence

from ...base.errors import UsageError
from .. import ENGINES

DATABASE = "waltax"
FLUSH = "waltaxflush"
"""The database of the procedures with which a loader writes memtables to tables.

That takes SUPER, which only a locked account of this name has. `driver/sql/load.cc` calls them.
"""
# The server reads one statement per line.
_NOBODY = """\
FLUSH PRIVILEGES;
DELETE FROM mysql.global_priv WHERE User <> 'mariadb.sys';
DELETE FROM mysql.proxies_priv;
DELETE FROM mysql.db;
FLUSH PRIVILEGES;
"""


def user() -> str:
    """Return the account's name. Errors: UsageError for a user without a name in the system."""
    user = os.geteuid()
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        raise UsageError(
            f"user {user} has no name (getent passwd {user} finds none), and a MariaDB server "
            "knows users by their names; start waltax as another user"
        ) from None


def of_a_new_server(engine: str) -> str:
    """Return statements that make our database and our account, the only one that can be used."""
    account = f"`{user().replace('`', '``')}`@localhost"
    lines = [
        _NOBODY + "SET NAMES utf8mb4;",
        f"CREATE DATABASE IF NOT EXISTS {DATABASE} CHARACTER SET latin1 COLLATE latin1_bin;",
        f"CREATE USER IF NOT EXISTS {account} IDENTIFIED VIA unix_socket;",
        # For the engines' tables about their files in information_schema.
        f"GRANT PROCESS ON *.* TO {account};",
        # For further databases, one per workload.
        f"GRANT ALL PRIVILEGES ON {DATABASE}.* TO {account};",
        f"GRANT ALL PRIVILEGES ON `{DATABASE}\\_%`.* TO {account};",
        *_flushing(account, ENGINES[engine].served.flushes),
    ]
    return "\n".join(lines) + "\n"


def _flushing(account: str, flushes: Sequence[str]) -> list[str]:
    if not flushes:
        return []
    lines = [
        f"CREATE DATABASE IF NOT EXISTS {FLUSH};",
        f"CREATE USER IF NOT EXISTS {FLUSH}@localhost ACCOUNT LOCK;",
        f"GRANT SUPER ON *.* TO {FLUSH}@localhost;",
        f"GRANT EXECUTE ON {FLUSH}.* TO {FLUSH}@localhost;",
        f"GRANT EXECUTE ON {FLUSH}.* TO {account};",
    ]
    for what in flushes:
        lines.append(
            f"CREATE OR REPLACE DEFINER={FLUSH}@localhost PROCEDURE {FLUSH}.{what}() "
            f"SQL SECURITY DEFINER SET GLOBAL rocksdb_force_flush_{what} = ON;"
        )
    return lines
