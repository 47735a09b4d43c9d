"""Every property of a workload file: what it accepts, and what becomes of it here.

Names and meanings are those of the original's CoreWorkload, Client and Measurements at d9faaac;
where a property is left out, the driver has the original's default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...driver.original import values
from ...driver.original.values import Kind

MAX_RECORDS = 10**9
SHARES = {
    "readproportion": 0.95,
    "updateproportion": 0.05,
    "insertproportion": 0.0,
    "scanproportion": 0.0,
    "readmodifywriteproportion": 0.0,
}
"""The shares of operations, and the original's defaults."""


@dataclass(frozen=True)
class Key:
    """A property. `flag` is the driver's, with `_` for `-`; empty: the command line uses it."""

    name: str
    kind: Kind
    flag: str = ""
    of_data: bool = False  # the driver's load and check take it, too
    unused: str = ""  # why it changes nothing
    endless: int | None = None  # the value that says what nothing says, too


def _data() -> Iterator[Key]:
    records = values.whole(1, MAX_RECORDS)
    some = values.whole(0, MAX_RECORDS)
    for name, kind in (
        ("recordcount", records),
        ("insertstart", some),
        ("insertcount", some),
        ("fieldcount", values.whole(1, 1000)),
        ("fieldlength", values.whole(1, 16 << 20)),
        ("minfieldlength", values.whole(1, 16 << 20)),
        ("fieldlengthdistribution", values.choice("constant", "uniform", "zipfian")),
        ("fieldnameprefix", values.text()),
        ("insertorder", values.choice("hashed", "ordered")),
        ("zeropadding", values.whole(1, 100)),
        ("dataintegrity", values.boolean()),
    ):
        yield Key(name, kind, name, of_data=True)


def _requests() -> Iterator[Key]:
    share = values.number(0, 1)
    scan = values.whole(1, 10**6)
    for name in SHARES:
        yield Key(name, share, name)
    distributions = ("uniform", "zipfian", "latest", "hotspot", "sequential", "exponential")
    yield Key("requestdistribution", values.choice(*distributions), "requestdistribution")
    yield Key("operationcount", values.whole(0, 10**12), "operationcount", endless=0)
    for name in ("hotspotdatafraction", "hotspotopnfraction"):
        yield Key(name, share, name)
    yield Key("exponential.percentile", values.number(1, 99.999), "exponential_percentile")
    yield Key("exponential.frac", values.number(1e-6, 1), "exponential_frac")
    for name in ("readallfields", "writeallfields"):
        yield Key(name, values.boolean(), name)
    for name in ("minscanlength", "maxscanlength"):
        yield Key(name, scan, name)
    lengths = "scanlengthdistribution"
    yield Key(lengths, values.choice("uniform", "zipfian"), lengths)
    # waltax's own, so that a file can say all that the driver must know.
    yield Key("zipf", values.choice("published", "exact"), "zipf")
    yield Key("zipf_constant", values.number(0.01, 10), "zipf_constant")
    yield Key("blind", values.boolean(), "blind")
    yield Key("max_retries", values.whole(0, 10**6), "max_retries")
    yield Key("block_cache_mb", values.whole(0, 10**6), "block_cache_mb")


def _client() -> Iterator[Key]:
    yield Key("threadcount", values.whole(1, 1024))
    yield Key("target", values.number(0, 1e9))
    yield Key("maxexecutiontime", values.whole(0, 10**7))
    yield Key("workload", values.class_name({"CoreWorkload": "core"}))


_UNUSED = {
    "where the records are is said by --engine, and by --db or --socket": (
        *("db", "table", "rocksdb.dir", "rocksdb.optionsfile"),
    ),
    "the server is the one of --socket, --user and --database, and commits each operation": (
        *("db.driver", "db.url", "db.user", "db.passwd", "db.batchsize", "db.shardkey"),
        *("jdbc.fetchsize", "jdbc.autocommit", "jdbc.batchupdateapi"),
    ),
    "the report is the original's text, of every operation's latency": (
        *("exporter", "exportfile", "measurementtype", "measurement.interval"),
        *("measurement.trackjvm", "histogram.buckets", "hdrhistogram.percentiles"),
        *("hdrhistogram.fileoutput", "hdrhistogram.output.path", "status.interval"),
        *("reportlatencyforeacherror", "latencytrackederrors", "timeseries.granularity"),
        *("measurement.histogram.verbose", "measurement.raw.output_file", "label", "status"),
        "measurement.raw.no_summary",
    ),
    "records are loaded as whole files": (
        *("core_workload_insertion_retry_limit", "core_workload_insertion_retry_interval"),
        "core_workload_insertion_keep_going_on_error",
    ),
    "lengths of fields have no histogram here": ("fieldlengthhistogram",),
    "load and run are commands": ("dotransactions",),
    "the original does not read it either": (
        *("maxscanrate", "scanoptimelimit", "discardscannedrecord"),
    ),
    "fields are columns of one record": ("readallfieldsbyname",),
}


def _without_effect() -> Iterator[Key]:
    for reason, names in _UNUSED.items():
        for name in names:
            yield Key(name, values.text(), unused=reason)


KEYS: dict[str, Key] = {
    key.name: key for group in (_data(), _requests(), _client(), _without_effect()) for key in group
}
