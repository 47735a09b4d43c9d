"""Workload files and the words of -p: what becomes of each property, and what the driver says.

Names and meanings are those of the original's CoreWorkload, Client and Measurements at d9faaac. The
driver knows what each of its flags accepts, and has the original's default where one is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ....base.errors import UsageError, meant
from ....base.printable import shorten
from ....driver.argv import Scalar
from ....driver.original import values
from ....driver.original.properties import Properties, Property, override, read
from ....driver.original.values import Kind

_LONGEST_S = 10**7
# Of load, run and check.
_DATA = (
    *("recordcount", "insertstart", "insertcount", "fieldcount", "fieldlength", "minfieldlength"),
    *("fieldlengthdistribution", "fieldnameprefix", "insertorder", "zeropadding", "dataintegrity"),
)
# Of run; the last line is waltax's own, so that a file can say all that the driver must know.
_REQUESTS = (
    *("readproportion", "updateproportion", "insertproportion", "scanproportion"),
    *("readmodifywriteproportion", "requestdistribution", "operationcount"),
    *("hotspotdatafraction", "hotspotopnfraction", "exponential.percentile", "exponential.frac"),
    *("readallfields", "writeallfields", "minscanlength", "maxscanlength"),
    *("scanlengthdistribution", "zipf", "zipf_constant", "blind", "max_retries", "block_cache_mb"),
)
# Of the command line, and what is no flag's text.
_KINDS: dict[str, Kind] = {
    "threadcount": values.whole(1, 1024),
    "target": values.number(0, 1e9),
    "maxexecutiontime": values.whole(0, _LONGEST_S),
    "operationcount": values.whole(0, 10**12),
    "workload": values.class_name({"CoreWorkload": "core"}),
    **dict.fromkeys(
        ("dataintegrity", "readallfields", "writeallfields", "blind"), values.boolean()
    ),
}
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
_WHY_UNUSED = {name: reason for reason, names in _UNUSED.items() for name in names}
_KNOWN = {*_DATA, *_REQUESTS, *_KINDS, *_WHY_UNUSED}
_FLAGS = {name.replace(".", "-").replace("_", "-"): name for name in (*_DATA, *_REQUESTS)}
_FLAG = re.compile(r"--([a-z][a-z-]*)")


@dataclass(frozen=True)
class Settings:
    """Values by property, and where each was written; one that was not given is absent.

    `notes` say what has no effect.
    """

    values: Mapping[str, Scalar]
    written: Properties
    notes: tuple[str, ...]

    def data(self) -> dict[str, Scalar]:
        """Return the flags that the driver's load, run and check take."""
        return self._flags(_DATA)

    def requests(self) -> dict[str, Scalar]:
        """Return the flags of the driver's run."""
        return self._flags((*_DATA, *_REQUESTS))

    def _flags(self, names: Sequence[str]) -> dict[str, Scalar]:
        """Return these flags. No flag stands for 0 operations, which means no limit."""
        given = {name: self.values[name] for name in names if name in self.values}
        return {
            name.replace(".", "_"): value
            for name, value in given.items()
            if name != "operationcount" or value
        }

    def whole(self, name: str, default: int) -> int:
        """Return a property that its kind has made a whole number."""
        value = self.values.get(name, default)
        assert isinstance(value, int)
        return value

    @property
    def threads(self) -> int:
        """Return how many there are, as in the original no more than operations."""
        threads, operations = self.whole("threadcount", 1), self.whole("operationcount", 0)
        return min(threads, operations or threads)

    @property
    def longest_s(self) -> int:
        """Return how long a run may take; the whole of it, where nothing was said."""
        return self.whole("maxexecutiontime", 0) or _LONGEST_S

    @property
    def operations_a_thread(self) -> tuple[int, int]:
        """Return each thread's operations, and how many threads do one more, so that all together
        are exactly what was asked for; 0: as many as there is time for.
        """
        return divmod(self.whole("operationcount", 0), self.threads)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Say what the driver refuses of its flags in words of the properties that they came of.

        Errors: UsageError with the property, its file and line, what was found and is accepted.
        """
        try:
            yield
        except UsageError as error:
            said = str(error).removeprefix("ycsb: ")
            raise UsageError(_FLAG.sub(self._property, said)) from error

    def _property(self, flag: re.Match[str]) -> str:
        name = _FLAGS.get(flag[1])
        if name not in self.written:
            return name or flag[0]
        origin = self.written[name].origin
        return f"{origin}: {name}" if flag.start() == 0 else f"{name} ({origin})"


def settle(files: Sequence[Path], words: Sequence[str]) -> Settings:
    """Read the files of -P, of which a later one wins, and the words of -p, which win over all.

    Errors: UsageError with the property, its file and line, what was found and what is accepted;
    what a flag of the driver accepts, the driver says.
    """
    written: Properties = {}
    for path in files:
        written |= read(path)
    written |= dict(override("-p", word) for word in words)
    if "recordcount" not in written:
        raise UsageError(
            "recordcount: missing; give it in a file of -P, or as -p recordcount=100000"
        )
    return settled(written)


def settled(written: Properties) -> Settings:
    """Return what becomes of properties. Errors: as `settle`."""
    for name, prop in written.items():
        if name not in _KNOWN:
            hint = meant(name, _KNOWN) or "; leave it out"
            raise UsageError(f"{prop.origin}: {shorten(name)}: unknown property{hint}")
    unused = [name for name in written if name in _WHY_UNUSED]
    return Settings(
        {name: _parse(name, prop) for name, prop in written.items() if name not in unused},
        written,
        tuple(f"{name}: no effect: {_WHY_UNUSED[name]}" for name in unused),
    )


def require_end(settings: Settings) -> None:
    """Refuse a run without an end. Errors: UsageError."""
    if not settings.whole("operationcount", 0) and not settings.whole("maxexecutiontime", 0):
        raise UsageError(
            "operationcount: missing, and maxexecutiontime, too: a run would have no end; "
            "add -p operationcount=100000"
        )


def _parse(name: str, prop: Property) -> Scalar:
    text = prop.value.strip()
    if name not in _KINDS:
        return text if name == "fieldnameprefix" else text.lower()
    try:
        return _KINDS[name].parse(text)
    except ValueError:
        raise UsageError(
            f"{prop.origin}: {name}: found {shorten(prop.value)!r}, want {_KINDS[name].accepted}"
        ) from None
