"""`waltax sweep nodes` and --nodes: plans, and what is refused before anything is measured."""

from __future__ import annotations

import pytest
import sweeping
from sweeping import Said
from waltax.studies import frame


def _study(*words: object) -> Said:
    return sweeping.said(frame.command("sweep nodes"), "--plan", *words)


def _run(*words: object) -> Said:
    of = ("--profile=shards", "--workload=ycsb-a", "--device=nvme")
    return sweeping.said(frame.command("run"), "--plan", *of, *words)


def _cells(done: Said) -> set[str]:
    assert done.code == 0, done.text
    lines = done.text.splitlines()
    return {line.split()[0] for line in lines if line.startswith(("  myrocks-", "  rocksdb-"))}


def test_all_cuts_take_turns_with_their_logs_off_flushed_and_synced() -> None:
    assert _cells(_study("--nodes=1,2")) == {
        f"myrocks-shards-ycsb-a-shards-{log}-t8-{cut}"
        for log in ("off-off", "nvme-flush", "nvme-sync")
        for cut in ("n1", "n2", "n2-hash")
    }


def test_nodes_in_one_process_share_a_device() -> None:
    done = _study("--engine=rocksdb-shards", "--nodes=2")
    assert {one.partition("-t8-")[2] for one in _cells(done)} == {"n2-shared", "n2-hash-shared"}
    done = _run("--engine=rocksdb-shards", "--nodes=2")
    assert done.code == 2
    assert "--wal-shared: missing; the logs of 2 nodes of rocksdb-shards on nvme" in done.text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--nodes=0",), "--nodes: found '0'; one or more whole numbers from 1 to 16"),
        (("--nodes=1,x",), "--nodes: found '1,x'"),
        (("--ways=sideways",), "--ways: found 'sideways'; one or more of range,hash"),
    ],
)
def test_a_study_that_cannot_be_is_refused(words: tuple[str, ...], message: str) -> None:
    done = _study(*words)
    assert done.code == 2
    assert message in done.text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--engine=rocksdb", "--nodes=2"), "--nodes: found with --engine rocksdb, which is one"),
        (("--engine=myrocks-shards", "--wal-shared"), "--wal-shared: found without --nodes"),
        (
            ("--engine=myrocks-shards", "--nodes=2", "--binlog=nvram"),
            "--binlog: found with 2 nodes",
        ),
        (("--engine=myrocks-shards", "--nodes=16", "--device=nvram"), "or --nodes take less"),
    ],
)
def test_a_run_of_nodes_that_cannot_be_is_refused(
    words: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("psutil.virtual_memory", lambda: _Memory())
    done = _run(*words)
    assert done.code == 2, done.text
    assert message in done.text


class _Memory:
    """Of a small machine."""

    available = 2 << 30
    total = 4 << 30
