"""The records of single SQL statements, and the program behind them."""

from __future__ import annotations

import subprocess

import pytest
from waltax import proc, profiles, workloads
from waltax.cell import Cell, plan
from waltax.errors import UsageError
from waltax.sqlops.workload import WORKLOADS


def test_each_statement_of_the_study_is_a_workload_of_one_program() -> None:
    names = [one.name for one in WORKLOADS]
    assert workloads.named("sqlops") == tuple(names)
    assert {one.driver_program for one in WORKLOADS} == {"sqlops"}
    assert [one.run["statement"] for one in WORKLOADS] == [n.removeprefix("sqlops-") for n in names]
    assert not set(names) & set(workloads.DEFAULT)


def test_what_commits_is_what_writes() -> None:
    writes = {one.name: one.writes for one in WORKLOADS}
    assert writes["sqlops-insert-random"] == ("INSERT",)
    assert writes["sqlops-delete-present"] == ("DELETE",)
    assert writes["sqlops-delete-missing"] == writes["sqlops-order-column"] == ()


def test_a_campaign_of_several_has_a_name_that_leaves_room_for_a_socket() -> None:
    names = tuple(one.name for one in WORKLOADS)
    assert workloads.called(names) == ("sqlops",)
    assert workloads.called(names[:1]) == ("sqlops-insert",)
    assert workloads.called(("tpcc", *names[:3])) == ("tpcc", "sqlops-3")


def test_the_embedded_engine_does_not_take_it() -> None:
    baseline = Cell("rocksdb", "sqlops-insert", "quick", "off", "off", 4)
    with pytest.raises(UsageError, match="it is SQL, which the embedded engine does not speak"):
        plan(baseline, ["nvme"], "sync")


def test_at_a_share_there_are_fewer_students() -> None:
    section = profiles.load("quick", "myrocks").sections["sqlops"]
    shrink = WORKLOADS[0].scale.shrink
    assert shrink is not None
    assert shrink(section.load, section.run, 0.1, 4)[0] == {"students": 40_000}
    assert shrink(section.load, section.run, 0.0001, 4)[0] == {"students": 1_000}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--statement=drop"], '--statement: found "drop", want one of: insert insert-random'),
        (["--students=23"], '--students: found "23", want a whole number from 24 to 2147483646'),
        (["--compression-ratio=0"], '--compression-ratio: found "0", want'),
        (["--store=rocksdb", "--db=x"], '--store: found "rocksdb", which sqlops does not have'),
        (["--store=null"], '--store: found "null", which sqlops does not have'),
    ],
)
def test_flags_that_cannot_be_are_refused(words: list[str], message: str) -> None:
    argv = [str(proc.program("sqlops")), "run", *words]
    done = subprocess.run(argv, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert message in done.stderr
