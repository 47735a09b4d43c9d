"""Who can enter a server, and what the account may do there."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.engines.server import account
from waltax.engines.server.server import Server, Spec, running
from with_server import small_server, sql

Clones = Callable[..., Spec]
_FLUSHES = ("memtable_now", "memtable_and_lzero_now")


def _said(server: Server, *words: str, **user: object) -> str:
    """What the client answers, its complaint included."""
    argv = ["mariadb", "--no-defaults", f"--socket={server.socket}", "-N", *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, **user)  # type: ignore[call-overload]
    return str(done.stdout + done.stderr)


def test_the_account_reaches_no_file_and_no_variable_of_the_server(
    clone_of: Clones, engine: str, place: Path
) -> None:
    with running(clone_of(engine)) as server:
        assert sql(server, "SELECT LOAD_FILE('/etc/passwd')") == "NULL\n"
        for statement in (
            f"SELECT 1 INTO OUTFILE '{place}/out'",
            f"LOAD DATA INFILE '{server.spec.datadir}/aria_log_control' INTO TABLE kept",
            "SET GLOBAL max_connections = 7",
            f"SET GLOBAL {'rocksdb' if engine == 'myrocks' else 'innodb'}"
            "_flush_log_at_trx_commit = 2",
            "SET GLOBAL general_log_file = '/tmp/x'",
            "INSTALL SONAME 'auth_pam'",
            "CREATE USER other@localhost",
            "UPDATE mysql.global_priv SET priv = '{}'",
            "FLUSH PRIVILEGES",
            "SHUTDOWN",
            "CREATE DATABASE other",
        ):
            with pytest.raises(WaltaxError, match="denied"):
                sql(server, statement)
        assert (
            sql(server, "SHOW GLOBAL VARIABLES LIKE 'secure_file_priv'")
            .rstrip("\n/")
            .endswith(f"{server.spec.home}/no-files")
        )


def test_the_account_makes_further_databases_by_names_that_begin_like_its_own(
    clone_of: Clones, engine: str
) -> None:
    with running(clone_of(engine)) as server:
        made = "CREATE DATABASE waltax_tpcc; CREATE TABLE waltax_tpcc.t (a INT PRIMARY KEY)"
        sql(server, f"{made}; INSERT INTO waltax_tpcc.t VALUES (1); DROP DATABASE waltax_tpcc")
        with pytest.raises(WaltaxError, match="denied"):
            sql(server, "CREATE DATABASE waltaxes")


def test_a_table_lies_in_the_data_directory_only(clone_of: Clones, place: Path) -> None:
    elsewhere = place / "elsewhere"
    elsewhere.mkdir(mode=0o777)
    elsewhere.chmod(0o777)
    with running(clone_of("myrocks")) as server:
        _said(
            server, "waltax", f"-eCREATE TABLE t (a INT) ENGINE=Aria DATA DIRECTORY='{elsewhere}'"
        )
    assert not list(elsewhere.iterdir())


def test_no_other_account_of_a_new_server_can_be_entered(engine: str) -> None:
    with small_server(engine, "SELECT") as server:
        rows = sql(server, "SELECT user, host, plugin, is_role FROM mysql.user").splitlines()
        locked = "SELECT User FROM mysql.global_priv WHERE JSON_VALUE(Priv, '$.account_locked')"
        closed = set(sql(server, locked).split())
        found = {tuple(row.split("\t")) for row in rows}
        assert {row for row in found if row[0] not in closed} == {
            (account.user(), "localhost", "unix_socket", "N")
        }
        for name in ("mysql", "waltax", "mariadb.sys", account.FLUSH, "nobody"):
            assert "denied" in _said(server, f"--user={name}", "-eSELECT 1")


@pytest.mark.parametrize("what", _FLUSHES)
def test_the_account_may_write_memtables_to_tables(clone_of: Clones, what: str) -> None:
    memory = (
        "SELECT value FROM information_schema.rocksdb_cfstats "
        "WHERE cf_name = 'default' AND stat_type = 'CUR_SIZE_ACTIVE_MEM_TABLE'"
    )
    with running(clone_of("myrocks")) as server:
        sql(server, "CREATE TABLE t (a LONGTEXT); INSERT INTO t VALUES (REPEAT('x', 5000000))")
        assert int(sql(server, memory)) > 5_000_000
        sql(server, f"CALL {account.FLUSH}.{what}()")
        assert int(sql(server, memory)) < 1_000_000
        for statement in (
            f"DROP PROCEDURE {account.FLUSH}.{what}",
            f"CREATE DEFINER={account.FLUSH}@localhost PROCEDURE p() SET GLOBAL max_connections=9",
        ):
            with pytest.raises(WaltaxError, match="denied"):
                sql(server, statement)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_user_without_a_name_is_told_so() -> None:
    def become_a_stranger() -> None:
        os.seteuid(54321)

    become_a_stranger()
    try:
        with pytest.raises(UsageError, match=r"user 54321 has no name"):
            account.user()
    finally:
        os.seteuid(0)
