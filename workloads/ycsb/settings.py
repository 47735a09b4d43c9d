"""Workload files and the words of -p: what becomes of each property, and what it may be.

Names and meanings are those of the original's CoreWorkload, Client and Measurements at d9faaac.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError, meant
from ...base.printable import shorten
from ...driver.argv import Scalar
from ..original import values
from ..original.properties import Properties, Property, override, read
from ..original.values import Kind

_LONGEST_S = 10**7
_MOST_BYTES = 16 << 20
_MOST_LENGTHS = 1000  # of a distribution that is written out
_MOST_ROOM = 100  # places for new records, for each that there is
_TOLERANCE = 1e-6
_NAME = re.compile(r"(?!(?:id|key|default|modified)$)[a-z][a-z0-9_]{0,35}")
SHARES = {
    "readproportion": 0.95,
    "updateproportion": 0.05,
    "insertproportion": 0.0,
    "scanproportion": 0.0,
    "readmodifywriteproportion": 0.0,
}
"""The shares of operations, in the order in which the original adds them up."""


def _name(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise ValueError(text)
    return text


_SCAN = values.whole(1, 1_000_000)
# What each property may be, and what it is where it is not given.
_KINDS: dict[str, tuple[Kind, Scalar]] = {
    "recordcount": (values.whole(1, 10**9), 1000),
    "insertstart": (values.whole(0, 10**9), 0),
    "insertcount": (values.whole(0, 10**9), 0),
    "fieldcount": (values.whole(1, 1000), 10),
    "fieldlength": (values.whole(1, _MOST_BYTES), 100),
    "minfieldlength": (values.whole(1, _MOST_BYTES), 1),
    "fieldlengthdistribution": (values.choice("constant", "uniform", "zipfian"), "constant"),
    "fieldnameprefix": (Kind("small letters, digits and _, and no id or key", _name), "field"),
    "insertorder": (values.choice("hashed", "ordered"), "hashed"),
    "zeropadding": (values.whole(1, 100), 1),
    **{name: (values.number(0, 1), usual) for name, usual in SHARES.items()},
    "requestdistribution": (
        values.choice("uniform", "zipfian", "latest", "hotspot", "sequential", "exponential"),
        "uniform",
    ),
    "operationcount": (values.whole(0, 10**12), 0),
    "hotspotdatafraction": (values.number(1e-6, 0.999999), 0.2),
    "hotspotopnfraction": (values.number(1e-6, 0.999999), 0.8),
    "exponential.percentile": (values.number(1, 99.999), 95.0),
    "exponential.frac": (values.number(1e-6, 0.999999), 0.8571428571),
    "readallfields": (values.boolean(), True),
    "writeallfields": (values.boolean(), False),
    "minscanlength": (_SCAN, 1),
    "maxscanlength": (_SCAN, 1000),
    "scanlengthdistribution": (values.choice("uniform", "zipfian"), "uniform"),
    "threadcount": (values.whole(1, 1024), 1),
    "target": (values.number(0, 1e9), 0.0),
    "maxexecutiontime": (values.whole(0, _LONGEST_S), 0),
    "workload": (values.class_name({"CoreWorkload": "core"}), "core"),
}
# Of where the records are, of a server, of the report and of loading: DEVIATIONS.md, C18.
_UNUSED = """
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
_KNOWN = {*_KINDS, *_UNUSED.split()}


@dataclass(frozen=True)
class Settings:
    """Values of all properties, and where each was written.

    `notes` say what has no effect.
    """

    values: Mapping[str, Scalar]
    written: Properties
    notes: tuple[str, ...]

    def whole(self, name: str) -> int:
        """Return a property that its kind has made a whole number."""
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def number(self, name: str) -> float:
        """Return a property that its kind has made a number."""
        return float(self.values[name])

    @property
    def threads(self) -> int:
        """Return how many there are, as in the original no more than operations."""
        threads = self.whole("threadcount")
        return min(threads, self.whole("operationcount") or threads)

    @property
    def longest_s(self) -> int:
        """Return how long a run may take; the whole of it, where nothing was said."""
        return self.whole("maxexecutiontime") or _LONGEST_S

    @property
    def operations_a_thread(self) -> tuple[int, int]:
        """Return each thread's operations, and how many threads do one more, so that all together
        are exactly what was asked for; 0: as many as there is time for.
        """
        return divmod(self.whole("operationcount"), self.threads)

    @property
    def room(self) -> float:
        """Return the share of the records that the original's zipfian leaves room for: twice as
        many as are likely to be inserted.
        """
        new = 2 * self.whole("operationcount") * self.number("insertproportion")
        return new / self.whole("recordcount")


def settle(files: Sequence[Path], words: Sequence[str]) -> Settings:
    """Read the files of -P, of which a later one wins, and the words of -p, which win over all.

    Errors: UsageError with the property, its file and line, what was found and what is accepted.
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
    unused = ", ".join(name for name in written if name not in _KINDS)
    given = {name: _parse(name, prop) for name, prop in written.items() if name in _KINDS}
    settings = Settings(
        {name: usual for name, (_, usual) in _KINDS.items()} | given,
        written,
        (f"no effect: {unused}; see DEVIATIONS.md of YCSB's mixes, C18",) if unused else (),
    )
    for fault in _faults(settings):
        raise UsageError(fault)
    return settings


def require_end(settings: Settings) -> None:
    """Refuse a run without an end. Errors: UsageError."""
    if not settings.whole("operationcount") and not settings.whole("maxexecutiontime"):
        raise UsageError(
            "operationcount: missing, and maxexecutiontime, too: a run would have no end; "
            "add -p operationcount=100000"
        )


def _parse(name: str, prop: Property) -> Scalar:
    kind, _ = _KINDS[name]
    try:
        return kind.parse(prop.value.strip())
    except ValueError:
        raise UsageError(
            f"{prop.origin}: {name}: found {shorten(prop.value)!r}, want {kind.accepted}"
        ) from None


def _faults(settings: Settings) -> Iterator[str]:
    """Yield what no single property can show."""
    values = settings.values

    def fault(name: str, want: str) -> str:
        at = f"{settings.written[name].origin}: " if name in settings.written else ""
        return f"{at}{name}: found {values[name]}, want {want}"

    records = settings.whole("recordcount")
    if values["insertstart"]:
        yield fault("insertstart", "0: all records are loaded and asked for")
    if values["insertcount"] not in (0, records):
        yield fault("insertcount", f"recordcount, {records}: all are loaded; leave it out")
    total = sum(settings.number(name) for name in SHARES)
    if abs(total - 1) > _TOLERANCE:
        at = next((each.origin for name, each in settings.written.items() if name in SHARES), "")
        said = ", ".join(f"{name} {values[name]:g}" for name in SHARES)
        yield f"{at}: {said}: found a sum of {total:.6g}, want 1".removeprefix(": ")
    if values["fieldlengthdistribution"] != "constant":
        least, most = settings.whole("minfieldlength"), settings.whole("fieldlength")
        if least > most:
            yield fault("minfieldlength", f"at most fieldlength, {most}")
        if values["fieldlengthdistribution"] == "zipfian" and most - least >= _MOST_LENGTHS:
            yield fault("fieldlength", f"at most {_MOST_LENGTHS} lengths of zipfian, or uniform")
    if settings.whole("minscanlength") > settings.whole("maxscanlength"):
        yield fault("minscanlength", f"at most maxscanlength, {values['maxscanlength']}")
    if values["requestdistribution"] == "zipfian" and settings.room > _MOST_ROOM:
        yield fault("operationcount", "less: zipfian leaves room for as many")
