"""The reports of small campaigns, word by word as they were recorded.

Each folder of `golden` holds the rows of a campaign (`golden_rows.py` took them from its results).
Where a report has no other test that holds all of it, a transcript of the commands that report it
lies beside them, and in `files` what these write; of a figure its words. Numbers are compared as
numbers.

Where a report is to change, change it, and record again: then the difference of the
recorded files is the change, to be read before it is committed.

    WALTAX_RECORD=1 .venv/bin/pytest tests/test_golden_reports.py

A new case is one more line `$ waltax ...` in a transcript, and a recording.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from golden_runs import commands, neutral, run, with_numbers_of

GOLDEN = Path(__file__).parent / "golden"
CAMPAIGNS = sorted(path.parent.name for path in GOLDEN.glob("*/rows.jsonl"))
KINDS = sorted(path.parent.name for path in GOLDEN.glob("*/transcript.txt"))
RECORD = os.environ.get("WALTAX_RECORD") == "1"
# What a campaign leaves in its results that a report reads, or is resumed by.
_GIVEN = ("rows.jsonl", "campaign.json", "hosts.json")
_DRAWN = (".png", ".html")  # the page has tests of its own: tests/analysis/page


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the results of all campaigns, and the profile that they were measured by."""
    for kind in CAMPAIGNS:
        results = tmp_path / "results" / kind
        results.mkdir(parents=True)
        for name in _GIVEN:
            if (GOLDEN / kind / name).exists():
                shutil.copy(GOLDEN / kind / name, results)
        if (GOLDEN / kind / "ended.json").exists():
            shutil.copy(GOLDEN / kind / "ended.json", results / "summary.json")
        for profile in (GOLDEN / kind).glob("*.toml"):
            shutil.copy(profile, tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_what_was_recorded(kind: str, place: Path) -> None:
    _compare(GOLDEN / kind / "transcript.txt", place)
    for path in _written(place / "results" / kind):
        recorded = GOLDEN / kind / "files" / path.name
        words = recorded.with_suffix(".words") if path.suffix == ".svg" else recorded
        _expect(words, neutral(path.read_text(), place))


def test_what_is_refused_is_refused_in_the_same_words(place: Path) -> None:
    before = sorted(place.rglob("*"))
    _compare(GOLDEN / "refusals.txt", place)
    assert sorted(place.rglob("*")) == before


def test_only_the_last_digits_of_a_number_may_differ() -> None:
    expected = '{"n": 12.000000, "name": "k16"}'
    assert with_numbers_of(expected, '{"n": 12.000001, "name": "k16"}') == expected
    for other in ('{"n": 12.0001, "name": "k16"}', '{"n": 12.000000, "name": "k17"}'):
        assert with_numbers_of(expected, other) == other


def _compare(transcript: Path, place: Path) -> None:
    """Run the commands of a transcript: each must print what stands there."""
    found = run(commands(transcript.read_text()), place)
    _expect(transcript, found)


def _written(results: Path) -> list[Path]:
    """The files that a report wrote; each figure is there twice, as SVG and PNG."""
    return [
        path
        for path in sorted(results.iterdir())
        if path.is_file() and path.name not in _GIVEN and path.suffix not in _DRAWN
    ]


def _expect(recorded: Path, found: str) -> None:
    if RECORD:
        recorded.parent.mkdir(exist_ok=True)
        before = recorded.read_text() if recorded.exists() else ""
        recorded.write_text(with_numbers_of(before, found))
    expected = recorded.read_text()
    assert with_numbers_of(expected, found) == expected
