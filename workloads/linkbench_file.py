"""A LinkBench configuration as a workload: two files of properties.

Most keys are flags of the driver under the same name, which says what each may be and how they fit
together; the others are read here. Names and defaults are those of the original (its Config.java
and the two stock files).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..base.errors import UsageError
from ..base.printable import shorten
from ..workload import Parameter, Workload
from . import linkbench
from .properties import (
    Kind,
    Properties,
    choice,
    class_name,
    number,
    parse,
    unknown,
    values,
    whole,
)

HOME_VARIABLE = "LINKBENCH_HOME"
_LONGEST = 1000  # characters of paths in a message

_ACCESSES = ("read", "write", "read_uncorr", "node_read", "node_update", "node_delete")
_LOADED, _REQUESTED = (
    ("link_add_datagen", "node_add_datagen"),
    ("link_up_datagen", "node_up_datagen"),
)
_OF_BYTES = ("startbyte", "endbyte", "uniqueness")
# Keys that are flags of the driver: of both its commands, and of `run` alone. degree_cap and
# max_retries are keys of ours.
_GRAPH = (
    *("startid1", "maxid1", "link_type_count", "randomid2max", "link_datasize", "node_datasize"),
    *("degree_cap", *(f"{generator}_{of}" for generator in _LOADED for of in _OF_BYTES)),
)
_MIX = (
    *("addlink", "deletelink", "updatelink", "countlink", "getlink", "getlinklist"),
    *("addnode", "updatenode", "deletenode", "getnode"),
)
_REQUESTS = (
    *(*_MIX, "getlinklist_history", "read_uncorr_blend", "id2gen_config", "max_retries"),
    *(f"{access}_{of}" for access in _ACCESSES for of in ("function", "shape", "prob")),
    *(f"{generator}_{of}" for generator in _REQUESTED for of in _OF_BYTES),
)
_MULTIGET = {f"link_multiget_{end}": f"link_multiget_dist_{end}" for end in ("min", "max", "prob")}


def _function(text: str) -> str:
    """Return the driver's word for a Java class, in any package: `zipf` of `ZipfDistribution`."""
    return text.rpartition(".")[2].removesuffix("Distribution").lower()


_DATA_FILE = choice("distribution.dat", accepted="Distribution.dat: no other table is read")
# What is read here, or is another word for the driver.
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("startid1", "maxid1"), whole(1, 2**63 - 1)),
    "degree_cap": whole(0, 2**63 - 1),
    **dict.fromkeys(_MIX, number(0, 100)),
    "requesters": whole(1, 1024),
    "requestrate": whole(-1, 10**6),
    "nlinks_func": choice("real", accepted="real: of out-degrees waltax has those alone"),
    "data_file": Kind(_DATA_FILE.accepted, lambda text: _DATA_FILE.parse(Path(text).name)),
    "link_multiget_dist": class_name({"GeometricDistribution": "geometric"}),
    **{f"{access}_function": Kind("", _function) for access in _ACCESSES},
    **dict.fromkeys(
        (*_LOADED, *_REQUESTED), class_name({"MotifDataGenerator": "", "UniformDataGenerator": "1"})
    ),
}
# The original's where the driver has others, those of the stock files.
_DEFAULTS: Mapping[str, Parameter] = {
    **{"startid1": 1, "link_type_count": 1, "getlinklist_history": 0, "read_uncorr_blend": 0},
    **dict.fromkeys(("addnode", "updatenode", "deletenode", "getnode"), 0),
}
# How long, how safe and how is a campaign's; where the original keeps its graph, what it logs, and
# keys that it does not read (DEVIATION T1, T4, T5).
_UNUSED = {
    *("loaders", "requests", "maxtime", "warmup_time", "max_failed_requests"),
    *("load_random_seed", "request_random_seed", "write_options_sync", "write_options_disableWAL"),
    *("linkstore", "nodestore", "generate_nodes", "nlinks_config", "nlinks_default"),
    *("host", "user", "password", "port", "dbid", "linktable", "counttable", "nodetable"),
    *("mysql_bulk_insert_batch", "mysql_disable_binlog_load", "maxsamples", "loader_chunk_size"),
    *("debuglevel", "load_progress_interval", "req_progress_interval", "block_cache_mb"),
    *("progressfreq", "displayfreq", "reportprogress", "tempdir", "loaddata", "useinputfiles"),
    *(f"write_uncorr_{of}" for of in ("blend", "function", "shape", "prob", "config", "mean")),
    *(f"{access}_{of}" for access in _ACCESSES for of in ("config", "mean")),
    *(f"{generator}_motif_length" for generator in (*_LOADED, *_REQUESTED)),
    *("MySQL_bulk_insert_batch", "MySQL_disable_binlog_load"),
}
KNOWN = {*_GRAPH, *_REQUESTS, *_KINDS, *_UNUSED, *_MULTIGET.values(), "workload_file"}
"""The keys that a file may have."""


def read(name: str, path: Path, config: Properties) -> tuple[Workload, tuple[str, ...]]:
    """Return the workload of a configuration, which has this `name`, and notes on its keys.

    They say what has no effect, or is probably wrong. Errors: UsageError with the key, its file and
    line, what was found and what is accepted. What the driver refuses it says before a campaign.
    """
    written = _with_its_workload_file(path, config)
    unused = ", ".join(name for name in written if name in _UNUSED)
    notes = (
        *([f"{path}: no effect: {unused}; see linkbench/DEVIATIONS.md"] if unused else []),
        *(f"warning: {strange}; ignored" for strange in unknown(written, KNOWN)),
    )
    return record(name, written), notes


def record(name: str, written: Properties) -> Workload:
    """Return the workload of properties. Errors: as `read`."""
    if "maxid1" not in written:
        raise UsageError(f"{name}: maxid1: missing; it is the size of the graph, and one more")
    kinds = {key: kind for key, kind in _KINDS.items() if key in written and written[key].value}
    said = {**_DEFAULTS, **{key: prop.value for key, prop in written.items()}}
    said |= values(written, kinds)
    load, run = ({flag: said[flag] for flag in of if flag in said} for of in (_GRAPH, _REQUESTS))
    for generator, flags in [
        *((one, load) for one in _LOADED),
        *((one, run) for one in _REQUESTED),
    ]:
        if said.get(generator):  # of uniform bytes: motifs that repeat nothing
            flags[f"{generator}_uniqueness"] = said[generator]
    # One link is asked for without a distribution.
    run |= {"link_multiget_min": 0, "link_multiget_max": 2}
    if said.get("link_multiget_dist"):
        run |= {flag: said[key] for flag, key in _MULTIGET.items() if key in said}
    clients = said.get("requesters")
    if (rate := int(said.get("requestrate", 0))) > 0:  # of each of them
        if clients is None:
            raise UsageError(
                f"{written['requestrate'].origin}: requestrate: found {rate} for each of the "
                "requesters, of which nothing is said; add requesters = 4"
            )
        run["rate"] = rate * int(clients)
    keys = {flag: _MULTIGET.get(flag, flag) for flag in (*load, *run)}
    return replace(
        linkbench.WORKLOADS[0],
        name=name,
        title=f"LinkBench {name}",
        section="linkbench",
        group=name,
        program="linkbench",
        asked_only=True,
        text="".join(f"{key} = {prop.value}\n" for key, prop in written.items()),
        own_clients=None if clients is None else int(clients),
        own_load=load,
        own_run=run,
        origins={
            flag: f"{written[key].origin}: {key}" for flag, key in keys.items() if key in written
        },
        writes=tuple(
            operation
            for operation in linkbench.WRITES
            if said.get(operation.replace("_", "").lower(), 1)
        ),
        # The file says how large it is.
        scale=replace(linkbench.WORKLOADS[0].scale, in_bytes=False),
    )


def _with_its_workload_file(path: Path, config: Properties) -> Properties:
    """Return a configuration with the keys that it leaves to the file of its `workload_file`.

    A relative path starts at $LINKBENCH_HOME or, if that is no directory, at the folder above the
    one of `path` (the stock files say config/... and are in config/), then at that of `path`
    itself. Errors: UsageError.
    """
    from ..base.tomlfile import read_bytes

    workload = config.get("workload_file")
    if workload is None:
        return config
    home, folder = os.environ.get(HOME_VARIABLE), path.resolve().parent
    roots = [Path(home)] if home and Path(home).is_dir() else [folder.parent, folder]
    tried = list(dict.fromkeys(root / workload.value for root in roots))
    found = next((each for each in tried if _is_file(each)), None)
    if found is None:
        raise UsageError(
            f"{workload.origin}: workload_file: found {shorten(workload.value)!r}, but there is no "
            f"{shorten(' and no '.join(map(str, tried)), _LONGEST)}; set {HOME_VARIABLE} or write "
            "an absolute path"
        )
    return parse(read_bytes(found).decode("latin-1"), str(found)) | config


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # for example a name that is too long
        return False
