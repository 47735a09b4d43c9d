"""`waltax bisect` with real builds: one has a slow-down of milliseconds planted in its log."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from rocksdb_roots import LIBRARY, linked
from waltax.bench.builds.plant import planted
from waltax.study.bisect.command import command

_PAUSES = 100_000  # some 8 ms before each record: no noise of a machine is like that


@pytest.mark.parametrize(("judged", "code"), [(0, 0), (1, 1)])
def test_a_build_is_good_or_bad_by_a_campaign_beside_both(
    tmp_path: Path, tiny: Callable[[str], Path], judged: int, code: int
) -> None:
    good, bad = linked()
    library = bad / "lib" / LIBRARY.name
    whole = library.read_bytes()
    library.write_bytes(planted(LIBRARY, _PAUSES))
    builds = [f"--good={good}", f"--bad={bad}", f"--judge={(good, bad)[judged]}"]
    places = [f"--results={tmp_path / 'results'}", f"--data-dir={tmp_path / 'data'}"]
    try:
        done = CliRunner().invoke(
            command,
            [*builds, *places, f"--profile={tiny('rocksdb')}", "--wal=flush", "--share-machine"],
        )
    finally:
        library.write_bytes(whole)
    assert done.exit_code == code, done.output
    assert "1 campaigns, " in done.output
    (rows,) = tmp_path.glob("results/*/rows.jsonl")
    builds_of_rows = {json.loads(line)["build"] for line in rows.open()}
    assert builds_of_rows == {"good", "good-again", "bad", "next"}
