"""Every key of a LinkBench configuration: what it accepts, and what it does here.

Names, defaults and required keys are those of the original (its Config.java and the two stock
files); the keys of `_EXTENSIONS` are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ...driver.argv import Scalar
from ...driver.original import values
from ...driver.original.values import Kind


class Phase(StrEnum):
    """The two phases of a benchmark, by the name of the driver's command."""

    LOAD = "load"
    RUN = "run"


_NEVER: frozenset[Phase] = frozenset()
_LOAD = frozenset({Phase.LOAD})
_RUN = frozenset({Phase.RUN})
_BOTH = _LOAD | _RUN


@dataclass(frozen=True)
class Key:
    """A key that a configuration may have."""

    name: str
    kind: Kind
    default: Scalar | None = None
    needed: frozenset[Phase] = _NEVER  # phases that need it
    flag: frozenset[Phase] = _NEVER  # phases whose driver command has a flag of this name
    unused: str = ""  # why the key changes nothing
    dead: bool = False  # it should do something, but does nothing in the original either


# In the order in which the original adds the percentages up. Those of nodes may be absent.
LINK_OPERATIONS = ("addlink", "deletelink", "updatelink", "countlink", "getlink", "getlinklist")
NODE_OPERATIONS = ("addnode", "updatenode", "deletenode", "getnode")

# Access distributions that a run needs, those of nodes only if it touches nodes.
LINK_ACCESSES = ("read_", "write_")
NODE_ACCESSES = ("node_read_", "node_update_", "node_delete_")
UNCORRELATED = "read_uncorr_"

LOAD_GENERATORS = ("link_add_datagen", "node_add_datagen")
RUN_GENERATORS = ("link_up_datagen", "node_up_datagen")

_DISTRIBUTIONS = {
    "ZipfDistribution": "zipf",
    "UniformDistribution": "uniform",
    "GeometricDistribution": "geometric",
}
_GENERATORS = {"MotifDataGenerator": "motif", "UniformDataGenerator": "uniform"}
# The store of --engine replaces all stores that speak to a server.
STORES = {
    "LinkStoreMysql": "rocksdb",
    "LinkStoreRocksDb": "rocksdb",
    "LinkStoreHBaseGeneralAtomicityTesting": "rocksdb",
    "MemoryLinkStore": "rocksdb",
}
_PERCENT = values.number(0, 100)
_PROBABILITY = values.number(1e-6, 1 - 1e-6)
_SECONDS_MAX = 10_000_000


def _graph() -> Iterator[Key]:
    yield Key("linkstore", values.class_name(STORES), needed=_BOTH)
    yield Key("nodestore", values.class_name(STORES))
    yield Key("write_options_sync", values.boolean())
    yield Key("write_options_disableWAL", values.boolean())
    for name in ("startid1", "maxid1"):
        yield Key(name, values.whole(1), needed=_BOTH, flag=_BOTH)
    yield Key("link_type_count", values.whole(1, 1000), default=1, flag=_BOTH)
    functions = ("real", "const", "reciprocal", "multiples", "perfect_squares", "exponential")
    yield Key("nlinks_func", values.choice(*functions), needed=_BOTH, flag=_BOTH)
    yield Key("nlinks_config", values.whole(1, 10**9))
    yield Key("nlinks_default", values.whole(0, 10**9))
    yield Key("data_file", values.text())
    yield Key("randomid2max", values.whole(0, 2**31 - 1), default=0, flag=_BOTH)
    for name in ("link_datasize", "node_datasize"):
        yield Key(name, values.number(0.01, 1e6), needed=_BOTH, flag=_BOTH)
    for generator in LOAD_GENERATORS:
        yield from _generator(generator, _BOTH)


def _generator(name: str, phases: frozenset[Phase]) -> Iterator[Key]:
    yield Key(name, values.class_name(_GENERATORS), needed=phases)
    for end in ("startbyte", "endbyte"):
        yield Key(f"{name}_{end}", values.whole(0, 255), needed=phases, flag=phases)
    yield Key(f"{name}_uniqueness", values.number(0, 1))
    # DEVIATION T4
    never_read = "the original looks for it where it never is: motifs have 512 bytes"
    yield Key(f"{name}_motif_length", values.text(), unused=never_read, dead=True)


def _requests() -> Iterator[Key]:
    for name in LINK_OPERATIONS:
        yield Key(name, _PERCENT, needed=_RUN, flag=_RUN)
    for name in (*NODE_OPERATIONS, "getlinklist_history", f"{UNCORRELATED}blend"):
        yield Key(name, _PERCENT, default=0.0, flag=_RUN)
    for prefix in (*LINK_ACCESSES, *NODE_ACCESSES, UNCORRELATED):
        yield from _access(prefix)
    for generator in RUN_GENERATORS:
        yield from _generator(generator, _RUN)
    yield Key("link_multiget_dist", values.class_name({"GeometricDistribution": "geometric"}))
    yield Key("link_multiget_dist_min", values.whole(0, 1023))
    yield Key("link_multiget_dist_max", values.whole(1, 1024))
    yield Key("link_multiget_dist_prob", _PROBABILITY)
    yield Key("id2gen_config", values.whole(0, 1), default=0, flag=_RUN)


def _access(prefix: str) -> Iterator[Key]:
    needed = _RUN if prefix in LINK_ACCESSES else _NEVER
    yield Key(f"{prefix}function", values.class_name(_DISTRIBUTIONS), needed=needed, flag=_RUN)
    yield Key(f"{prefix}shape", values.number(1e-6, 10), flag=_RUN)
    yield Key(f"{prefix}prob", _PROBABILITY, flag=_RUN)
    yield Key(f"{prefix}config", values.text(), unused="no function that we offer reads it")
    yield Key(f"{prefix}mean", values.text(), unused="it scales a forecast that nothing uses")


def _phases() -> Iterator[Key]:
    yield Key("workload_file", values.text())
    yield Key("loaders", values.whole(1), needed=_LOAD)
    always = Kind("true (nodes are always loaded)", values.choice("true").parse)
    yield Key("generate_nodes", always, needed=_LOAD)
    yield Key("load_random_seed", values.whole())
    yield Key("requesters", values.whole(0, 1024), needed=_RUN)
    yield Key("requests", values.whole(1), needed=_RUN)
    yield Key("requestrate", values.whole(high=10**6), default=0)
    yield Key("maxtime", values.whole(1, _SECONDS_MAX), needed=_RUN)
    yield Key("warmup_time", values.whole(high=_SECONDS_MAX), default=0)
    yield Key("max_failed_requests", values.whole(), default=0)
    yield Key("request_random_seed", values.whole())


# Settings of an embedded engine, or of a server when it was started.
OF_THE_ENGINE = (
    *("write_options_sync", "write_options_disableWAL"),
    *("block_cache_mb", "write_buffer_mb", "compression"),
)


def _extensions() -> Iterator[Key]:
    """Yield waltax's own keys, so that a file can say all that the driver must know."""
    yield Key("degree_cap", values.whole(0), flag=_BOTH)
    yield Key("max_retries", values.whole(0, 10**6), flag=_RUN)
    yield Key("block_cache_mb", values.whole(0, 10**6), flag=_BOTH)
    yield Key("write_buffer_mb", values.whole(1, 10**6), flag=_BOTH)
    yield Key("compression", values.choice("none", "lz4", "snappy", "zstd"), flag=_BOTH)


_UNUSED = {
    "the engine is embedded, or its server is the one of --socket, --user and --database": (
        *("host", "user", "password", "port", "dbid", "linktable", "counttable", "nodetable"),
        *("mysql_bulk_insert_batch", "mysql_disable_binlog_load"),
    ),
    "there is a line of progress every ten seconds, and the result": (
        *("debuglevel", "load_progress_interval", "req_progress_interval"),
        *("progressfreq", "displayfreq"),
    ),
    "percentiles come from every request, not from samples": ("maxsamples",),
    "the loader cuts its work itself": ("loader_chunk_size",),
    "it belongs to the original's MapReduce driver": (
        *("reportprogress", "tempdir", "loaddata", "useinputfiles"),
    ),
}
# DEVIATION T1, T5: keys that do nothing in the original stay without effect here.
_DEAD = {
    "the original reads read_uncorr_ in its place: link writes use that, and so do we": tuple(
        f"write_uncorr_{word}" for word in ("blend", "function", "shape", "prob", "config", "mean")
    ),
    "the original spells it mysql_ in lower case, which has no effect here either": (
        *("MySQL_bulk_insert_batch", "MySQL_disable_binlog_load"),
    ),
}


def _without_effect() -> Iterator[Key]:
    for dead, table in ((False, _UNUSED), (True, _DEAD)):
        for reason, names in table.items():
            for name in names:
                yield Key(name, values.text(), unused=reason, dead=dead)


KEYS: dict[str, Key] = {
    key.name: key
    for group in (_graph(), _requests(), _phases(), _extensions(), _without_effect())
    for key in group
}
