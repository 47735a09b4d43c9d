"""How the parts of the tests become one exit code, and leave out no test."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

PARTS = runpy.run_path(str(Path(__file__).parent / "in_parts.py"))


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ((0, 0, 0), 0),
        ((0, 1, 0), 1),
        ((-9, 0, 1), 9),
        ((5, 0, 0), 0),  # one part selected no test
        ((1, 5, 0), 1),
        ((5, 5, 5), 5),
    ],
)
def test_a_part_without_any_test_is_well_when_another_one_ran_some(
    codes: tuple[int, ...], code: int
) -> None:
    assert PARTS["worse"](*codes) == code


def test_every_file_of_tests_is_in_one_part() -> None:
    root, taken = PARTS["ROOT"], []
    for words in PARTS["PARTS"].values():
        left_out = [root / word.removeprefix("--ignore=") for word in words if "=" in word]
        for path in (root / word for word in words if "=" not in word):
            files = path.rglob("test_*.py") if path.is_dir() else [path]
            taken += [file for file in files if file not in left_out]
    assert sorted(taken) == sorted((root / "tests").rglob("test_*.py"))
