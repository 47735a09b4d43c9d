"""Settings that a profile may not contain, because waltax, a cell or another key decides them.

If a profile could change them, its figures would have a wrong label, or files would be written
where nobody looks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

Settings = Mapping[str, object]
# Flags of a driver. Statistics are a witness beside the tap, and the user chooses the store.
DRIVER = frozenset(
    {
        *("db", "wal_dir", "options_file", "print_options", "store", "socket", "user", "database"),
        *("durability", "threads", "seed", "block_cache_mb", "stats_level"),
        *("sync_every_ms", "manual_wal_flush", "write_buffer_mb", "compression"),
        *("paced", "data_file", "nlinks_func", "nlinks_config", "nlinks_default"),
    }
)
# RocksDB's DBOptions for places, and the limit in `max_total_wal_mb`.
DB_OPTIONS = frozenset(
    {
        *("wal_dir", "db_log_dir", "db_paths", "max_total_wal_size"),
        *("create_if_missing", "error_if_exists", "block_cache"),
    }
)
# Options of RocksDB that name classes: our programs have their own.
CLASSES = frozenset(
    {
        *("comparator", "merge_operator", "table_factory"),
        *("compaction_filter", "compaction_filter_factory"),
    }
)
# Prefixes of a server's variables that are ours: files, plugins, replication, keys, debugging.
_FAMILIES = ("log_", "plugin_", "wsrep_", "relay_", "ssl_", "debug_", "binlog_")
# How long a group of commits waits for more, in MariaDB's words and MySQL's.
_THEIRS = ("binlog_commit_wait_", "binlog_group_commit_sync_")
# Variables of a server, without `skip_`.
_SERVER = (
    *("datadir", "basedir", "tmpdir", "chroot", "user", "pid_file", "lc_messages_dir"),
    *("character_sets_dir", "general_log_file", "slow_query_log_file", "slow_query_log"),
    *("slave_load_tmpdir", "master_info_file", "des_key_file", "ignore_db_dirs"),
    # Who may connect, and from where.
    *("socket", "port", "extra_port", "bind_address", "networking", "unix_socket", "ssl"),
    *("proxy_protocol_networks", "grant_tables", "safe_user_create", "secure_file_priv"),
    # What the server runs or loads by itself.
    *("init_file", "init_connect", "init_slave", "allow_suspicious_udfs", "event_scheduler"),
    # Places of an engine's files.
    *("aria_log_dir_path", "rocksdb_datadir", "rocksdb_wal_dir", "rocksdb_tmpdir"),
    *("rocksdb_persistent_cache_path", "innodb_data_home_dir", "innodb_data_file_path"),
    *("innodb_log_group_home_dir", "innodb_undo_directory", "innodb_tmpdir"),
    *("innodb_temp_data_file_path", "innodb_buffer_pool_filename"),
    # The definitions of the modes.
    *("rocksdb_flush_log_at_trx_commit", "rocksdb_manual_wal_flush", "rocksdb_write_disable_wal"),
    *("innodb_flush_log_at_trx_commit", "innodb_flush_log_at_timeout", "innodb"),
    *("innodb_read_only", "innodb_force_recovery", "flush", "debug", "read_only"),
    # All policies but the default write two groups a commit and sync one, so that groups tell no
    # commits.
    "rocksdb_write_policy",
)
# MariaDB takes these before the name of a setting, in any order.
_BEFORE = re.compile("(?:(?:skip|disable|enable|maximum|loose|autoset)_)*")
_NAME = re.compile("[A-Za-z][A-Za-z0-9_-]*")

INSTEAD = {
    "max_total_wal_size": "give max_total_wal_mb under [rocksdb]",
    "block_cache_mb": "give block_cache_mb under [rocksdb]",
    "cache_size": "give block_cache_mb under [rocksdb]",
    "block_cache": "give block_cache_mb under [rocksdb]",
    "manual_wal_flush": "give it under [rocksdb.db]",
    "write_buffer_mb": "give write_buffer_size, in bytes, under [rocksdb.column_family]",
    "compression": 'give it under [rocksdb.column_family], as in compression = "kLZ4Compression"',
    "paced": "TPC-C's terminals do not pause; give rate under [tpcc.run]",
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
    "log_bin": "type --binlog",
    **dict.fromkeys(CLASSES, "our programs have classes of their own; leave it out"),
}
"""What to type instead of a setting of ours."""


def _advice(names: Iterable[str]) -> str:
    return ", or ".join(dict.fromkeys(INSTEAD.get(name, "leave it out") for name in names))


def refuse(ours: Collection[str], settings: Settings) -> Settings:
    """Return the settings; raise ValueError for one of `ours`, with `-` or `_`, or no name."""
    for name in settings:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"{name}: a name has letters, digits and `_`, and nothing else")
    plain = {name: name.replace("-", "_").lower() for name in settings}
    meant = {name: {of, of.removeprefix("no_")} & {*ours} for name, of in plain.items()}
    if refused := sorted(name for name in meant if meant[name]):
        advice = _advice(flag for name in refused for flag in meant[name])
        raise ValueError(f"{', '.join(refused)}: set by waltax itself; {advice}")
    return settings


def refuse_variables(settings: Settings) -> Settings:
    """Return the settings of a server; raise ValueError for one that is ours.

    A server accepts the beginning of a name, and prefixes such as `loose_`.
    """
    for name in settings:
        if re.fullmatch("[a-z0-9_]+", name) is None:
            raise ValueError(f"{name}: variables are in small letters with `_`, as SHOW has them")
    if refused := sorted(filter(_is_ours, settings)):
        raise ValueError(f"{', '.join(refused)}: set by waltax for each cell; {_advice(refused)}")
    return settings


def _is_ours(name: str) -> bool:
    bare = _BEFORE.sub("", name, count=1)
    is_family = bare.startswith(_FAMILIES) and not bare.startswith(_THEIRS)
    return is_family or any(known.startswith(bare) for known in (*_SERVER, *_FAMILIES))
