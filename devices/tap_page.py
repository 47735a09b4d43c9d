"""Reader of the page in which the tap counts (devices/tap/page.h says what each counter means).

Times are in nanoseconds. A snapshot is not atomic: take it while the observed program's workers
are parked.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ..errors import WaltaxError

MAGIC = 0x5041545841544C57
VERSION = 1
FILES = 512
FIRST_OCTAVE = 6
BUCKETS = 31 * 64

_U64 = ctypes.c_uint64
_HEADER = ("magic", "version", "size", "attached")
_COUNTERS = (
    *("opens", "closes", "unlinks", "writes", "write_bytes", "write_ns", "syncs", "sync_ns"),
    *("dir_syncs", "dir_sync_ns", "sync_file_ranges", "sync_file_range_ns"),
    *("fallocates", "fallocate_ns", "fallocates_skipped", "truncates", "bypasses"),
    *("files_dropped", "emulated", "wanted_ns", "achieved_ns", "late", "spin_ns", "burn_ns"),
    "spin_margin_ns",
)
# Counters that are states: the later value stands in a difference.
_STATES = frozenset({"emulated", "spin_margin_ns"})
_FILE_SUMS = ("writes", "bytes", "syncs", "opened", "closed")


class FileLayout(ctypes.Structure):
    """struct tap_file."""

    _fields_ = (
        ("name", ctypes.c_char * 40),
        ("writes", _U64),
        ("bytes", _U64),
        ("syncs", _U64),
        ("length", _U64),
        ("durable_length", _U64),
        ("opened", _U64),
        ("closed", _U64),
        ("unlinked", _U64),
    )


class PageLayout(ctypes.Structure):
    """struct tap_page."""

    _fields_ = (
        *((name, _U64) for name in _HEADER),
        *((name, _U64) for name in _COUNTERS),
        ("refused", ctypes.c_char * 128),
        ("sync_achieved", _U64 * BUCKETS),
        ("sync_wanted", _U64 * BUCKETS),
        ("files", FileLayout * FILES),
    )


@dataclass(frozen=True)
class TapFile:
    """One WAL file. `slot` and `name` identify it; lengths are states, not sums."""

    slot: int
    name: str
    writes: int
    bytes: int
    syncs: int
    length: int
    durable_length: int
    opened: int
    closed: int
    unlinked: bool


@dataclass(frozen=True)
class TapCounters:
    """All that the page holds, or the difference of two moments. Histograms: see `percentile`."""

    attached: int
    opens: int
    closes: int
    unlinks: int
    writes: int
    write_bytes: int
    write_ns: int
    syncs: int
    sync_ns: int
    dir_syncs: int
    dir_sync_ns: int
    sync_file_ranges: int
    sync_file_range_ns: int
    fallocates: int
    fallocate_ns: int
    fallocates_skipped: int
    truncates: int
    bypasses: int
    files_dropped: int
    emulated: int
    wanted_ns: int
    achieved_ns: int
    late: int
    spin_ns: int
    burn_ns: int
    spin_margin_ns: int
    refused: str
    sync_achieved: tuple[int, ...]
    sync_wanted: tuple[int, ...]
    files: tuple[TapFile, ...]

    def minus(self, earlier: TapCounters) -> TapCounters:
        """Return what was counted since `earlier`. States, lengths and names are the later ones."""
        sums = {
            field.name: getattr(self, field.name) - getattr(earlier, field.name)
            for field in fields(self)
            if field.type == "int" and field.name not in _STATES
        }
        before = {(file.slot, file.name): file for file in earlier.files}
        return replace(
            self,
            **sums,
            sync_achieved=_difference(self.sync_achieved, earlier.sync_achieved),
            sync_wanted=_difference(self.sync_wanted, earlier.sync_wanted),
            files=tuple(_file_since(f, before.get((f.slot, f.name))) for f in self.files),
        )


class TapPage:
    """A page that was created, mapped for reading."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory

    @classmethod
    def open(cls, path: Path) -> TapPage:
        """Map the page at `path`; WaltaxError when it is no page of this version."""
        with path.open("rb") as file:
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        size = ctypes.sizeof(PageLayout)
        if len(memory) < size:
            raise WaltaxError(f"{path}: {len(memory)} bytes, want a tap page of {size}")
        page = PageLayout.from_buffer_copy(memory)
        if (page.magic, page.version, page.size) != (MAGIC, VERSION, size):
            raise WaltaxError(f"{path}: not a tap page of version {VERSION}")
        return cls(memory)

    def snapshot(self) -> TapCounters:
        """Read all counters now."""
        page = PageLayout.from_buffer_copy(self._memory)
        return TapCounters(
            attached=page.attached,
            **{name: getattr(page, name) for name in _COUNTERS},
            refused=page.refused.decode(errors="replace"),
            sync_achieved=tuple(page.sync_achieved),
            sync_wanted=tuple(page.sync_wanted),
            files=tuple(_file(i, file) for i, file in enumerate(page.files) if file.name),
        )

    def close(self) -> None:
        """Unmap the page; the file stays."""
        self._memory.close()


def create(path: Path) -> TapPage:
    """Make a fresh page at `path`, for the tap to map, and open it."""
    size = ctypes.sizeof(PageLayout)
    path.write_bytes(bytes(PageLayout(magic=MAGIC, version=VERSION, size=size)))
    return TapPage.open(path)


def percentile(histogram: Sequence[int], q: float) -> float | None:
    """Return the `q`-th percentile in microseconds (within 0.8 %), None when nothing counted."""
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


def _file(slot: int, file: FileLayout) -> TapFile:
    values = {name: getattr(file, name) for name, _ in FileLayout._fields_[1:]}
    values["unlinked"] = bool(values["unlinked"])
    return TapFile(slot=slot, name=file.name.decode(errors="replace"), **values)


def _file_since(later: TapFile, earlier: TapFile | None) -> TapFile:
    # Fewer writes than before: another file of that name took the slot.
    if earlier is None or later.writes < earlier.writes:
        return later
    return replace(later, **{n: getattr(later, n) - getattr(earlier, n) for n in _FILE_SUMS})
