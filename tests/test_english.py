"""What a native reader stumbled over does not come back, and a module is called by a noun."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_STUMBLES = (
    r"\b[Ss]hall\b",
    r"\bRead it so\b",
    r"\bthere is not[.,;)]",
    r"\bas \w+ has it\b",
    r"\bwhat there is\b",
    r"\bOf what\b",
)
"""Phrases at which four readers stopped."""
_NO_NOUNS = {
    *("apart", "asked", "below", "bounded", "closing", "crashed", "cutting", "disturbed", "early"),
    *("elsewhere", "ended", "ending", "found", "held", "kept", "known", "made", "mapped", "named"),
    *(
        "nearer",
        "observed",
        "published",
        "resuming",
        "roomy",
        "scaled",
        "seen",
        "served",
        "serving",
    ),
    *("shown", "stopping", "throttled", "told", "torn", "typed", "whole"),
}


def _texts() -> list[Path]:
    """The documents and the product's code."""
    suffixes = {".py", ".cc", ".h", ".c", ".inc", ".md"}
    rooms = (
        path for path in ROOT.iterdir() if path.name not in ("tests", "build", "results", "data")
    )
    found = [
        path
        for room in rooms
        if not room.name.startswith(".")
        for path in (room.rglob("*") if room.is_dir() else [room])
        if path.suffix in suffixes
    ]
    return [path for path in found if path.name != "CHANGELOG.md"]


@pytest.mark.parametrize("stumble", _STUMBLES)
def test_a_phrase_that_readers_stumbled_over_stands_nowhere(stumble: str) -> None:
    for path in _texts():
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert not re.search(stumble, line), (
                f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
            )


def test_no_module_is_named_by_a_participle() -> None:
    named = {path.stem: path for path in _texts() if path.suffix == ".py"}
    assert not {
        name: str(path.relative_to(ROOT)) for name, path in named.items() if name in _NO_NOUNS
    }
