"""What the keys of a LinkBench configuration mean here.

Most are flags of the driver, which says what each may be and how they fit together; the others are
read here. Names and defaults are those of the original (its Config.java and the two stock files).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ...base.errors import UsageError, meant
from ...base.printable import shorten
from ...driver.argv import Scalar
from ...driver.original import values
from ...driver.original.properties import Properties
from ...driver.original.values import Kind
from .properties import Config, find


class Phase(StrEnum):
    """The two phases of a benchmark, by the name of the driver's command."""

    LOAD = "load"
    RUN = "run"


_LINKS = ("addlink", "deletelink", "updatelink", "countlink", "getlink", "getlinklist")
_NODES = ("addnode", "updatenode", "deletenode", "getnode")
_ACCESSES = ("read", "write", "read_uncorr", "node_read", "node_update", "node_delete")
_ARITHMETIC = ("nlinks_config", "nlinks_default")
_MULTIGET = ("min", "max", "prob")
_LOADED, _REQUESTED = (
    ("link_add_datagen", "node_add_datagen"),
    ("link_up_datagen", "node_up_datagen"),
)
_BYTES = ("startbyte", "endbyte")
# Keys that are flags of the driver: of both its commands, and of `run` alone. The second line are
# keys of ours.
_GRAPH = (
    *("startid1", "maxid1", "link_type_count", "nlinks_func", "randomid2max"),
    *("link_datasize", "node_datasize", "degree_cap", "block_cache_mb"),
    *(f"{generator}_{end}" for generator in _LOADED for end in _BYTES),
)
_REQUESTS = (
    *(*_LINKS, *_NODES, "getlinklist_history", "read_uncorr_blend", "id2gen_config", "max_retries"),
    *(f"{access}_{of}" for access in _ACCESSES for of in ("function", "shape", "prob")),
    *(f"{generator}_{end}" for generator in _REQUESTED for end in _BYTES),
)

_STORES = dict.fromkeys(
    (
        *("LinkStoreMysql", "LinkStoreRocksDb", "MemoryLinkStore"),
        "LinkStoreHBaseGeneralAtomicityTesting",
    ),
    "ours",
)
_DISTRIBUTIONS = {
    "ZipfDistribution": "zipf",
    "UniformDistribution": "uniform",
    "GeometricDistribution": "geometric",
}
_BYTES_OF = {"MotifDataGenerator": "motif", "UniformDataGenerator": "uniform"}
_DEGREES = ("real", "const", "reciprocal", "multiples", "perfect_squares", "exponential")
_MOST_S = 10_000_000
# What is read here, or has another name in the driver.
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("linkstore", "nodestore"), values.class_name(_STORES)),
    **dict.fromkeys(("write_options_sync", "write_options_disableWAL"), values.boolean()),
    **dict.fromkeys(("startid1", "maxid1", "loaders", "requests"), values.whole(1)),
    **dict.fromkeys(
        ("max_failed_requests", "load_random_seed", "request_random_seed"), values.whole()
    ),
    "generate_nodes": Kind("true (nodes are always loaded)", values.choice("true").parse),
    "requesters": values.whole(0, 1024),
    "requestrate": values.whole(high=10**6),
    "maxtime": values.whole(1, _MOST_S),
    "warmup_time": values.whole(high=_MOST_S),
    "nlinks_func": values.choice(*_DEGREES),
    "link_multiget_dist": values.class_name({"GeometricDistribution": "geometric"}),
    **{f"{access}_function": values.class_name(_DISTRIBUTIONS) for access in _ACCESSES},
    **dict.fromkeys((*_LOADED, *_REQUESTED), values.class_name(_BYTES_OF)),
}
_DEFAULTS: Mapping[str, Scalar] = {
    **{"link_type_count": 1, "randomid2max": 0, "id2gen_config": 0, "getlinklist_history": 0},
    **{"read_uncorr_blend": 0, "requestrate": 0, "warmup_time": 0, "max_failed_requests": 0},
    **dict.fromkeys(_NODES, 0),
}
_NEEDED = {
    Phase.LOAD: ("loaders", "generate_nodes"),
    Phase.RUN: (
        *("requesters", "requests", "maxtime", *_LINKS, "read_function", "write_function"),
        *_REQUESTED,
    ),
}
_NEEDED_ALWAYS = (
    *("linkstore", "startid1", "maxid1", "nlinks_func", "link_datasize", "node_datasize"),
    *_LOADED,
)
# Where the original keeps its graph, what it logs, and keys that it does not read (DEVIATION T1,
# T4, T5).
_UNUSED = {
    *("host", "user", "password", "port", "dbid", "linktable", "counttable", "nodetable"),
    *("mysql_bulk_insert_batch", "mysql_disable_binlog_load", "maxsamples", "loader_chunk_size"),
    *("debuglevel", "load_progress_interval", "req_progress_interval"),
    *("progressfreq", "displayfreq", "reportprogress", "tempdir", "loaddata", "useinputfiles"),
    *(f"write_uncorr_{of}" for of in ("blend", "function", "shape", "prob", "config", "mean")),
    *(f"{access}_{of}" for access in _ACCESSES for of in ("config", "mean")),
    *(f"{generator}_motif_length" for generator in (*_LOADED, *_REQUESTED)),
    *("MySQL_bulk_insert_batch", "MySQL_disable_binlog_load"),
}
KNOWN = {
    *(*_GRAPH, *_REQUESTS, *_KINDS, *_UNUSED, *_ARITHMETIC, "data_file", "workload_file"),
    *(f"link_multiget_dist_{end}" for end in _MULTIGET),
    *(f"{generator}_uniqueness" for generator in (*_LOADED, *_REQUESTED)),
}
_STOCK_DATA_FILE = "Distribution.dat"


@dataclass(frozen=True)
class Settings:
    """Values by key, the original's defaults included; a key without either is absent.

    `notes` say what has no effect, or is probably wrong.
    """

    values: Mapping[str, Scalar]
    notes: tuple[str, ...]
    data_file: Path | None  # None: the built-in out-degrees

    def whole(self, name: str) -> int:
        """Return a value that its kind has made a whole number."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def parameters(self, phase: Phase) -> dict[str, Scalar]:
        """Return the driver's flags for one phase, as `driver.argv` takes them."""
        runs = phase is Phase.RUN
        names = (*_GRAPH, *_REQUESTS) if runs else _GRAPH
        generators = (*_LOADED, *_REQUESTED) if runs else _LOADED
        if self.values["nlinks_func"] != "real":
            names = (*names, *_ARITHMETIC)
        flags = {name: self.values[name] for name in names if name in self.values}
        if self.data_file is not None:
            flags["data_file"] = str(self.data_file)
        for name in (f"{generator}_uniqueness" for generator in generators):
            if self.values.get(name.removesuffix("_uniqueness")) == "uniform":
                flags[name] = 1.0  # a motif distribution without repetition
            elif name in self.values:
                flags[name] = self.values[name]
        return flags | self._multiget() if runs else flags

    def _multiget(self) -> dict[str, Scalar]:
        """Return how many links a multiget requests: one without a distribution."""
        if "link_multiget_dist" not in self.values:
            return {"link_multiget_min": 0, "link_multiget_max": 2}
        given = {f"link_multiget_{end}": f"link_multiget_dist_{end}" for end in _MULTIGET}
        return {flag: self.values[key] for flag, key in given.items() if key in self.values}


def check(config: Config, phases: Collection[Phase]) -> Settings:
    """Return the settings of `config`, if they are enough for `phases`.

    Errors: UsageError with the key, its file and line, what was found and what is accepted.
    """
    written = {
        name: prop
        for name, prop in config.properties.items()
        if name != "link_multiget_dist" or prop.value.strip()  # blank: none, as in the original
    }
    needed = (*_NEEDED_ALWAYS, *(name for phase in phases for name in _NEEDED[phase]))
    for name in needed:
        if name not in written:
            raise UsageError(f"{config.path}: {name}: missing, and LinkBench needs it")
    parsed = {name: _parsed(name, written) for name in written if name in KNOWN - _UNUSED}
    data_file, lost = _data_file(config, parsed)
    unused = [name for name in written if name in _UNUSED]
    notes = [
        *([f"no effect: {', '.join(unused)}; see linkbench/DEVIATIONS.md"] if unused else []),
        *lost,
        *(
            f"warning: {prop.origin}: {name}: unknown key, ignored{meant(name, KNOWN)}"
            for name, prop in written.items()
            if name not in KNOWN
        ),
    ]
    return Settings({**_DEFAULTS, **parsed}, tuple(notes), data_file)


@contextmanager
def naming_keys(properties: Properties) -> Iterator[None]:
    """Name the key and its line in a driver's error about one of its flags. Errors: UsageError."""
    try:
        yield
    except UsageError as error:
        flag = re.search(r"--([a-z0-9-]+)(.*)", str(error))
        key = flag[1].replace("-", "_").replace("multiget_m", "multiget_dist_m") if flag else ""
        if flag is None or key not in properties:
            raise
        raise UsageError(f"{properties[key].origin}: {key}{flag[2]}") from error


def _parsed(name: str, written: Properties) -> Scalar:
    prop = written[name]
    text = prop.value.strip()
    if name not in _KINDS:
        return text
    try:
        return _KINDS[name].parse(text)
    except ValueError:
        raise UsageError(
            f"{prop.origin}: {name}: found {shorten(text)!r}, want {_KINDS[name].accepted}"
        ) from None


def _data_file(config: Config, given: Mapping[str, Scalar]) -> tuple[Path | None, list[str]]:
    """Return the user's out-degrees, and a warning when only the stock ones are missing."""
    relative = str(given.get("data_file", ""))
    if not relative or given["nlinks_func"] != "real":
        return None, []
    path, tried = find(relative, config.roots)
    if path is not None:
        return path.resolve(), []
    origin = config.properties["data_file"].origin
    if Path(relative).name != _STOCK_DATA_FILE:
        raise UsageError(
            f"{origin}: data_file: found {shorten(relative)!r}, but there is no {tried}"
        )
    return None, [
        f"warning: {origin}: data_file: there is no {tried}; using the built-in copy of its CDF"
    ]
