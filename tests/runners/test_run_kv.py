"""Campaigns of kv's shapes on the real driver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.evidence import kept as evidence

Tiny = Callable[..., Path]


def _measured(kv: Any, profile: Path, mode: str) -> set[str]:
    """The workloads of a campaign whose rows are true, each of whose cells was checked."""
    done = kv.run("--profile", profile, "--device", "nvme", "--wal", mode, "--seed", 7)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = evidence.read(kv.folder() / "rows.jsonl")
    assert {(row["status"], row["throughput_unit"]) for row in rows} == {("ok", "writes/s")}
    assert {row["durability"] for row in rows} == {"off", mode}
    checks = [json.loads(line) for line in (kv.folder() / "checks.jsonl").open()]
    assert {one["cell"] for one in checks} == {row["cell"] for row in rows}
    return {row["workload"] for row in rows}


def test_shapes_and_commits_in_two_phases_are_measured_with_their_evidence(
    waltax: Any, tiny: Tiny
) -> None:
    names = ("kv-fillrandom", "kv-2pc")
    profile = tiny(rounds_per_session=1, num="20000")
    assert _measured(waltax.of(*names), profile, "sync") == set(names)


@pytest.mark.nightly
@pytest.mark.parametrize("batch", [1, 100])
def test_shapes_take_turns_on_clones_of_one_data_set(waltax: Any, tiny: Tiny, batch: int) -> None:
    profile = tiny(rounds_per_session=1, num="20000")
    run = f"[kv.run]\nbatch_size = {batch}\n\n[kv.column_family]"
    profile.write_text(profile.read_text().replace("[kv.column_family]", run))
    shapes = {"kv-fillseq", "kv-fillrandom", "kv-overwrite"}
    assert _measured(waltax.of("kv"), profile, "flush") == shapes


@pytest.mark.nightly
def test_transactions_of_either_kind_are_measured(waltax: Any, tiny: Tiny) -> None:
    names = ("kv-pessimistic", "kv-optimistic")
    profile = tiny(rounds_per_session=1, num="20000")
    assert _measured(waltax.of(*names), profile, "sync") == set(names)
