"""The page in which the tap counts; devices/preload/tap/page.h documents each counter.

The library exports their offsets, so that a new counter is one line there. Times are in
nanoseconds. A snapshot is not atomic: take it while the observed program's workers are parked.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..base import home, proc
from ..base.errors import WaltaxError

FIRST_OCTAVE = 6  # of a histogram; see page.h

_SUM, _STATE = 1, 2  # enum tap_kind
_U64 = ctypes.c_uint64


class _Member(ctypes.Structure):
    """struct tap_layout: one member of the page, or of one of its files."""

    _fields_ = (
        ("name", ctypes.c_char * 32),
        *((name, _U64) for name in ("offset", "size", "kind", "in_rows")),
    )


class _Header(ctypes.Structure):
    """struct tap_header."""

    _fields_ = tuple((name, _U64) for name in ("magic", "version", "page_size", "file_size"))


@dataclass(frozen=True)
class _Layout:
    """The layout of a page, read from the library."""

    start: bytes  # the first members of a page: magic, version, size
    page_size: int
    file_size: int
    members: Mapping[str, _Member]

    def counters(self, prefix: str = "") -> Iterator[tuple[str, _Member]]:
        """Yield the counters of a page, or with "files." of a file, by their short names."""
        for name, member in self.members.items():
            head, dot, last = name.rpartition(".")
            if head + dot == prefix and member.kind in (_SUM, _STATE):
                yield last, member

    def sums(self, prefix: str = "") -> Iterator[str]:
        return (name for name, member in self.counters(prefix) if member.kind == _SUM)


@cache
def _layout() -> _Layout:
    """Read the layout from the library. Errors: WaltaxError when the tap is not built, or old."""
    path = proc.program("libwaltax_tap.so")
    library = ctypes.CDLL(str(path))
    try:
        header = _Header.in_dll(library, "waltax_tap_header")
    except ValueError:
        raise WaltaxError(f"{path}: is of another release of waltax; run: {home.SET_UP}") from None
    table = ctypes.pointer(_Member.in_dll(library, "waltax_tap_layout"))
    members: dict[str, _Member] = {}
    while table[len(members)].name:
        member = table[len(members)]
        members[member.name.decode()] = member
    start = struct.pack("<3Q", header.magic, header.version, header.page_size)
    return _Layout(start, header.page_size, header.file_size, members)


@dataclass(frozen=True)
class TapFile:
    """A WAL file. `slot` and `name` identify it; lengths are states, not sums."""

    slot: int
    name: str
    writes: int
    bytes: int
    syncs: int
    sync_ns: int
    length: int
    durable_length: int
    unlinked: int  # 1 once it was


@dataclass(frozen=True)
class TapCounters:
    """All counters of a page, or their difference between two moments.

    Each of `counts` is also an attribute, under its name in page.h: `counters.syncs`. `percentile`
    reads the histograms.
    """

    attached: int
    counts: Mapping[str, int]
    refused: str = ""
    sync_achieved: tuple[int, ...] = ()
    sync_wanted: tuple[int, ...] = ()
    data_read_achieved: tuple[int, ...] = ()
    files: tuple[TapFile, ...] = ()

    def __getattr__(self, name: str) -> int:
        if name in ("counts", "__setstate__"):  # while it is being copied
            raise AttributeError(name)
        try:
            return self.counts[name]
        except KeyError:
            raise AttributeError(f"the tap has no counter {name!r}") from None

    def in_rows(self) -> dict[str, int]:
        """Return the counters that a row carries."""
        return {name: self.counts[name] for name, member in _layout().counters() if member.in_rows}

    def minus(self, earlier: TapCounters) -> TapCounters:
        """Return what was counted since `earlier`, with the later states, lengths and names."""
        before = {(file.slot, file.name): file for file in earlier.files}
        sums = {name: self.counts[name] - earlier.counts[name] for name in _layout().sums()}
        return replace(
            self,
            attached=self.attached - earlier.attached,
            counts={**self.counts, **sums},
            sync_achieved=_difference(self.sync_achieved, earlier.sync_achieved),
            sync_wanted=_difference(self.sync_wanted, earlier.sync_wanted),
            data_read_achieved=_difference(self.data_read_achieved, earlier.data_read_achieved),
            files=tuple(_file_since(f, before.get((f.slot, f.name))) for f in self.files),
        )


def total(pages: Sequence[TapCounters]) -> TapCounters:
    """Return the sum of the counters of all pages; for states the largest."""
    first, *others = pages
    if not others:
        return first
    sums = set(_layout().sums())
    counts = {
        name: (sum if name in sums else max)(page.counts[name] for page in pages)
        for name in first.counts
    }
    return replace(
        first,
        attached=sum(page.attached for page in pages),
        counts=counts,
        sync_achieved=_added([page.sync_achieved for page in pages]),
        sync_wanted=_added([page.sync_wanted for page in pages]),
        data_read_achieved=_added([page.data_read_achieved for page in pages]),
        files=tuple(file for page in pages for file in page.files),
    )


def _added(histograms: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*histograms, strict=True)))


def _counters(page: bytes) -> TapCounters:
    layout = _layout()
    members = layout.members
    return TapCounters(
        attached=_number(page, members["attached"]),
        counts={name: _number(page, member) for name, member in layout.counters()},
        refused=_text(page, members["refused"]),
        sync_achieved=_numbers(page, members["sync_achieved"]),
        sync_wanted=_numbers(page, members["sync_wanted"]),
        data_read_achieved=_numbers(page, members["data_read_achieved"]),
        files=tuple(_files(page, layout)),
    )


class TapPage:
    """An existing page, mapped for reading; of one that we made, syncs can be hurried."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory

    @classmethod
    def open(cls, path: Path, *, ours: bool = False) -> TapPage:
        """Map the page at `path`. Errors: WaltaxError when it is no page of this version."""
        with path.open("r+b" if ours else "rb") as file:
            access = mmap.ACCESS_WRITE if ours else mmap.ACCESS_READ
            memory = mmap.mmap(file.fileno(), 0, access=access)
        layout = _layout()
        if len(memory) < layout.page_size:
            raise WaltaxError(f"{path}: {len(memory)} bytes, want a tap page of {layout.page_size}")
        if memory[: len(layout.start)] != layout.start:
            raise WaltaxError(f"{path}: not a tap page of this version of waltax")
        return cls(memory)

    def snapshot(self) -> TapCounters:
        """Read all counters now."""
        return _counters(bytes(self._memory))

    @contextlib.contextmanager
    def hurrying(self) -> Iterator[None]:
        """Have syncs answered at once, as if they took no time. REQUIRES: a page from `create`."""
        at = _layout().members["hurries"].offset
        self._memory[at] = 1
        try:
            yield
        finally:
            self._memory[at] = 0

    def close(self) -> None:
        """Unmap the page; the file stays."""
        self._memory.close()


class TapPages:
    """The pages of a foreign program, whose processes make one each in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def snapshot(self) -> TapCounters:
        """Return the sum of all pages now; files of one name count as one."""
        pages = [_empty(), *(read(path) for path in sorted(self._folder.iterdir()))]
        whole = total(pages)
        by_name: dict[str, list[TapFile]] = {}
        for file in whole.files:
            by_name.setdefault(file.name, []).append(file)
        return replace(whole, files=tuple(map(_one_file, by_name.values())))


def read(path: Path) -> TapCounters:
    """Return the counters of the page at `path` now. Errors: as `TapPage.open`."""
    page = TapPage.open(path)
    try:
        return page.snapshot()
    finally:
        page.close()


@cache
def _empty() -> TapCounters:
    """Return the counters of a page in which nothing was counted."""
    layout = _layout()
    return _counters(layout.start.ljust(layout.page_size, b"\0"))


def _one_file(files: Sequence[TapFile]) -> TapFile:
    sums = {n: sum(getattr(file, n) for file in files) for n in _layout().sums("files.")}
    return replace(files[-1], slot=0, **sums)


def create(path: Path) -> TapPage:
    """Make a fresh page at `path`, for the tap to map, and open it."""
    layout = _layout()
    path.write_bytes(layout.start.ljust(layout.page_size, b"\0"))
    return TapPage.open(path, ours=True)


def percentile(histogram: Sequence[int], q: float) -> float | None:
    """Return the `q`-th percentile in microseconds (within 0.8 %), None if it is empty."""
    total = sum(histogram)
    if total == 0:
        return None
    rank = max(1.0, total * q / 100)
    seen = 0
    for bucket, count in enumerate(histogram):
        seen += count
        if seen >= rank:
            return _middle_ns(bucket) / 1000
    raise AssertionError("a rank beyond the total: q must be 0 to 100")


def _middle_ns(bucket: int) -> float:
    octave, within = divmod(bucket, 64)
    return (64 + within + 0.5) * 2.0**octave * (1 << FIRST_OCTAVE) / 64


def _difference(later: Sequence[int], earlier: Sequence[int]) -> tuple[int, ...]:
    return tuple(b - a for a, b in zip(earlier, later, strict=True))


def _numbers(page: bytes, member: _Member, base: int = 0) -> tuple[int, ...]:
    return struct.unpack_from(f"<{member.size // 8}Q", page, base + member.offset)


def _number(page: bytes, member: _Member, base: int = 0) -> int:
    return _numbers(page, member, base)[0]


def _text(page: bytes, member: _Member, base: int = 0) -> str:
    start = base + member.offset
    return page[start : start + member.size].partition(b"\0")[0].decode(errors="replace")


def _files(page: bytes, layout: _Layout) -> Iterator[TapFile]:
    files = layout.members["files"]
    for slot in range(files.size // layout.file_size):
        base = files.offset + slot * layout.file_size
        name = _text(page, layout.members["files.name"], base)
        if name:
            counters = layout.counters("files.")
            counts = {name: _number(page, member, base) for name, member in counters}
            yield TapFile(slot=slot, name=name, **counts)


def _file_since(later: TapFile, earlier: TapFile | None) -> TapFile:
    # With fewer writes than before, another file of that name took the slot.
    if earlier is None or later.writes < earlier.writes:
        return later
    return replace(
        later, **{n: getattr(later, n) - getattr(earlier, n) for n in _layout().sums("files.")}
    )
