"""The planted slow-down: a whole library that differs where it shall, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import planted_build as plant
import pytest
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.engines.builds.build import Named
from waltax.engines.builds.inspection import look


@pytest.mark.nightly
def test_a_planted_build_is_a_build_whose_bytes_differ_by_what_was_planted(tmp_path: Path) -> None:
    slow = plant.plant(tmp_path / "slow", 40)
    whole, made = plant.installed().read_bytes(), (slow / "lib/librocksdb.so").read_bytes()
    assert len(whole) == len(made)
    differ = sum(a != b for a, b in zip(whole, made, strict=True))
    assert 0 < differ < 64
    other = plant.plant(tmp_path / "other", 0)
    assert _digests(slow) != _digests(other)


def _digests(root: Path) -> list[str]:
    return list(look("rocksdb", [Named("one", str(root))])["one"].files.values())


@pytest.mark.nightly
def test_the_log_runs_into_the_pauses_and_back_behind_what_they_replaced(tmp_path: Path) -> None:
    library = plant.plant(tmp_path, 7) / "lib/librocksdb.so"
    begin, _ = plant._function(library, plant._ADD_RECORD)
    cave, _ = plant._function(library, plant._UNUSED)
    first = _code(library, begin, 16)
    assert f"jmp {cave:x}" in first[0]
    there = _code(library, cave, 64)
    assert there[:5] == ["mov $0x7,%eax", "test %eax,%eax", there[2], "pause", "dec %eax"]
    back = next(line for line in there if line.startswith("jmp "))
    kept = plant._first_instructions(plant.installed(), begin)
    assert f"jmp {begin + kept:x}" in back


def _code(library: Path, begin: int, length: int) -> list[str]:
    ends = (f"--start-address={begin}", f"--stop-address={begin + length}")
    said = proc.run(["objdump", "-d", "--no-show-raw-insn", *ends, library])
    lines = [line.partition("\t")[2] for line in said.splitlines() if "\t" in line]
    return [" ".join(line.split()) for line in lines]


@pytest.mark.nightly
def test_marks_tell_builds_apart_that_do_the_same() -> None:
    library = plant.installed()
    assert plant.planted(library, 3, mark=1) != plant.planted(library, 3, mark=2)
    assert plant.planted(library, 3, mark=1) == plant.planted(library, 3, mark=1)


def test_a_library_without_the_write_path_is_refused_by_name() -> None:
    library = next(Path("/usr/lib").glob("*/libsnappy.so.1")).resolve()
    with pytest.raises(WaltaxError, match="exports no rocksdb3log6Writer9AddRecord"):
        plant.planted(library, 1)
