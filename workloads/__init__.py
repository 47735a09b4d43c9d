"""The table of workloads. A new one is a record here, and a line below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..base.errors import UsageError
from ..workload import Unit, Workload
from . import files, linkbench, own_program, tpcc
from .mix import record as mix

_ROOMS: tuple[tuple[Workload, ...], ...] = (
    linkbench.WORKLOADS,
    tpcc.WORKLOADS,
    own_program.WORKLOADS,
    tuple(mix.workloads()),
)

WORKLOADS: dict[str, Workload] = {each.name: each for room in _ROOMS for each in room}
SECTIONS = tuple(dict.fromkeys(each.sized_by for each in WORKLOADS.values() if each.sized))
"""The sections of a profile."""
DRIVEN = tuple(name for name, each in WORKLOADS.items() if each.sized)
"""Workloads with a driver program, which any campaign can measure in slices."""
WORDS = tuple(dict.fromkeys((*(each.word for each in WORKLOADS.values() if each.sized), *DRIVEN)))
"""The words that `--workload` accepts; a word may stand for several workloads."""
DEFAULT = tuple(name for name, each in WORKLOADS.items() if not each.asked_only)
"""What a campaign measures when no workload is named."""
# The limit for workloads in a campaign's name.
_MOST_LETTERS = 30
UNITS: dict[str, Unit] = {each.unit.name: each.unit for each in WORKLOADS.values()}


def add(record: Workload) -> None:
    """Add the workload of a user's own file to the table of this process.

    One of the same name is replaced, since a report may be of an older file. Errors: ValueError
    for the name of a workload of ours.
    """
    if record.name in WORKLOADS and not WORKLOADS[record.name].text:
        raise ValueError(f"{record.name}: a workload of waltax has this name")
    WORKLOADS[record.name] = record
    UNITS[record.unit.name] = record.unit


def add_mixes(texts: Mapping[str, str]) -> None:
    """Add the workloads of files by their names and texts. Errors: ValueError for no such text."""
    for name, text in texts.items():
        try:
            record = files.record(name, text)
        except (LookupError, TypeError, AttributeError, AssertionError, UsageError) as error:
            raise ValueError(f"{name}: no file of a workload ({error!r})") from error
        add(record)


def recall(campaign: object) -> None:
    """Add the files that a campaign keeps in its campaign.json. Errors: as `add_mixes`."""
    texts = campaign.get("mixes") if isinstance(campaign, Mapping) else None
    if isinstance(texts, Mapping):
        add_mixes({str(name): str(text) for name, text in texts.items()})


def own_texts(names: Iterable[str]) -> dict[str, str]:
    """Return, for a campaign to keep, the files of those of the workloads that are a user's own."""
    ours = mix.shipped()
    return {name: text for name in names if name not in ours and (text := of(name).text)}


def of(name: str) -> Workload:
    """Return the workload of a row, which another release may have written.

    An unknown workload has only its name.
    """
    return WORKLOADS.get(name) or Workload(name, name, Unit("requests/s", 1.0))


def named(word: str) -> tuple[str, ...]:
    """Return the workloads that a word of `WORDS` stands for."""
    return tuple(name for name, each in WORKLOADS.items() if each.word == word) or (word,)


def called(names: Sequence[str]) -> tuple[str, ...]:
    """Return words for these workloads: the word of a group if all its workloads are given.

    A folder named for six workloads would leave no room for a socket's name. If the words are still
    too long, a group's word is followed by the number of its workloads, `sqlops-3`, and of many
    groups the first is named.
    """
    parts = {name: set(named(of(name).word)) for name in names}
    whole = {name for name in names if name in parts[name] <= set(names)}
    words = tuple(dict.fromkeys(of(name).word if name in whole else name for name in names))
    if sum(map(len, words)) <= _MOST_LETTERS:
        return words
    counts = Counter(of(name).word for name in names)
    first, *others = (word if word in words else f"{word}-{n}" for word, n in counts.items())
    if len("-".join(others)) <= 2 * _MOST_LETTERS:
        return (first, *others)
    return (first, f"{len(others)}-more")


def sized_by(section: str) -> Workload:
    """Return the first workload that a section of a profile sizes."""
    return next(each for each in WORKLOADS.values() if each.sized_by == section)
