"""The account on our servers: who may enter it, and what it may do.

MariaDB asks the kernel who is at the other end of the socket and compares the system's name with
the account's, so the account is called as the user who runs waltax is. (What 10.11 lacks is
`unix_socket AS 'somebody'`, an account of another name.) There is no secret to keep and none to
type.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...base import proc
from .. import ENGINES

DATABASE = "waltax"
FLUSH = "waltaxflush"
"""The database of the procedures by which a loader writes memtables to tables.

That takes SUPER, which only a locked account of this name has. `driver/sql/settle.cc` calls them.
"""
# Of all other databases the account may do with the tables what it likes.
_CLOSED = ("mysql", "sys", "information_schema", "performance_schema", FLUSH)
# The server reads a statement a line.
_NOBODY = """\
FLUSH PRIVILEGES;
DELETE FROM mysql.global_priv WHERE User <> 'mariadb.sys';
DELETE FROM mysql.proxies_priv;
DELETE FROM mysql.db;
FLUSH PRIVILEGES;
"""


def user() -> str:
    """Return the account's name. Errors: UsageError for a user whom the system has no name for."""
    return proc.user_name(
        "a MariaDB server knows users by their names; start waltax as another user"
    )


def of_a_new_server(engine: str) -> str:
    """Statements after which ours is the only account that can be entered."""
    return _NOBODY + beside_others(engine)


def beside_others(engine: str) -> str:
    """Statements that make our account and database, and take from no account what it may do.

    Where the user's own data directory has an account of our name, it keeps its rights, and its
    password becomes the kernel's word.
    """
    account = f"`{user().replace('`', '``')}`@localhost"
    lines = [
        "SET NAMES utf8mb4;",
        f"CREATE DATABASE IF NOT EXISTS {DATABASE} CHARACTER SET latin1 COLLATE latin1_bin;",
        f"CREATE USER IF NOT EXISTS {account} IDENTIFIED VIA unix_socket;",
        f"ALTER USER {account} IDENTIFIED VIA unix_socket;",
        # What the engines say of their files in information_schema.
        f"GRANT PROCESS ON *.* TO {account};",
        # Further databases, a workload's each.
        f"GRANT ALL PRIVILEGES ON `{DATABASE}\\_%`.* TO {account};",
        *_flushing(account, ENGINES[engine].served.flushes),
        _every_database(account),
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


def _every_database(account: str) -> str:
    """Only the server knows how its folders' names spell a database's. A grant has patterns."""
    closed = ", ".join(f"'{name}'" for name in _CLOSED)
    grantee = account.replace("\\", "\\\\").replace("'", "''")
    name = "d.name"
    for letter, told in (("`", "``"), ("_", r"\\_"), ("%", r"\\%")):
        name = f"REPLACE({name}, '{letter}', '{told}')"
    return (
        "BEGIN NOT ATOMIC FOR d IN (SELECT schema_name AS name FROM information_schema.schemata "
        f"WHERE schema_name NOT IN ({closed})) DO EXECUTE IMMEDIATE "
        f"CONCAT('GRANT ALL PRIVILEGES ON `', {name}, '`.* TO {grantee}'); END FOR; END;"
    )
