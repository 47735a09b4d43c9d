"""Campaigns of a user's own LinkBench configuration on the real driver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.evidence import judgement
from waltax.row import Row

Tiny = Callable[..., Path]
_SMALL = """# A small graph, most of whose requests add nodes.
maxid1 = 2001
degree_cap = 50
requesters = 2
addlink = 20
deletelink = 0
updatelink = 0
countlink = 0
getlink = 0
getlinklist = 20
addnode = 60
maxtime = 100
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "Nodes.properties"
    path.write_text(_SMALL)
    return path


def _measured(waltax: Any, *words: object) -> list[Row]:
    """The rows of a campaign, which are true, and each of whose cells was checked."""
    done = waltax.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = judgement.read(waltax.folder() / "rows.jsonl")
    assert {(row["status"], row["throughput_unit"]) for row in rows} == {("ok", "requests/s")}
    checks = [json.loads(line) for line in (waltax.folder() / "checks.jsonl").open()]
    assert {one["cell"] for one in checks} == {row["cell"] for row in rows}
    for row in rows:
        assert (row["workload"], row["threads"]) == ("nodes", 2)
        counted = {name for name in row if name.startswith("op_") and name.endswith("_count")}
        assert {"op_ADD_NODE_count"} <= counted
        assert counted <= {f"op_{op}_count" for op in ("ADD_NODE", "ADD_LINK", "GET_LINKS_LIST")}
    return rows


def test_its_graph_is_loaded_and_its_requests_are_measured(
    waltax: Any, tiny: Tiny, config: Path
) -> None:
    profile = tiny(rounds_per_session=1)
    linkbench = waltax.of(config)
    _measured(linkbench, "--profile", profile, "--device", "nvme", "--wal", "flush")
    kept = json.loads((linkbench.folder() / "campaign.json").read_text())
    assert "addnode = 60" in kept["mixes"]["nodes"]


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_it_runs_on_a_server(served: Any, tiny_of: Tiny, engine: str, config: Path) -> None:
    profile = tiny_of(engine, rounds_per_session="1", time_budget_s="0.5", min_sessions="1")
    words = ("--engine", engine, "--profile", profile, "--device", "nvram", "--wal", "sync")
    _measured(served.of(config), *words)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("read_function = x.REAL", '13: read_function: found "real", want one of: zipf uniform g'),
        ("read_shape = 1", "13: read_shape: found 1, want a number near it, such as 0.999"),
        ("startid1 = 3000", "2: maxid1: found 2001, want more than --startid1, which is 3000"),
        ("node_datasize = inf", '13: node_datasize: found "inf", want a number from 0.01 to'),
        (
            "addlink = 10",
            "13: addlink: found a sum of 90 with the other nine percent",
        ),
    ],
)
def test_what_the_driver_refuses_is_said_of_its_line_before_anything_is_made(
    waltax: Any, tiny: Tiny, config: Path, line: str, said: str
) -> None:
    config.write_text(f"{_SMALL}{line}\n")
    done = waltax.of(config).run("--profile", tiny(), "--device", "nvme")
    assert done.returncode == 2
    assert f"{config}:{said}" in done.stderr
    assert not waltax.results.exists()
