"""`waltax compare bisect` with real builds, one with a slow-down planted in its log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from planted_build import planted
from rocksdb_roots import LIBRARY, linked
from small_profile import written
from waltax import profiles
from waltax.studies import profile_scale
from waltax.studies.bisect import command

pytestmark = pytest.mark.nightly

_PAUSES = 100_000  # some 8 ms before each record: no noise of a machine is like that


# As short as a profile may say.
_TIMING = {
    "measure_s": 0.1,
    "settle_s": 0.1,
    "rounds_per_session": 2,
    "min_sessions": 3,
    "time_budget_s": 1.0,
}


def _profile(folder: Path) -> Path:
    ci = profiles.load("ci", "rocksdb")
    timing = ci.timing.model_copy(update=_TIMING)
    small = profile_scale.at_scale(ci.model_copy(update={"timing": timing}), 0.01)
    return written(small, folder)


@pytest.fixture(scope="module")
def builds() -> Iterator[tuple[Path, Path]]:
    """A good one, and one with the slow-down while it is judged."""
    with linked() as (good, bad):
        library = bad / "lib" / LIBRARY.name
        whole = library.read_bytes()
        library.write_bytes(planted(LIBRARY, _PAUSES))
        try:
            yield good, bad
        finally:
            library.write_bytes(whole)


@pytest.mark.parametrize(("judged", "code"), [(0, 0), (1, 1)])
def test_a_build_is_good_or_bad_by_a_campaign_beside_both(
    tmp_path: Path, builds: tuple[Path, Path], judged: int, code: int
) -> None:
    asked = [f"--good={builds[0]}", f"--bad={builds[1]}", f"--judge={builds[judged]}"]
    places = [f"--results={tmp_path / 'results'}", f"--data-dir={tmp_path / 'data'}"]
    how = [f"--profile={_profile(tmp_path / 'small')}", "--wal=flush", "--share-machine"]
    done = CliRunner().invoke(command, [*asked, *places, *how])
    assert done.exit_code == code, done.output
    assert "campaigns, " in done.output
    for rows in tmp_path.glob("results/*/rows.jsonl"):  # a busy machine may need more than one
        builds_of_rows = {json.loads(line)["build"] for line in rows.open()}
        assert builds_of_rows == {"good", "good-again", "bad", "next"}
