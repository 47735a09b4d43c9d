"""What the comparison with the real YCSB refuses; `make bench NAME=ycsb` is the comparison."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from waltax.base.errors import UsageError, WaltaxError

from bench.speed import ycsb


def _refused(*words: str) -> str:
    result = CliRunner().invoke(ycsb.main, words)
    assert isinstance(result.exception, UsageError)
    return str(result.exception)


def test_a_letter_that_is_no_workload_is_refused() -> None:
    assert "found 'g', want some of abcdef" in _refused("--letters", "ag")


def test_a_folder_without_the_jars_is_refused_by_the_first_of_them(tmp_path: Path) -> None:
    found = _refused("--jars", str(tmp_path))
    assert f"{tmp_path}/core-0.17.0.jar: found nothing" in found


def test_a_jar_of_other_bytes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "core-0.17.0.jar").write_bytes(b"another")
    assert "core-0.17.0.jar: found sha256" in _refused("--jars", str(tmp_path))


@pytest.mark.parametrize(("theirs", "ours"), [(0.50, 0.51), (0.05, 0.06), (0.0, 0.01)])
def test_shares_that_chance_does_not_explain_are_an_error(theirs: float, ours: float) -> None:
    with pytest.raises(WaltaxError, match="share of READ: theirs"):
        ycsb._require_near("share of READ", (theirs, ours), (1_000_000, 1_000_000))


def test_shares_of_few_draws_may_differ_more() -> None:
    ycsb._require_near("share of READ", (0.50, 0.51), (2_000, 2_000))
