"""A data set is there once it was loaded and found consistent, and not before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from waltax import profiles
from waltax.base import proc
from waltax.base.errors import WaltaxError
from waltax.engines.server import account, datadir
from waltax.profiles import Profile
from waltax.runners.cells.driver import loading
from waltax.workloads import WORKLOADS

QUICK = profiles.load("quick")
# Loads with the real program, and finds what is wrong in a check of its own.
_FINDS_FAULTS = """\
import os, sys
if sys.argv[1] == "check":
    print('{{"event": "check", "ok": false, "violations": ["node 7: a link too many"]}}')
    sys.exit(1)
os.execv("{program}", ["{program}", *sys.argv[1:]])
"""


@pytest.fixture
def small() -> Profile:
    quick = profiles.load("quick")
    load = {"maxid1": 501, "degree_cap": 20}
    section = quick.workload("linkbench").model_copy(update={"load": load})
    return quick.model_copy(update={"linkbench": section})


@pytest.fixture
def finds_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build whose check of LinkBench fails."""
    real, build = proc.program("linkbench"), tmp_path / "build"
    build.mkdir()
    (build / "stand_in.py").write_text(_FINDS_FAULTS.format(program=real))
    program = build / "linkbench"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{build / "stand_in.py"}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("WALTAX_BUILD_DIR", str(build))


def test_a_load_is_checked_once_and_its_clones_hold_no_wal(tmp_path: Path, small: Profile) -> None:
    said: list[str] = []
    loaded = loading.prepare(small, "linkbench", tmp_path, said.append)
    assert said[0].endswith("(500 ids; out-degree capped at 20 links)")
    assert said[-1].endswith("checking it")
    assert loading.prepare(small, "linkbench", tmp_path, pytest.fail) == loaded
    datadir.clone(loaded, tmp_path / "clone", "rocksdb")
    names = {path.name for path in (tmp_path / "clone").iterdir()}
    assert "CURRENT" in names
    assert not [name for name in names if name.endswith(".log") or name.startswith("LOCK")]


def _name(profile: Profile, workload: str) -> str:
    return loading.Wanted(profile, workload).name


@pytest.mark.usefixtures("finds_faults")
def test_a_load_that_wrote_inconsistent_data_is_named_and_not_kept(
    tmp_path: Path, small: Profile
) -> None:
    for _ in range(2):
        with pytest.raises(WaltaxError, match=r"linkbench-501-.* not consistent: node 7: a link"):
            loading.prepare(small, "linkbench", tmp_path, lambda _: None)
        assert not [path for path in (tmp_path / "sets").iterdir() if path.is_dir()]


def test_data_that_another_account_was_made_for_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A data set's server knows one user of the system, and knew none in earlier releases."""
    profile = profiles.load("quick", "innodb")
    names = {_name(profile, "linkbench")}
    for user in ("alice", "bob"):
        monkeypatch.setattr(account, "user", lambda user=user: user)
        names.add(_name(profile, "linkbench"))
    assert len(names) == 3


def test_a_data_set_is_named_by_its_workload_and_size() -> None:
    assert _name(QUICK, "linkbench").startswith("linkbench-100001-")
    assert _name(QUICK, "tpcc").startswith("tpcc-4-")


def _with(workload: str, **change: object) -> Profile:
    section = QUICK.workload(workload).model_copy(update=change)
    return QUICK.model_copy(update={workload: section})


@pytest.mark.parametrize(
    "change", [{"load": {"warehouses": 5}}, {"column_family": {"compression": "kNoCompression"}}]
)
def test_what_changes_one_workload_s_files_changes_its_data_set_only(
    change: dict[str, object],
) -> None:
    changed = _with("tpcc", **change)
    assert _name(changed, "tpcc") != _name(QUICK, "tpcc")
    assert _name(changed, "linkbench") == _name(QUICK, "linkbench")


def test_how_it_is_run_does_not_change_a_data_set() -> None:
    assert _name(_with("tpcc", run={"terminals": 9}), "tpcc") == _name(QUICK, "tpcc")


def test_a_load_is_told_in_the_workload_s_own_words() -> None:
    words = WORKLOADS["tpcc"]
    progress = {"warehouses": 3, "of": 10, "rows": 1_500_000, "seconds": 4.4}
    assert words.progress(progress) == "3 of 10 warehouses, 1,500,000 rows in 4 s"
    loaded = {"warehouses": 10, "rows": {"item": 100_000, "stock": 1_000_000}, "seconds": 12.34}
    assert words.loaded(loaded) == "1,100,000 rows of 10 warehouses in 12.3 s"
    links = {"ids": 5_000, "nodes": 5_000, "links": 21_000, "seconds": 0.6}
    words = WORKLOADS["linkbench"]
    assert words.progress(links) == "5,000 ids, 21,000 links in 1 s"
    assert words.loaded(links) == "21,000 links of 5,000 ids in 0.6 s"
