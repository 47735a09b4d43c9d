"""A data set is there once it was loaded and found consistent, and not before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from waltax import proc, profiles
from waltax.errors import UsageError, WaltaxError
from waltax.mariadb import account
from waltax.profiles import Profile
from waltax.runners import dataset
from waltax.runners.session import _where_to_look

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
    loaded = dataset.prepare(small, "linkbench", tmp_path, said.append)
    assert said[0].endswith("(500 ids; out-degree capped at 20 links)")
    assert said[-1].endswith("checking it")
    assert dataset.prepare(small, "linkbench", tmp_path, pytest.fail) == loaded
    dataset.clone(loaded, tmp_path / "clone")
    names = {path.name for path in (tmp_path / "clone").iterdir()}
    assert "CURRENT" in names
    assert not [name for name in names if name.endswith(".log") or name.startswith("LOCK")]


@pytest.mark.usefixtures("finds_faults")
def test_a_load_that_wrote_inconsistent_data_is_named_and_not_kept(
    tmp_path: Path, small: Profile
) -> None:
    for _ in range(2):
        with pytest.raises(WaltaxError, match=r"linkbench-501-.* not consistent: node 7: a link"):
            dataset.prepare(small, "linkbench", tmp_path, lambda _: None)
        assert not [path for path in (tmp_path / "sets").iterdir() if path.is_dir()]


def test_only_a_refusal_of_the_data_says_where_it_was_loaded_from(tmp_path: Path) -> None:
    for refusal, of_the_data in (
        ("linkbench: --db: the data set in x is incomplete", True),
        ("linkbench: --maxid1: found 5, but the data set in x was loaded with 6", True),
        ("tpcc: --warehouses: found 2, want 1, which the data set has", True),
        ("tpcc: --terminals: found 1, want at least one for each of 4 threads", False),
    ):
        where = f" (loaded from {tmp_path}; remove that to reload)"
        data = tmp_path / dataset.DATADIR
        assert _where_to_look(UsageError(refusal), data) == (where if of_the_data else "")


def test_data_that_another_account_was_made_for_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A data set's server knows one user of the system, and knew none in earlier releases."""
    profile = profiles.load("quick", "innodb")
    names = {dataset.key(profile, "linkbench")}
    for user in ("alice", "bob"):
        monkeypatch.setattr(account, "user", lambda user=user: user)
        names.add(dataset.key(profile, "linkbench"))
    assert len(names) == 3
