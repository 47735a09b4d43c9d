"""A workload file of YCSB's as the file of a mix.

Names and meanings are those of the original's CoreWorkload, Client and Measurements at d9faaac.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..base.errors import UsageError
from ..workload import Parameter
from .properties import Kind, Properties, choice, class_name, number, unknown, values, whole

_MOST_BYTES = 16 << 20
_MOST_LENGTHS = 1000  # of a distribution that is written out
_TOLERANCE = 1e-6
_NAME = re.compile(r"(?!(?:id|key|default|modified)$)[a-z][a-z0-9_]{0,35}")
# The shares of operations, in the order in which the original adds them up.
_SHARES = {
    "readproportion": 0.95,
    "updateproportion": 0.05,
    "insertproportion": 0.0,
    "scanproportion": 0.0,
    "readmodifywriteproportion": 0.0,
}


def _name(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise ValueError(text)
    return text


_SCAN, _TRUTH = whole(1, 1_000_000), choice("true", "false")
_SHARE = number(1e-6, 0.999999)
# What each property may be, and what it is where it is not given.
_KINDS: dict[str, tuple[Kind, Parameter]] = {
    "fieldcount": (whole(1, 1000), 10),
    "fieldlength": (whole(1, _MOST_BYTES), 100),
    "minfieldlength": (whole(1, _MOST_BYTES), 1),
    "fieldlengthdistribution": (choice("constant", "uniform", "zipfian"), "constant"),
    "fieldnameprefix": (Kind("small letters, digits and _, and no id or key", _name), "field"),
    "insertorder": (choice("hashed", "ordered"), "hashed"),
    "zeropadding": (whole(1, 100), 1),
    **{name: (number(0, 1), usual) for name, usual in _SHARES.items()},
    "requestdistribution": (
        choice("uniform", "zipfian", "latest", "hotspot", "sequential", "exponential"),
        "uniform",
    ),
    "hotspotdatafraction": (_SHARE, 0.2),
    "hotspotopnfraction": (_SHARE, 0.8),
    "exponential.percentile": (number(1, 99.999), 95.0),
    "exponential.frac": (_SHARE, 0.8571428571),
    "readallfields": (_TRUTH, "true"),
    "writeallfields": (_TRUTH, "false"),
    "minscanlength": (_SCAN, 1),
    "maxscanlength": (_SCAN, 1000),
    "scanlengthdistribution": (choice("uniform", "zipfian"), "uniform"),
    "threadcount": (whole(1, 1024), 1),
    "target": (number(0, 1e9), 0.0),
    "workload": (class_name({"CoreWorkload": "core"}), "core"),
}
# Of how much there is, which a profile says, of where it is, of the report and of loading:
# DEVIATIONS.md, C18.
_UNUSED = """
    recordcount insertstart insertcount operationcount maxexecutiontime
    db table rocksdb.dir rocksdb.optionsfile
    db.driver db.url db.user db.passwd db.batchsize db.shardkey
    jdbc.fetchsize jdbc.autocommit jdbc.batchupdateapi
    exporter exportfile measurementtype measurement.interval measurement.trackjvm
    histogram.buckets hdrhistogram.percentiles hdrhistogram.fileoutput hdrhistogram.output.path
    status status.interval reportlatencyforeacherror latencytrackederrors timeseries.granularity
    measurement.histogram.verbose measurement.raw.output_file measurement.raw.no_summary label
    core_workload_insertion_retry_limit core_workload_insertion_retry_interval
    core_workload_insertion_keep_going_on_error dataintegrity max_retries
    fieldlengthhistogram dotransactions maxscanrate scanoptimelimit discardscannedrecord
    readallfieldsbyname
"""
KNOWN = {*_KINDS, *_UNUSED.split()}
"""The properties that a file may have."""

_TABLE = """\
title = {title}
unit = "ops/s"
sized_by = "ycsb"

[tables.usertable]
rows = 100_000
named = true
ordered = true
shared = true
key = {{ text = "user", order = "{order}", digits = {digits} }}
columns.modified = {{ type = "int" }}
columns.{prefix} = {{ size = {size}, count = {count} }}
"""
_STEPS = {
    "READ": '{{ get = "usertable", row = "record"{read} }}',
    "UPDATE": '{{ update = "usertable", row = "record", {write} }}',
    "INSERT": '{{ insert = "usertable" }}',
    "SCAN": '{{ scan = "usertable", from = "record", limit = "length"{read} }}',
    "READ-MODIFY-WRITE": '{{ get = "usertable", row = "record", lock = true{read} }},\n'
    '  {{ update = "usertable", row = "record", {write}, add = {{ modified = 1 }} }}',
}


def mix(name: str, path: Path, written: Properties) -> tuple[str, tuple[str, ...]]:
    """Return the mix of a workload file's properties, and notes on what has no effect.

    Rows are as many as in our own files of the six letters; a profile scales them.

    Errors: UsageError with file, line and property for what is wrong in it.
    """
    strange = unknown(written, KNOWN)
    if strange:
        raise UsageError(*strange)
    given = values(written, {name: kind for name, (kind, _) in _KINDS.items()})
    said = {name: usual for name, (_, usual) in _KINDS.items()} | given
    for fault in _faults(said, written):
        raise UsageError(fault)
    unused = ", ".join(name for name in written if name not in _KINDS)
    notes = [f"{path}: no effect: {unused}; see DEVIATIONS.md of YCSB's mixes, C18"]
    clients = f"clients = {said['threadcount']}\n" if "threadcount" in written else ""
    load = f"\n[load]\nrate = {said['target']!r}\n{clients}"
    table = _TABLE.format(
        title=json.dumps(f"YCSB {name}"),
        order="fnv" if said["insertorder"] == "hashed" else "sequential",
        digits=said["zeropadding"],
        prefix=said["fieldnameprefix"],
        size=_size(said),
        count=said["fieldcount"],
    )
    return table + "".join(_operations(said)) + load, tuple(notes if unused else ())


def _faults(said: Mapping[str, Parameter], written: Properties) -> Iterator[str]:
    """Yield what no single property can show."""

    def fault(name: str, want: str) -> str:
        at = f"{written[name].origin}: " if name in written else ""
        return f"{at}{name}: found {said[name]}, want {want}"

    total = sum(float(said[name]) for name in _SHARES)
    if abs(total - 1) > _TOLERANCE:
        at = next((f"{each.origin}: " for name, each in written.items() if name in _SHARES), "")
        shares = ", ".join(f"{name} {said[name]:g}" for name in _SHARES)
        yield f"{at}{shares}: found a sum of {total:.6g}, want 1"
    if said["fieldlengthdistribution"] != "constant":
        least, most = int(said["minfieldlength"]), int(said["fieldlength"])
        if least > most:
            yield fault("minfieldlength", f"at most fieldlength, {most}")
        if said["fieldlengthdistribution"] == "zipfian" and most - least >= _MOST_LENGTHS:
            yield fault("fieldlength", f"at most {_MOST_LENGTHS} lengths of zipfian, or uniform")
    if int(said["minscanlength"]) > int(said["maxscanlength"]):
        yield fault("minscanlength", f"at most maxscanlength, {said['maxscanlength']}")


def _operations(said: Mapping[str, Parameter]) -> Iterator[str]:
    prefix, one = said["fieldnameprefix"], ", one_column = true"
    write = f'set = {{ {prefix} = "new" }}'
    for name, share in zip(_STEPS, _SHARES, strict=True):
        if not said[share]:
            continue
        step = _STEPS[name].format(
            read="" if said["readallfields"] == "true" else f', columns = ["{prefix}"]{one}',
            write=write if said["writeallfields"] == "true" else write + one,
        )
        yield f"\n[operations.{name}]\nweight = {100 * float(said[share]):g}\n"
        if name == "READ-MODIFY-WRITE":
            yield "transaction = true\n"
        if name != "INSERT":
            yield f"draw.record = {_draw(said)}\n"
        if name == "SCAN":
            zipfian = ', choice = "zipfian", ycsb = true'
            how = zipfian if said["scanlengthdistribution"] == "zipfian" else ""
            lengths = [said["minscanlength"], said["maxscanlength"]]
            yield f"draw.length = {{ uniform = {lengths}{how} }}\n"
        yield f"steps = [\n  {step},\n]\n"


def _draw(said: Mapping[str, Parameter]) -> str:
    chosen = str(said["requestdistribution"])
    more = {
        "hotspot": ("hotspotdatafraction", "hotspotopnfraction", 1),
        "exponential": ("exponential.frac", "exponential.percentile", 100),
    }
    words = f'row = "usertable", choice = "{chosen}"'
    if chosen in more:
        share, accesses, parts = more[chosen]
        part = float(said[accesses]) / parts
        words += f", share = {float(said[share])!r}, accesses = {part!r}"
    # The original's zipfian leaves room for twice as many records as are likely to be inserted:
    # here by as many operations as there are records.
    room = 2 * float(said["insertproportion"])
    return f"{{ {words}, ycsb = true{f', room = {room!r}' * (chosen == 'zipfian' and room > 0)} }}"


def _size(said: Mapping[str, Parameter]) -> str:
    least, most = int(said["minfieldlength"]), int(said["fieldlength"])
    how = said["fieldlengthdistribution"]
    if how == "constant" or least == most:
        return str(most)
    if how == "uniform":
        return f"[{least}, {most}]"
    steps = [[least + i, round((i + 1) ** -0.99, 9)] for i in range(most - least + 1)]
    return f"{{ histogram = {steps} }}"
