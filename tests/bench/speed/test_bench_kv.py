"""A write beside db_bench's: both sides really write; the comparison is `make bench NAME=kv`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.speed import kv


@pytest.mark.parametrize(("shape", "batch"), [("fillseq", 1), ("fillrandom", 10)])
def test_both_sides_write_the_keys_and_take_cpu_time(
    tmp_path: Path, shape: str, batch: int
) -> None:
    file = kv._file(shape, batch)
    assert kv._ours_s(tmp_path, file, 2_000) > 0
    assert kv._theirs_s(tmp_path, shape, batch, 2_000) > 0
    assert {path.name for path in tmp_path.iterdir()} == {"OPTIONS", "stderr"}


def test_cpu_time_is_told_of_a_key_without_what_a_start_costs() -> None:
    assert kv._difference_us(lambda keys: 3.0 + 2e-6 * keys) == pytest.approx(2.0)
