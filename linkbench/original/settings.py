"""What a LinkBench configuration means here: two files and the words of -D.

Most keys are flags of the driver under the same name, which says what each may be and how they fit
together; the others are read here. Names and defaults are those of the original (its Config.java
and the two stock files).
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ...base.errors import UsageError, meant
from ...base.printable import shorten
from ...driver.argv import Scalar
from ...workloads.original import values
from ...workloads.original.properties import Properties, override, read
from ...workloads.original.values import Kind

HOME_VARIABLE = "LINKBENCH_HOME"
_LONGEST = 1000  # characters of paths in a message


class Phase(StrEnum):
    """The two phases of a benchmark, by the name of the driver's command."""

    LOAD = "load"
    RUN = "run"


_ACCESSES = ("read", "write", "read_uncorr", "node_read", "node_update", "node_delete")
_LOADED, _REQUESTED = (
    ("link_add_datagen", "node_add_datagen"),
    ("link_up_datagen", "node_up_datagen"),
)
_GENERATORS = (*_LOADED, *_REQUESTED)
_OF_BYTES = ("startbyte", "endbyte", "uniqueness")
# Keys that are flags of the driver: of both its commands, and of `run` alone. The second line are
# keys of ours.
_GRAPH = (
    *("startid1", "maxid1", "link_type_count", "randomid2max", "link_datasize", "node_datasize"),
    *("degree_cap", "block_cache_mb"),
    *(f"{generator}_{of}" for generator in _LOADED for of in _OF_BYTES),
)
_REQUESTS = (
    *("addlink", "deletelink", "updatelink", "countlink", "getlink", "getlinklist"),
    *("addnode", "updatenode", "deletenode", "getnode"),
    *("getlinklist_history", "read_uncorr_blend", "id2gen_config", "max_retries"),
    *(f"{access}_{of}" for access in _ACCESSES for of in ("function", "shape", "prob")),
    *(f"{generator}_{of}" for generator in _REQUESTED for of in _OF_BYTES),
)
_MULTIGET = {f"link_multiget_dist_{end}": f"link_multiget_{end}" for end in ("min", "max", "prob")}
_MOST_S = 10_000_000


def _function(text: str) -> str:
    """Return the driver's word for a Java class, in any package: `zipf` of `ZipfDistribution`."""
    return text.rpartition(".")[2].removesuffix("Distribution").lower()


# What is read here, or is another word for the driver.
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("startid1", "maxid1", "loaders", "requests"), values.whole(1)),
    **dict.fromkeys(
        ("max_failed_requests", "load_random_seed", "request_random_seed"), values.whole()
    ),
    "requesters": values.whole(0, 1024),
    "requestrate": values.whole(high=10**6),
    "maxtime": values.whole(1, _MOST_S),
    "warmup_time": values.whole(high=_MOST_S),
    **dict.fromkeys(("write_options_sync", "write_options_disableWAL"), values.boolean()),
    "nlinks_func": Kind("real: of out-degrees waltax has those alone", values.choice("real").parse),
    "data_file": Kind(
        "Distribution.dat: its table is built in, and no other is read",
        lambda text: values.choice("distribution.dat").parse(Path(text).name),
    ),
    "link_multiget_dist": values.class_name({"GeometricDistribution": "geometric"}),
    **{f"{access}_function": Kind("", _function) for access in _ACCESSES},
    **dict.fromkeys(
        _GENERATORS, values.class_name({"MotifDataGenerator": "", "UniformDataGenerator": "1"})
    ),
}
# The original's where the driver has others, those of the stock files, and of what is read here.
_DEFAULTS: Mapping[str, Scalar] = {
    **{"startid1": 1, "link_type_count": 1, "getlinklist_history": 0, "read_uncorr_blend": 0},
    **{"requestrate": 0, "warmup_time": 0, "max_failed_requests": 0},
    **dict.fromkeys(("addnode", "updatenode", "deletenode", "getnode"), 0),
}
_NEEDED = {
    Phase.LOAD: ("maxid1", "loaders"),
    Phase.RUN: ("maxid1", "requesters", "requests", "maxtime"),
}
# Where the original keeps its graph, what it logs, and keys that it does not read (DEVIATION T1,
# T4, T5).
_UNUSED = {
    *("linkstore", "nodestore", "generate_nodes", "nlinks_config", "nlinks_default"),
    *("host", "user", "password", "port", "dbid", "linktable", "counttable", "nodetable"),
    *("mysql_bulk_insert_batch", "mysql_disable_binlog_load", "maxsamples", "loader_chunk_size"),
    *("debuglevel", "load_progress_interval", "req_progress_interval"),
    *("progressfreq", "displayfreq", "reportprogress", "tempdir", "loaddata", "useinputfiles"),
    *(f"write_uncorr_{of}" for of in ("blend", "function", "shape", "prob", "config", "mean")),
    *(f"{access}_{of}" for access in _ACCESSES for of in ("config", "mean")),
    *(f"{generator}_motif_length" for generator in _GENERATORS),
    *("MySQL_bulk_insert_batch", "MySQL_disable_binlog_load"),
}
KNOWN = {*_GRAPH, *_REQUESTS, *_KINDS, *_UNUSED, *_MULTIGET, "workload_file"}


@dataclass(frozen=True)
class Settings:
    """Values by key, the original's defaults included; a key without either is absent.

    `notes` say what has no effect, or is probably wrong.
    """

    values: Mapping[str, Scalar]
    notes: tuple[str, ...]

    def whole(self, name: str) -> int:
        """Return a value that its kind has made a whole number."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def parameters(self, phase: Phase) -> dict[str, Scalar]:
        """Return the driver's flags for one phase, as `driver.argv` takes them."""
        runs = phase is Phase.RUN
        names = (*_GRAPH, *_REQUESTS) if runs else _GRAPH
        flags = {name: self.values[name] for name in names if name in self.values}
        for generator in _GENERATORS if runs else _LOADED:
            if self.values.get(generator):  # of uniform bytes: motifs that repeat nothing
                flags[f"{generator}_uniqueness"] = self.values[generator]
        return flags | self._multiget() if runs else flags

    def _multiget(self) -> dict[str, Scalar]:
        """Return how many links a multiget requests: one without a distribution."""
        if "link_multiget_dist" not in self.values:
            return {"link_multiget_min": 0, "link_multiget_max": 2}
        return {flag: self.values[key] for key, flag in _MULTIGET.items() if key in self.values}


def read_config(path: Path, overrides: Sequence[str] = ()) -> Properties:
    """Read `path`, the words of -D, and the file that `workload_file` names.

    -D wins over `path`; `workload_file` only adds keys that both leave out. Its relative
    path starts at $LINKBENCH_HOME or, if that is no directory, at the folder above the
    one of `path` (the stock files say config/... and are in config/), then at that of
    `path` itself. Errors: UsageError.
    """
    properties = read(path) | dict(override("-D", word) for word in overrides)
    workload = properties.get("workload_file")
    if workload is None:
        return properties
    home, folder = os.environ.get(HOME_VARIABLE), path.resolve().parent
    roots = [Path(home)] if home and Path(home).is_dir() else [folder.parent, folder]
    tried = list(dict.fromkeys(root / workload.value.strip() for root in roots))
    found = next((each for each in tried if _is_file(each)), None)
    if found is None:
        raise UsageError(
            f"{workload.origin}: workload_file: found {shorten(workload.value)!r}, but there is no "
            f"{shorten(' and no '.join(map(str, tried)), _LONGEST)}; set {HOME_VARIABLE} or write "
            "an absolute path"
        )
    return read(found) | properties


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # for example a name that is too long
        return False


def check(written: Properties, phases: Collection[Phase]) -> Settings:
    """Return the settings of a configuration, if they are enough for `phases`.

    Errors: UsageError with the key, its file and line, what was found and what is accepted.
    """
    for name in (name for phase in phases for name in _NEEDED[phase]):
        if name not in written:
            raise UsageError(f"{name}: missing; give it in the file of -c, or as -D {name}=1000")
    parsed = {
        name: _parsed(name, written)
        for name, prop in written.items()
        if name in KNOWN - _UNUSED
        # Blank: none, as in the original.
        and (name != "link_multiget_dist" or prop.value.strip())
    }
    unused = [name for name in written if name in _UNUSED]
    notes = [
        *([f"no effect: {', '.join(unused)}; see linkbench/DEVIATIONS.md"] if unused else []),
        *(
            f"warning: {prop.origin}: {name}: unknown key, ignored{meant(name, KNOWN)}"
            for name, prop in written.items()
            if name not in KNOWN
        ),
    ]
    return Settings({**_DEFAULTS, **parsed}, tuple(notes))


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
