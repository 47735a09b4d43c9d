"""Reading what fio, pg_test_fsync and ioping print: one table of formats, and a reader for each.

A reader returns the synced writes that a file tells of, one `Timed` for each size. Those of several
jobs at once are left out, since their syncs wait for each other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ...base.errors import UsageError
from ...base.printable import shorten
from ..quantiles import Pairs, table
from .fio_json import FioTimes, parse
from .timed import Timed, Times

WANTED = (
    "fio --name=log --directory=DIR --rw=write --bs=4k --size=256m --fdatasync=1 --runtime=60 "
    "--output-format=json+ --output=FILE"
)
"""The run that tells most. Its files are preallocated, as a log's are."""
_LARGEST_FILE = 256 << 20
_LONGEST_US = 60e6
_COPIED_US = 12.0  # a write that returns sooner was only copied to the page cache
_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6, "nsec": 1e-3, "usec": 1.0, "msec": 1e3}
_US |= {"sec": 1e6, "min": 60e6}
_SIZES = {"": 1, "B": 1, "K": 1 << 10, "KIB": 1 << 10, "KB": 1 << 10, "M": 1 << 20, "MIB": 1 << 20}
_SUFFIXES = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}  # of fio's large numbers


def read(path: Path) -> list[Timed]:
    """Return what the file says of synced writes. Errors: UsageError, with the run to make."""
    text = _text(path)
    for form in FORMATS:
        if re.search(form.mark, text, re.MULTILINE):
            try:
                found = list(form.read(text))
            except ValueError as error:
                raise UsageError(f"{path}: {form.name}: {error}") from error
            _require_possible(path, form, found)
            return found
    tools = ", ".join(form.name for form in FORMATS)
    line = shorten(next(iter(text.split("\n")), ""))
    raise _refused(path, f'found "{line}" in line 1, which is none of {tools}', WANTED)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise UsageError(
                f"{path}: found more than {_LARGEST_FILE >> 20} MiB; give a shorter run"
            )
        text = path.read_text(errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    if not text.strip():
        raise _refused(path, "found an empty file", WANTED)
    return text


def _refused(path: Path, found: str, wanted: str) -> UsageError:
    return UsageError(f"{path}: {found}; make the file so, and give it again:", f"  {wanted}")


def _require_possible(path: Path, form: Format, found: list[Timed]) -> None:
    if not found:
        raise _refused(path, f"{form.name}: found no synced writes of one job in it", form.wanted)
    for timed in found:
        times = [us for part in timed.waited for _, us in part.pairs]
        if not times or min(times) < 0 or max(times) > _LONGEST_US or timed.bytes < 1:
            raise UsageError(
                f"{path}: {form.name}: found writes of {timed.bytes} B with times of "
                f"{', '.join(f'{us:g}' for us in sorted(times)[-2:]) or 'none'} us, want 0 to 60 s"
            )


def _fio_json(text: str) -> Iterator[Timed]:
    run = parse(text)
    at_once = Counter(job.groupid for job in run.jobs)
    for job in run.jobs:
        options = run.common | job.options
        alone = options.get("sync", "0") not in ("0", "none")
        write, sync = job.write.clat_ns, job.synced
        is_one = at_once[job.groupid] == 1 and options.get("numjobs", "1") == "1"
        if not is_one or not job.write.total_ios or not (sync.N or alone):
            continue
        size = _size(re.split("[,-]", options.get("bs", "4096"))[-1])
        how = f"sync={options['sync']}" if alone else "a sync after each write"
        how = f"{run.version}, {how}, direct={options.get('direct', '0')}"
        if alone:
            yield Timed(size, _times(write), None, how)
        else:
            waited = options.get("direct", "0") != "0"
            yield Timed(size, _times(sync), _times(write) if waited else None, how)


def _times(told: FioTimes) -> Times:
    return Times(told.pairs(), told.mean_us)


def _size(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]+)?)([KM]?(?:i?B)?)", text.strip(), re.IGNORECASE)
    if match is None or match[2].upper() not in _SIZES:
        raise ValueError(f'found "{shorten(text)}", want a size like 4k')
    return round(float(match[1]) * _SIZES[match[2].upper()])


_SECTION = r"^([^\n]*?): \(groupid=(\d+), jobs=(\d+)\):.*?(?=^[^\n]*: \(groupid=|^Run status|\Z)"
_SUM = r"\((nsec|usec|msec|sec)\): min= *([\d.]+[kMG]?), max=.*?, avg= *([\d.]+[kMG]?)"


def _fio_text(text: str) -> Iterator[Timed]:
    """Read fio's usual text of all versions 3.x, a section for each job or group of jobs.

    It does not say whether writes were direct. Those that were not are known by their time.
    """
    version = re.search(r"^fio-\S+", text, re.MULTILINE)
    headers = re.finditer(r"^(.*?): \(g=\d+\): .*?bs=(?:.*?\(W\) )?([\w.]+)", text, re.MULTILINE)
    sizes = {header[1]: header[2] for header in headers}
    sections = list(re.finditer(_SECTION, text, re.MULTILINE | re.DOTALL))
    at_once = Counter(one[2] for one in sections)
    for one in sections:
        write, _, sync = one[0].partition("fsync/fdatasync/sync_file_range:")
        _, written, write = write.partition("  write: IOPS=")
        if at_once[one[2]] > 1 or one[3] != "1" or not written or not sync:
            continue
        if one[1] not in sizes:
            raise ValueError(
                f'job "{shorten(one[1])}": found no line "{one[1]}: (g=0): ... bs=..."'
            )
        said = f"{shorten(version[0]) if version else 'fio 3'}, a sync after each write"
        size = _size(sizes[one[1]])
        clat = _of_text(write, "clat")
        waited = clat if clat.mean_us > _COPIED_US else None
        yield Timed(size, _of_text(sync, "sync"), waited, said)


def _of_text(text: str, name: str) -> Times:
    """Return the times that fio's text gives below a name, each table in a unit of its own."""
    head = re.search(rf"^ +{name} {_SUM}", text, re.MULTILINE)
    if head is None:
        raise ValueError(f'found no line "{name} (usec): min=..., max=..., avg=..."')
    low, mean = (_number(word) * _US[head[1]] for word in (head[2], head[3]))
    rows = re.search(rf"{name} percentiles \((\w+)\):((?:\s*\|.*$)+)", text, re.MULTILINE)
    pairs: Pairs = []
    if rows is not None:
        found = re.findall(r"([\d.]+)th=\[ *(\d+)\]", rows[2])
        pairs = [(float(percent), float(time) * _US[rows[1]]) for percent, time in found]
    return Times([(0.0, min([low, *(us for _, us in pairs)])), *pairs], mean)


def _number(word: str) -> float:
    return float(word.rstrip("kMG")) * _SUFFIXES[word[-1:].lower() if word[-1:].isalpha() else ""]


def _fio_log(text: str) -> Iterator[Timed]:
    """Read a log of write latencies: time, ns, direction, bytes, and in newer versions more."""
    by_size: dict[int, Counter[float]] = defaultdict(Counter)
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(",")
        try:
            _, ns, direction, size = map(int, words[:4])
        except ValueError:
            found = f'line {number}: found "{shorten(line)}", want "time, ns, direction, bytes"'
            raise ValueError(found) from None
        if direction == 1:
            by_size[size][ns / 1000] += 1
    return _one_by_one(by_size, "fio's log of latencies")


def _one_by_one(by_size: dict[int, Counter[float]], tool: str) -> Iterator[Timed]:
    """Yield the sizes of a tool that tells the time of each write, but not whether it is synced."""
    for size, counts in by_size.items():
        bins = sorted(counts.items())
        mean = sum(us * count for us, count in bins) / counts.total()
        if mean < _COPIED_US:
            raise ValueError(
                f"found writes of {mean:.1f} us, which a page cache took without a sync; log "
                "synced ones, by fio --sync=dsync or ioping -y"
            )
        said = f"{tool}; whether each write was synced, it does not say"
        yield Timed(size, Times([(0.0, bins[0][0]), *table(bins)[:-1]], mean), None, said)


def _pg_test_fsync(text: str) -> Iterator[Timed]:
    """Read pg_test_fsync, which tells means: of one write and a fdatasync, and of two."""
    for words, size in (("one 8kB write", 8192), ("two 8kB writes", 16384)):
        part = text.partition(f"Compare file sync methods using {words}:")[2]
        found = re.search(r"^ +fdatasync +([\d.]+) ops/sec", part.partition("\n\n")[0], re.M)
        if found is not None and float(found[1]) > 0:
            mean = 1e6 / float(found[1])
            said = "pg_test_fsync, fdatasync; it tells means alone, so that no sync is slower"
            yield Timed(size, Times([(50.0, mean)], mean), None, said)


def _ioping(text: str) -> Iterator[Timed]:
    """Read ioping's lines of writes, without those that it calls warm-up."""
    line = r"^([\d.]+ ?\w*) >>> .*: request=\d+ time=([\d.]+) (\w+)(?! \(warmup\))\s*$"
    by_size: dict[int, Counter[float]] = defaultdict(Counter)
    for size, time, unit in re.findall(line, text, re.MULTILINE):
        by_size[_size(size.replace(" ", ""))][float(time) * _US[unit]] += 1
    return _one_by_one(by_size, "ioping")


class Format(NamedTuple):
    """A tool's format: what marks it, who reads it, and the run of that tool that is wanted."""

    name: str
    mark: str
    read: Callable[[str], Iterator[Timed]]
    wanted: str


FORMATS = (
    Format("fio's JSON", r'^\{\s*(?:"fio version"|\Z)', _fio_json, WANTED),
    Format("fio's text", r"^.*: \(groupid=\d+, jobs=\d+\)", _fio_text, WANTED),
    Format("fio's latency log", r"\A\d+, *\d+, *\d, *\d+", _fio_log, f"{WANTED} --sync=dsync"),
    Format("pg_test_fsync's output", "^Compare file sync methods", _pg_test_fsync, "pg_test_fsync"),
    Format(
        "ioping's output", r"(?:<<<|>>>) .*: request=", _ioping, "ioping -W -y -c 1000 -i 0 DIR"
    ),
)
