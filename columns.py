"""The columns of a row: name, type, unit, meaning. Names end in their unit, then the statistic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .axes import AXES

_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "bool": (bool,),
    "list": (list,),  # of texts
    "records": (list,),  # of objects
    "numbers": (list,),
    "object": (dict,),  # of texts
}


_ITEMS: dict[str, type | tuple[type, ...]] = {
    "list": str,
    "records": dict,
    "numbers": (int, float),
}


_JSON = {
    **{"int": "integer", "float": "number", "str": "string", "bool": "boolean"},
    **dict.fromkeys(_ITEMS, "array"),
}


@dataclass(frozen=True)
class Column:
    """One documented column. A name ending in `*` stands for a family of columns.

    A column that is not required may be absent or null: it was not recorded.
    """

    name: str
    type: str
    unit: str
    meaning: str
    required: bool = False
    nullable: bool = False

    def accepts(self, value: object) -> bool:
        if value is None:
            return self.nullable or not self.required
        if isinstance(value, bool):
            return self.type == "bool"
        return isinstance(value, _TYPES[self.type]) and self._holds(value)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of its values."""
        type_ = _JSON.get(self.type, self.type)
        known: dict[str, Any] = {
            "type": type_ if self.required and not self.nullable else [type_, "null"]
        }
        if type_ in ("array", "object"):
            item = {"records": "object", "numbers": "number"}.get(self.type, "string")
            known["items" if type_ == "array" else "additionalProperties"] = {"type": item}
        unit = f"{self.unit}: " if self.unit else ""
        return known | {"description": unit + self.meaning}

    def _holds(self, value: object) -> bool:
        """Return whether the items of a list, or the values of an object, have the right type."""
        if isinstance(value, list):
            return all(isinstance(one, _ITEMS[self.type]) for one in value)
        return not isinstance(value, dict) or all(isinstance(one, str) for one in value.values())


def _required(name: str, type_: str, unit: str, meaning: str, nullable: bool = False) -> Column:
    return Column(name, type_, unit, meaning, required=True, nullable=nullable)


COLUMNS: tuple[Column, ...] = (
    # Which slice this is.
    _required("schema", "int", "", "version of this record"),
    _required("campaign", "str", "", "name of the results directory"),
    Column("host", "str", "", "that measured it, of a campaign over hosts; empty: of one machine"),
    _required("session", "int", "", "fresh clones and processes, counted from 0"),
    _required("round", "int", "", "within the session, from 0"),
    _required("slice", "int", "", "running number in the campaign, in the order measured"),
    _required("status", "str", "", "ok or failed"),
    _required("failure", "str", "", "why the slice failed; null when ok", nullable=True),
    # The cell.
    _required("cell", "str", "", "the cell's id"),
    _required(
        "engine",
        "str",
        "",
        "rocksdb, myrocks, innodb, or shards of one; endpoint: its owner's server",
    ),
    _required("workload", "str", "", "linkbench, tpcc, dbbench-..., or command: a user's own"),
    _required("profile", "str", "", "the profile that sized the experiment"),
    _required("device", "str", "", "name of the place of the WAL; off writes none"),
    _required("durability", "str", "", "sync, flush, delayed or off"),
    _required("threads", "int", "", "concurrent clients"),
    *(Column(axis.name, "str", "", axis.meaning) for axis in AXES.values()),
    _required("emulated", "bool", "", "the device is a latency model, not hardware"),
    _required(
        "device_kind",
        "str",
        "",
        "where the device's figures come from: measured, datasheet, class-proxy, estimate; "
        "real for hardware, none for off; owner: a server's owner placed the log, and knows",
    ),
    Column("device_fastest", "float", "times", "a sync took as long in the drive's fastest state"),
    Column("device_slowest", "float", "times", "a sync took as long in the drive's slowest state"),
    Column(
        "placement_digest",
        "str",
        "",
        "of the resolved device: its directory and disk, or latency model",
    ),
    Column("profile_digest", "str", "", "of the profile's content"),
    Column("workload_digest", "str", "", "of a mix's file; only of mixes"),
    Column("binlog_device", "str", "", "of a server's second log; empty: it writes none"),
    Column("binlog_shares_device", "bool", "", "the binlog is on the very device of the WAL"),
    Column("binlog_emulated", "bool", "", "the binlog's device is a latency model"),
    Column("binlog_sync_every", "int", "groups", "of commits, after which it is synced; 0: never"),
    Column("binlog_digest", "str", "", "of the binlog's device, as placement_digest"),
    Column(
        "data_read_latency_us",
        "int",
        "us",
        "that a read of data was made to take at least, emulated by the tap; 0: as it is",
    ),
    # What was measured.
    _required(
        "throughput", "float", "throughput_unit", "null when the slice failed", nullable=True
    ),
    _required(
        "throughput_unit", "str", "", "requests/s, tpmC, ops/s, or metric: what a command printed"
    ),
    Column("start_unix_s", "float", "s", "when the measured part began"),
    Column("warmup_s", "float", "s", "driven but not measured, before it"),
    Column("measure_s", "float", "s", "of the requests that began in the measured part, a thread"),
    Column("driven_s", "float", "s", "by the driver's clock, from its first request to its last"),
    Column("overtime_s", "float", "s", "of that, after the measured part, for requests under way"),
    Column("requests", "int", "requests", "measured, all threads"),
    Column("rate", "float", "requests/s", "offered in an open loop; absent: a closed loop"),
    Column("unserved", "int", "requests", "of it, due and not begun at the slice's end"),
    Column("unserved_oldest_s", "float", "s", "that the first of them had been due"),
    Column("op_*", "float", "", "per operation: op_ADD_LINK_latency_us_p99, op_ADD_LINK_count"),
    Column("latency_us_*", "float", "us", "p50, p95, p99, max over all operations"),
    Column("latency_hdr", "str", "", "the whole distribution, HdrHistogram V2 base64"),
    # The workload. What is counted here spans the whole slice, with its warm-up.
    Column("isolation", "str", "", "of the workload's transactions"),
    Column("paced", "bool", "", "whether clients pause as TPC-C's terminals do (clause 5.2.5)"),
    Column("warehouses", "int", "", "TPC-C: of the data set"),
    Column("slice_requests", "int", "requests", "all threads; counters divide by this"),
    Column("unmeasured_s", "float", "s", "of requests to settle and to catch up, before it"),
    Column("age_requests", "int", "requests", "done before it, since the cell was brought up"),
    Column("commits", "int", "requests", "that changed what is stored, all threads"),
    Column("errors", "int", "requests", "still failed after their retries"),
    Column("retries", "int", "requests", "repeated after a conflict"),
    Column("new_orders_*", "int", "transactions", "TPC-C: committed, rolled_back (the 1 % rule)"),
    Column("history_queries", "int", "requests", "LinkBench: link lists of a time range"),
    Column("epochs", "records", "", "by time: end_s, requests, latency_us_p50, _p99 and _p999"),
    Column("inputs", "records", "", "what was drawn, a record per rule: see base/inputs.py"),
    Column(
        "data_bytes_loaded",
        "int",
        "bytes",
        "tables and memtables of the clone when it was opened, superseded versions included",
    ),
    Column("data_bytes", "int", "bytes", "the same after the slice"),
    # db_bench: over its whole run.
    Column("whole_run", "bool", "", "the slice is a whole run: db_bench cannot be parked"),
    Column("output_file", "str", "", "db_bench's own output, below the campaign's folder"),
    Column("elapsed_s", "float", "s", "of the benchmark, as db_bench prints it"),
    Column("operations", "int", "operations", "all threads, as db_bench prints it"),
    Column("mb_per_s", "float", "MB/s", "keys and values, in 2^20 bytes, as db_bench prints it"),
    Column("key_bytes", "int", "bytes", "of each key"),
    Column("value_bytes", "int", "bytes", "of each value; absent where they are drawn"),
    Column("compactions", "int", "compactions", "ended; flushes are none"),
    Column("compaction_read_bytes", "int", "bytes", "by compactions"),
    Column("compaction_written_bytes", "int", "bytes", "by compactions"),
    Column("flush_written_bytes", "int", "bytes", "by flushes of memtables"),
    Column("user_written_bytes", "int", "bytes", "put into memtables"),
    Column("write_amplification", "float", "", "flushed and compacted, over user_written_bytes"),
    # Evidence, all of it over the slice with its warm-up.
    Column("allowed_mismatch", "bool", "", "--allow-mismatch: the directory is of another class"),
    Column("wal_dir", "str", "", "where the WAL was to be written"),
    Column("wal_with_data", "bool", "", "the WAL was on the file system of the data"),
    Column("wal_files", "list", "", "paths of the WAL files the tap saw opened for writing"),
    Column("wal_bytes", "int", "bytes", "appended to the WAL, by the engine's counter"),
    # Of a server that its owner runs: docs/method.md.
    Column("endpoint", "str", "", "the server's URL"),
    Column("log_evidence", "str", "", "what its label rests on: counters, settings, or a word"),
    Column("log_mode", "str", "", "the durability that its settings mean; null: it says nothing"),
    Column("log_settings", "object", "", "what it says of its log (appendfsync, ...)"),
    Column("log_rewrites", "int", "", "of its log, over which wal_bytes is too small"),
    Column("log_changes", "int", "", "times that a setting of its log was changed meanwhile"),
    Column("redis_*", "int", "", "counters of INFO (redis_aof_delayed_fsync, ...)"),
    Column(
        "wal_compressed", "bool", "", "by the profile: fewer bytes arrive than the engine counts"
    ),
    Column(
        "wal_syncs",
        "int",
        "syncs",
        "of the WAL, by the engine's counter; null where it has none (innodb): see tap_syncs",
    ),
    Column(
        "tap_syncs",
        "int",
        "syncs",
        "of WAL files, seen by the tap; if sync equals wal_syncs (on a server within 1 %)",
    ),
    Column(
        "tap_sync_us_p50", "float", "us", "one WAL sync, as its caller waited; null without syncs"
    ),
    Column("tap_sync_us_p99", "float", "us", "the same, 99th percentile"),
    Column("tap_data_reads", "int", "reads", "of data files, that the tap delayed"),
    Column("tap_data_read_us_p50", "float", "us", "one of these; null without any"),
    Column("tap_data_read_us_p99", "float", "us", "the same, 99th percentile"),
    Column(
        "tap_data_reads_cached", "int", "reads", "of data files, beside them: by the page cache"
    ),
    Column(
        "disk_read_bytes", "float", "bytes", "read from a disk for driver and server (/proc/PID/io)"
    ),
    Column("tap_*", "float", "", "other counters of the tap's page"),
    Column(
        "nodes",
        "records",
        "",
        "of shards, a record per node, warm-up included: operations, reads, writes and commits of "
        "keys that it owns, wal_dir, wal_bytes and wal_syncs by its counters; of servers "
        "tap_syncs and tap_write_bytes by its tap",
    ),
    Column("client_operations", "numbers", "operations", "of shards, of each client, measured"),
    Column("forwarded", "int", "operations", "that a node asked another for (redirect)"),
    Column(
        "local_latency_us_*", "float", "us", "of operations that were not: count, mean, p50, p99"
    ),
    Column("forwarded_latency_us_*", "float", "us", "of those that were"),
    Column("binlog_files", "list", "", "paths of the binlog's files that the tap saw written"),
    Column("binlog_bytes", "int", "bytes", "written to the binlog, by the tap"),
    Column("binlog_writes", "int", "writes", "the same, calls"),
    Column("binlog_syncs", "int", "syncs", "of the binlog's files, by the tap"),
    Column("binlog_syncs_at_once", "int", "syncs", "of them that the tap answered at once"),
    Column("binlog_bypasses", "int", "", "accesses to the binlog that went around the tap"),
    Column("binlog_*", "int", "", "status variables of the server (Binlog_group_commits, ...)"),
    Column("rocksdb_write_self", "int", "writes", "commit groups (a leader writes its group)"),
    Column("rocksdb_write_other", "int", "writes", "commits written by another's leader"),
    Column(
        "rocksdb_*",
        "int",
        "",
        "counters of the engine (rocksdb.wal.synced; those of reads in `why` and with a bound on "
        "memory alone), or status variables of MyRocks (Rocksdb_...)",
    ),
    Column("innodb_*", "int", "", "status variables of InnoDB (Innodb_os_log_written, ...)"),
    Column("perf_*", "int", "", "RocksDB's perf context, summed over threads; of older rows"),
    Column("cpu_user_s", "float", "s", "CPU time of the driver's process, user mode"),
    Column("cpu_system_s", "float", "s", "the same, kernel mode"),
    Column("cpu_server_user_s", "float", "s", "of the server's process, user mode (to 10 ms)"),
    Column("cpu_server_system_s", "float", "s", "the same, kernel mode"),
    Column(
        "cpu_driver_s",
        "float",
        "s",
        "of the driver's, drawing requests (cost over a null store); of db_bench 0",
    ),
    Column(
        "cpu_engine_s",
        "float",
        "s",
        "the rest of the driver's, and the server's: the engine, its background threads too, and "
        "the way to it",
    ),
    Column("cpu_workers_s", "float", "s", "CPU time of the worker threads alone"),
    Column("context_switches_voluntary", "int", "switches", "of the driver's process"),
    Column("context_switches_involuntary", "int", "switches", "the same, preempted"),
    Column(
        "sched_run_s",
        "float",
        "s",
        "on a CPU, all threads of driver and server (/proc/PID/task/TID/schedstat); of a command "
        "the server's alone",
    ),
    Column(
        "sched_background_run_s", "float", "s", "of that, the threads in which RocksDB compacts"
    ),
    Column("sched_wait_s", "float", "s", "the same threads, runnable and waiting for a CPU"),
    Column("sched_switches_voluntary", "float", "switches", "the same threads, when they waited"),
    # The machine during the slice.
    Column("machine_busy_cpu_s", "float", "s", "CPU time of all processes"),
    Column("cpu_foreign_s", "float", "s", "of that, neither the driver's nor the server's"),
    Column(
        "machine_rescheduling_ipis",
        "float",
        "interrupts",
        "by which a CPU told another that a thread can run (/proc/interrupts)",
    ),
    Column(
        "machine_idle_entries",
        "float",
        "halts",
        "entries of all CPUs into cpuidle's states other than POLL; absent without cpuidle",
    ),
    Column("machine_elapsed_s", "float", "s", "between the samples of these, before and after"),
    Column(
        "cgroup_throttled_s",
        "float",
        "s",
        "in which a cgroup of ours, or of a program under test, was denied its CPUs",
    ),
    # A bound on the cell's memory, where there is one.
    Column(
        "memory_bound",
        "str",
        "",
        "what holds it: cgroup v1, cgroup v2, or direct I/O (a cache so large, and data read past "
        "the page cache)",
    ),
    Column("memory_bound_bytes", "int", "bytes", "asked for, an emulated log aside"),
    Column("memory_ratio", "float", "", "of the data set's size to that, as it was planned"),
    Column(
        "memory_limit_bytes",
        "int",
        "bytes",
        "what the kernel held to at most: the bound, and memory_log_bytes",
    ),
    Column(
        "memory_used_bytes_max",
        "int",
        "bytes",
        "programs and their page cache at their largest, of cgroup v2 of 50 looks a second; of "
        "direct I/O the programs alone",
    ),
    Column("memory_page_cache_bytes", "int", "bytes", "of that, pages of files on a disk, after"),
    Column(
        "memory_log_bytes",
        "int",
        "bytes",
        "files in memory at their largest: an emulated log, which takes nothing from the data",
    ),
    Column("memory_outside", "int", "programs", "driver and server, that are not in the group"),
    Column("disturbed", "list", "", "what disturbed the slice from outside, by the profile's rule"),
    Column(
        "wal_below",
        "str",
        "",
        "what is below the log's file system: counted (by which devices), uncounted or memory",
    ),
    Column(
        "wal_devices",
        "records",
        "",
        "what each block device below the log counted: writes, write_bytes, flushes, write_ms and "
        "flush_ms; see devices/witness.py",
    ),
    Column(
        "process_read_bytes",
        "float",
        "bytes",
        "read from devices for driver and server (/proc/PID/io): what no cache had",
    ),
    Column(
        "diskstats_*",
        "float",
        "",
        "/proc/diskstats deltas of the WAL's and data's devices: reads, writes, flushes, their "
        "bytes, and ms of each",
    ),
    Column("psi_*", "float", "s", "time some or all tasks stalled, /proc/pressure"),
    Column(
        "cell_psi_*",
        "float",
        "s",
        "the same of driver and server alone (cell_psi_io_some_s), by their group; absent where "
        "the kernel lets us have none",
    ),
    Column(
        "iowait_s",
        "float",
        "s",
        "idle CPU time with a request under way: never more than was idle, so that it hides waits "
        "of a busy machine",
    ),
    Column("steal_s", "float", "s", "CPU time the hypervisor gave to others"),
    # Provenance.
    Column("versions", "object", "", "name to version: waltax, rocksdb, mariadb, ..."),
    Column("git_commit", "str", "", "of waltax"),
    Column("tap_digest", "str", "", "of the tap's library file"),
    Column("driver_digest", "str", "", "of the driver program's file, or of db_bench's"),
    Column("server_digest", "str", "", "of the server's program file and of its engine's plugin"),
    Column(
        "engine_files",
        "object",
        "",
        "what the process really mapped of the engine (/proc/PID/maps): each file's sha256",
    ),
    Column(
        "engine_linked_in",
        "bool",
        "",
        "the engine is part of the program: the sha256 is that of the executable",
    ),
    Column("build_revision", "str", "", "the git revision of a named build's sources, if known"),
    Column("driver_compiler", "str", "", "of the driver program: name and version"),
    Column("driver_compiler_flags", "str", "", "with which it was compiled, as CMake has them"),
    Column("kernel", "str", "", "uname -r"),
    Column("cpu_model", "str", "", "as /proc/cpuinfo names it"),
    Column("cores", "int", "", "CPUs that waltax and its programs may use"),
    Column("memory_gib", "float", "GiB", "of the machine"),
    Column("generator_cpu_us_per_op", "float", "us", "CPU of the driver alone, no engine"),
    Column("seed", "int", "", "of the operation stream"),
    Column("flags", "list", "", "the driver's command line"),
    _required("warnings", "list", "", "what makes the number doubtful, a sentence each"),
)
