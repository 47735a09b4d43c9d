"""What the benchmarks on servers make of what they see."""

from __future__ import annotations

from pathlib import Path

import click.testing
import pytest

from bench.crash import server_crash
from bench.crash.server_crash import _Crash
from bench.homes import server as server_home
from bench.speed import original, plans
from bench.speed.paired import ratio


def test_a_server_that_did_not_start_again_is_counted_for_itself() -> None:
    crashes = [_Crash(2.0, 100, 10, None), _Crash(4.0, 500, None, "the server died")]
    assert server_crash._figures("off", crashes) == [
        *("off", "2", "1", "100", "10 (10.00 %)", "0.20", "1 of 2"),
    ]
    nothing = [_Crash(1.0, 0, 0, None), _Crash(4.0, 500, None, "the server died")]
    assert server_crash._figures("off", nothing)[3:6] == ["0", "-", "-"]


@pytest.mark.parametrize(
    "crash",
    [_Crash(2.0, 9, None, "died"), _Crash(2.0, 9, 1, None), _Crash(2.0, 0, 0, None)],
)
def test_sync_is_not_shown_to_lose_nothing_by_a_server_that_is_gone(crash: _Crash) -> None:
    with pytest.raises(SystemExit, match="sync, kill 0"):
        server_crash._require_nothing_lost([crash])


def test_the_costs_of_two_builds_are_compared_round_by_round() -> None:
    theirs = [[us] * 6 for us in (10.0, 40.0, 20.0)]
    half = [[us / 2] * 6 for us in (10.0, 40.0, 20.0)]
    assert set(ratio(half, theirs)) == {"0.50 [0.50, 0.50]"}
    assert ratio(half[::-1], theirs)[0].startswith("0.50 [0.")


def test_the_original_is_asked_for_where_it_is_built(tmp_path: Path) -> None:
    said = click.testing.CliRunner().invoke(original.main, [f"--original={tmp_path}"])
    assert "build it there: mvn package" in str(said.exception)


def test_the_original_says_itself_how_many_requests_are_finished(tmp_path: Path) -> None:
    setup = server_home.Setup("myrocks", "linkbench", {}, {"maxid1": 1001})
    access = original._Access(1, "user", "word")
    other = original._Original([tmp_path / "target" / "a.jar"], tmp_path, setup, access)
    assert other.requests() == 0
    line = "INFO [Thread-3]: {}/10000000000 requests finished: 0.0% complete at 9.5 ops/sec\n"
    (tmp_path / "original.log").write_text(line.format(250) + line.format(500) + "INFO: 7/8\n")
    assert other.requests() == 500


def test_a_slice_of_the_original_counts_from_its_first_sample() -> None:
    before = original._Sample(at_s=10.0, client_s=1.0, server_s=5.0, requests=1000)
    after = original._Sample(at_s=12.0, client_s=1.5, server_s=6.0, requests=6000)
    assert after.since(before) == original._Side(client_us=100.0, server_us=200.0, per_s=2500.0)


def test_plans_are_those_of_each_execution() -> None:
    log = """# User@Host: root[root] @ localhost []
# Query_time: 0.000151  Lock_time: 0.000051  Rows_sent: 9  Rows_examined: 9
# explain: id\tselect_type\ttable\ttype\tpossible_keys\tkey\tkey_len\tref\trows\tExtra
# explain: 1\tSIMPLE\tl\trange\tid1_type\tid1_type\t25\tNULL\t9\t{extra}
SET timestamp=1795387313;
SELECT a FROM l WHERE b = {value} AND c IN (1, 2, 3) AND d = 'it''s';"""
    covered = log.format(extra="Using where; Using index", value=7)
    lost = log.format(extra="Using where", value="_latin1 x'4f'")
    other = "# User@Host: root[root] @ localhost []\nSET timestamp=1;\nCOMMIT;"
    seen = plans.plans_of("\n".join([covered, other, covered, lost]).splitlines())
    assert seen == {
        "SELECT a FROM l WHERE b = ? AND c IN (?) AND d = ?": {
            "id1_type: Using where; Using index": 2,
            "id1_type: Using where": 1,
        }
    }
    (counts,) = seen.values()
    assert plans._using_index(counts) == 2
