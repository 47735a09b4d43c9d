"""The table of workloads. A new one is a room with a `workload.py`, and a line here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..base.errors import UsageError
from ..linkbench import workload as linkbench
from ..tpcc import workload as tpcc
from ..workload import Unit, Workload
from . import files
from .command import workload as serve
from .dbbench import workload as dbbench
from .mix import record as mix
from .ycsb import workload as ycsb

_ROOMS: tuple[tuple[Workload, ...], ...] = (
    linkbench.WORKLOADS,
    tpcc.WORKLOADS,
    ycsb.WORKLOADS,
    dbbench.WORKLOADS,
    serve.WORKLOADS,
    tuple(mix.workloads()),
)

WORKLOADS: dict[str, Workload] = {one.name: one for room in _ROOMS for one in room}
SECTIONS = tuple(dict.fromkeys(one.sized_by for one in WORKLOADS.values() if one.sized))
"""The tables of a profile."""
DRIVEN = tuple(name for name, one in WORKLOADS.items() if one.life == "driver")
"""Those with a driver program, which any campaign can measure in slices."""
WORDS = tuple(dict.fromkeys((*(one.word for one in WORKLOADS.values() if one.sized), *DRIVEN)))
"""The words that `--workload` takes where it takes all: a word may stand for several."""
DEFAULT = tuple(name for name, one in WORKLOADS.items() if not one.asked_only)
"""What a campaign measures when no workload is named."""
# Of a campaign's workloads in its name.
_MOST_LETTERS = 30
UNITS: dict[str, Unit] = {one.unit.name: one.unit for one in WORKLOADS.values()}


def add_mixes(texts: Mapping[str, str]) -> None:
    """Add the mixes of a user's own files, by their names, to the table of this process.

    Workload files of YCSB's are mixes, too. A name that the table has already is another text's
    from then on: a report may be of an older file. Errors: ValueError for what is no such text.
    """
    for name, text in texts.items():
        if name in WORKLOADS and not WORKLOADS[name].text:
            raise ValueError(f"{name}: a workload of waltax has this name")
        try:
            one = files.record(name, text)
        except (LookupError, TypeError, AttributeError, AssertionError, UsageError) as error:
            raise ValueError(f"{name}: no file of a mix ({error!r})") from error
        WORKLOADS[name] = one
        UNITS[one.unit.name] = one.unit


def recall(campaign: object) -> None:
    """Add the mixes that a campaign keeps in its campaign.json. Errors: as `add_mixes`."""
    texts = campaign.get("mixes") if isinstance(campaign, Mapping) else None
    if isinstance(texts, Mapping):
        add_mixes({str(name): str(text) for name, text in texts.items()})


def of(name: str) -> Workload:
    """The workload of a row, which another release may have written.

    A workload that this release does not know goes by its name.
    """
    return WORKLOADS.get(name) or Workload(name, name, Unit("requests/s", 1.0))


def named(word: str) -> tuple[str, ...]:
    """The workloads that a word of `WORDS` stands for."""
    return tuple(name for name, one in WORKLOADS.items() if one.word == word) or (word,)


def called(names: Sequence[str]) -> tuple[str, ...]:
    """Words for these workloads: the one of several where all of these are there.

    A folder that is named for each of six has no room for a socket's name. Where their names are
    still too long, that of several stands before how many of them there are: `sqlops-3`.
    """
    parts = {name: set(named(of(name).word)) for name in names}
    whole = {name for name in names if name in parts[name] <= set(names)}
    words = tuple(dict.fromkeys(of(one).word if one in whole else one for one in names))
    if sum(map(len, words)) <= _MOST_LETTERS:
        return words
    counts = Counter(of(name).word for name in names)
    return tuple(one if one in words else f"{one}-{count}" for one, count in counts.items())


def sized_by(section: str) -> Workload:
    """The first of the workloads that a section of a profile sizes."""
    return next(one for one in WORKLOADS.values() if one.sized_by == section)
