"""What a profile may not set: the settings that waltax, a cell or another key decides.

A setting that a profile could still change would be measured under a label that denies it, or
would write where nobody looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Of a driver. Statistics are the witness beside the tap's, and the store is what was asked for.
DRIVER = frozenset(
    {
        *("db", "wal_dir", "options_file", "print_options", "store", "socket", "user", "database"),
        *("durability", "threads", "seed", "block_cache_mb", "stats_level", "perf_level"),
    }
)
# Of RocksDB's DBOptions: places, and what `max_total_wal_mb` says.
DB_OPTIONS = frozenset(
    {
        *("wal_dir", "db_log_dir", "db_paths", "max_total_wal_size"),
        *("create_if_missing", "error_if_exists", "block_cache"),
    }
)
# Of a server, of which each name that begins so is ours: files, plugins, replication, keys, debug.
_SERVER_FAMILIES = ("log_", "plugin_", "wsrep_", "relay_", "ssl_", "debug_", "binlog_")
_SERVER = (
    *("datadir", "basedir", "tmpdir", "chroot", "user", "pid_file", "lc_messages_dir"),
    *("character_sets_dir", "general_log_file", "slow_query_log_file", "slow_query_log"),
    *("slave_load_tmpdir", "master_info_file", "des_key_file", "ignore_db_dirs"),
    # Who may connect, and where from.
    *("socket", "port", "extra_port", "bind_address", "skip_networking", "unix_socket", "ssl"),
    *("proxy_protocol_networks", "skip_grant_tables", "safe_user_create", "secure_file_priv"),
    # What it runs or loads by itself.
    *("init_file", "init_connect", "init_slave", "allow_suspicious_udfs", "event_scheduler"),
    # Places of an engine's files.
    *("aria_log_dir_path", "rocksdb_datadir", "rocksdb_wal_dir", "rocksdb_tmpdir"),
    *("rocksdb_persistent_cache_path", "innodb_data_home_dir", "innodb_data_file_path"),
    *("innodb_log_group_home_dir", "innodb_undo_directory", "innodb_tmpdir"),
    *("innodb_temp_data_file_path", "innodb_buffer_pool_filename"),
    # What makes a mode what it is.
    *("rocksdb_flush_log_at_trx_commit", "rocksdb_manual_wal_flush", "rocksdb_write_disable_wal"),
    *("innodb_flush_log_at_trx_commit", "innodb_flush_log_at_timeout", "innodb"),
    *("innodb_read_only", "innodb_force_recovery", "flush", "debug", "read_only"),
)
# What would make a correct run look wrong, or another one: how commits, syncs and bytes arrive.
_COUNTED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "rocksdb_write_policy": (
        ("write_committed",),
        "others write two groups a commit and sync one, so that groups tell no commits",
    ),
    "innodb_log_file_buffering": (
        ("true", "on", "1"),
        "without it the log is written by O_DIRECT, which is another experiment",
    ),
}
# MariaDB takes these before the name of a setting, in any order.
_BEFORE = re.compile("(?:skip|disable|enable|maximum|loose|autoset)_(.+)")
_NAME = re.compile("[A-Za-z][A-Za-z0-9_-]*")


INSTEAD = {
    "max_total_wal_size": "give max_total_wal_mb under [rocksdb]",
    "block_cache_mb": "give block_cache_mb under [rocksdb]",
    "cache_size": "give block_cache_mb under [rocksdb]",
    "block_cache": "give block_cache_mb under [rocksdb]",
    "num": "give it under [dbbench.load]",
    "key_size": "give it under [dbbench.load]",
    "value_size": "give it under [dbbench.load]",
    "duration": "give measure_s under [timing]",
    "threads": "type --threads, or give it at the top of the profile",
    "seed": "type --seed",
    "durability": "type --wal",
    "sync": "type --wal sync or --wal flush",
    "disable_wal": "`off` is measured beside each device; leave it out",
    "innodb_flush_log_at_trx_commit": "type --wal",
    "rocksdb_flush_log_at_trx_commit": "type --wal",
    "wal_dir": "type --wal-dir",
    "rocksdb_wal_dir": "type --wal-dir",
    "innodb_log_group_home_dir": "type --wal-dir",
    "datadir": "type --data-dir",
    **dict.fromkeys(
        ("readproportion", "updateproportion", "insertproportion", "scanproportion"),
        "type --workload ycsb-a to ycsb-f, or any mix by waltax ycsb run -p, at one place",
    ),
    "log_bin": "type --binlog",
}
"""What a person does who wants what a setting of ours says."""


def _advice(found: Iterable[str]) -> str:
    return ", or ".join(dict.fromkeys(INSTEAD.get(name, "leave it out") for name in found))


def refuse(names: Iterable[str], ours: frozenset[str]) -> None:
    """Errors: ValueError for a flag of `ours`, with `-` or `_`, and for what is no flag's name."""
    for name in names:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"{name}: a name has letters, digits and `_`, and nothing else")
    plain = {name: name.replace("-", "_").lower() for name in names}
    meant = {name: {of, of.removeprefix("no_")} & ours for name, of in plain.items()}
    if found := sorted(name for name in meant if meant[name]):
        advice = _advice(one for name in found for one in meant[name])
        raise ValueError(f"{', '.join(found)}: set by waltax itself; {advice}")


def refuse_variables(settings: Mapping[str, object]) -> None:
    """Errors: ValueError for a variable of a server that is ours, however it is written.

    A server takes the beginning of a name for the name, and words like `loose_` before it.
    """
    for name in settings:
        if re.fullmatch("[a-z0-9_]+", name) is None:
            raise ValueError(f"{name}: variables are in small letters with `_`, as SHOW has them")
    found = sorted(name for name in settings if any(map(_is_ours, _written(name))))
    if found:
        raise ValueError(f"{', '.join(found)}: set by waltax for each cell; {_advice(found)}")
    for name, value in settings.items():
        for counted in _COUNTED.keys() & _written(name):
            (accepted, why), given = _COUNTED[counted], str(value).lower()
            if given not in accepted or name.removeprefix("loose_") != counted:
                raise ValueError(f"{name}: found {given}, want {counted} = {accepted[0]}: {why}")


def _written(name: str) -> list[str]:
    """The name, and what is left of it without each word before it."""
    found = [name]
    while match := _BEFORE.fullmatch(found[-1]):
        found.append(match[1])
    return found


def _is_ours(name: str) -> bool:
    if name.startswith(_SERVER_FAMILIES):
        return True
    return any(one.startswith(name) for one in (*_SERVER, *_SERVER_FAMILIES))
