"""The page in which the tap counts, and is told what to do; devices/preload/tap/page.h has it.

The library exports where all is, so that a new counter is one line there. Times are in
nanoseconds. A snapshot is not atomic: take it while the observed program's workers are parked.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import sub
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base import home, proc
from ..base.errors import WaltaxError
from . import tap_model

_RUNGS = ("", "encode", "sync-free", "wait")  # enum tap_rung

Histogram = npt.NDArray[np.int64] | Sequence[int]


@dataclass(frozen=True)
class _Layout:
    """The layout of a page, read from the library."""

    start: bytes  # the first members of a page: magic, version, size
    size: int
    page: np.dtype[np.void]
    counters: Mapping[str, bool]  # by name, whether it only grows; histograms are among them
    in_rows: tuple[str, ...]


@cache
def _layout() -> _Layout:
    """Read the layout from the library. Errors: WaltaxError when the tap is not built, or old."""
    path = proc.program("libwaltax_tap.so")
    library = ctypes.CDLL(str(path))
    try:
        header = (ctypes.c_uint64 * 3).in_dll(library, "waltax_tap_header")
        text = ctypes.c_char_p.in_dll(library, "waltax_tap_layout").value or b""
    except ValueError:
        raise WaltaxError(f"{path}: is of another release of waltax; run: {home.SET_UP}") from None
    lines = [line.split() for line in text.decode().splitlines()]
    of_file = [_member(line) for line in lines if line[0].startswith("files.")]
    own = [line for line in lines if not line[0].startswith("files.")]
    start = bytes(header)
    return _Layout(
        start,
        header[2],
        np.dtype([("start", f"S{len(start)}"), *(_member(line, of_file) for line in own)]),
        {name: kind == "SUM" for name, _, kind, _ in own if kind in ("SUM", "STATE")},
        tuple(name for name, _, _, seen_in in own if seen_in == "ROW"),
    )


def _member(line: Sequence[str], of_file: Sequence[Any] = ()) -> tuple[Any, ...]:
    """Return a member as numpy takes it: a number, several, a text, or all files."""
    name, count, kind, _ = line
    name = name.removeprefix("files.")
    if kind == "TEXT":
        return name, f"S{count}"
    of = list(of_file) if kind == "FILES" else "<u8"
    return (name, of) if count == "1" else (name, of, (int(count),))


@dataclass(frozen=True)
class TapFile:
    """A WAL file; `name` is its path below the log's directory."""

    name: str
    writes: int
    bytes: int
    syncs: int
    sync_ns: int

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        return self.writes, self.bytes, self.syncs, self.sync_ns


@dataclass(frozen=True, eq=False)
class TapCounters:
    """All counters of a page, or their difference between two moments.

    Each of `counts` is also an attribute, under its name in page.h: `counters.syncs` is a number,
    and `counters.sync_achieved` a histogram for `percentile`.
    """

    counts: Mapping[str, Any]
    refused: str = ""
    files: tuple[TapFile, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name == "counts" or name.startswith("__"):  # while it is being copied
            raise AttributeError(name)
        try:
            return self.counts[name]
        except KeyError:
            raise AttributeError(f"the tap has no counter {name!r}") from None

    def in_rows(self) -> dict[str, int]:
        """Return the counters that a row carries."""
        return {name: self.counts[name] for name in _layout().in_rows}

    def minus(self, earlier: TapCounters) -> TapCounters:
        """Return what was counted since `earlier`, with the later states and names."""
        before = {file.name: file for file in earlier.files}
        counts = {
            name: self.counts[name] - earlier.counts[name] if grows else self.counts[name]
            for name, grows in _layout().counters.items()
        }
        files = tuple(_file_since(file, before.get(file.name)) for file in self.files)
        return replace(self, counts=counts, files=files)


def _file_since(later: TapFile, earlier: TapFile | None) -> TapFile:
    # With fewer writes than before it is another file of that name.
    if earlier is None or later.writes < earlier.writes:
        return later
    return TapFile(later.name, *map(sub, later.numbers, earlier.numbers))


def as_one(name: str, files: Iterable[TapFile]) -> TapFile:
    """Return the sum of several files under a name of its own."""
    return TapFile(name, *map(sum, zip((0, 0, 0, 0), *(f.numbers for f in files), strict=True)))


def total(pages: Sequence[TapCounters]) -> TapCounters:
    """Return the sum of all pages; of states the largest, and files of one name as one."""
    if len(pages) == 1:
        return pages[0]
    counts = {
        name: (sum if grows else max)(page.counts[name] for page in pages)
        for name, grows in _layout().counters.items()
    }
    by_name: dict[str, list[TapFile]] = {}
    for file in (file for page in pages for file in page.files):
        by_name.setdefault(file.name, []).append(file)
    files = tuple(as_one(name, same) for name, same in by_name.items())
    refused = next((page.refused for page in pages if page.refused), "")
    return TapCounters(counts, refused, files)


def _counters(page: bytes) -> TapCounters:
    layout = _layout()
    record = np.frombuffer(page, layout.page, 1)[0]
    files = record["files"]
    return TapCounters(
        {name: _count(record[name]) for name in layout.counters},
        _text(record["refused"]),
        tuple(TapFile(_text(name), *rest) for name, *rest in files[files["name"] != b""].tolist()),
    )


def _count(value: np.uint64 | npt.NDArray[np.uint64]) -> int | npt.NDArray[np.int64]:
    return int(value) if isinstance(value, np.uint64) else value.astype(np.int64)


def _text(text: bytes) -> str:
    return text.partition(b"\0")[0].decode(errors="replace")


class TapPage:
    """An existing page, mapped for reading; one that we made can also tell the tap what to do."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory

    @classmethod
    def open(cls, path: Path, *, ours: bool = False) -> TapPage:
        """Map the page at `path`. Errors: WaltaxError when it is no page of this version."""
        with path.open("r+b" if ours else "rb") as file:
            access = mmap.ACCESS_WRITE if ours else mmap.ACCESS_READ
            memory = mmap.mmap(file.fileno(), 0, access=access)
        layout = _layout()
        if len(memory) < layout.size or not memory[:].startswith(layout.start):
            raise WaltaxError(f"{path}: not a tap page of this version of waltax")
        return cls(memory)

    def snapshot(self) -> TapCounters:
        """Read all counters now."""
        return _counters(bytes(self._memory))

    def tell(self, model: bytes | None, rung: str, **texts: str) -> None:
        """Say what programs that begin are to do, and nothing else, by the names of page.h.

        REQUIRES: a page of ours. Errors: WaltaxError for a text that is too long.
        """
        for name in ("log_dir", "patterns", "pages", "device"):
            self._write(name, texts.get(name, "").encode())
        self._write("rung", bytes([_RUNGS.index(rung)]))
        size = _layout().size
        self._memory[size - tap_model.SIZE : size] = model or bytes(tap_model.SIZE)

    @contextlib.contextmanager
    def hurrying(self) -> Iterator[None]:
        """Have syncs answered at once, as if they took no time. REQUIRES: a page of ours."""
        self._write("hurries", b"\1")
        try:
            yield
        finally:
            self._write("hurries", b"\0")

    def _write(self, name: str, value: bytes) -> None:
        fields = _layout().page.fields
        assert fields is not None
        of, at = fields[name][:2]
        if of.kind == "S" and len(value) >= of.itemsize:
            raise WaltaxError(f"{value.decode()}: is longer than {of.itemsize - 1} bytes")
        self._memory[at : at + of.itemsize] = value.ljust(of.itemsize, b"\0")

    def close(self) -> None:
        """Unmap the page; the file stays."""
        self._memory.close()


class TapPages:
    """The pages of a foreign program, whose processes make one each in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def snapshot(self) -> TapCounters:
        """Return the sum of all pages now."""
        return total([_counters(_empty()), *map(read, sorted(self._folder.iterdir()))])


def read(path: Path) -> TapCounters:
    """Return the counters of the page at `path` now. Errors: as `TapPage.open`."""
    with contextlib.closing(TapPage.open(path)) as page:
        return page.snapshot()


def create(path: Path) -> TapPage:
    """Make a fresh page at `path`, for the tap to map, and open it."""
    path.write_bytes(_empty())
    return TapPage.open(path, ours=True)


def _empty() -> bytes:
    layout = _layout()
    return layout.start.ljust(layout.size, b"\0")


def percentile(histogram: Histogram, q: float) -> float | None:
    """Return the `q`-th percentile in microseconds (within 0.8 %), None if it is empty."""
    reached = np.cumsum(histogram)
    if not reached.size or not reached[-1]:
        return None
    bucket = int(np.searchsorted(reached, max(1.0, reached[-1] * q / 100)))
    octave, within = divmod(bucket, 64)
    return float((64 + within + 0.5) * 2.0**octave / 1000)  # TAP_FIRST_OCTAVE is 64 ns
