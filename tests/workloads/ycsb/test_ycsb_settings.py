"""Workload files and the words of -p."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.workloads.ycsb.settings import require_end, settle

# Shares and distribution of the original's workload a, in an order of our own.
A = """# Update heavy
operationcount=1000
recordcount=1000
workload=site.ycsb.workloads.CoreWorkload
readallfields=true
requestdistribution=zipfian
scanproportion=0
insertproportion=0
readproportion=0.5
updateproportion=0.5
"""


@pytest.fixture
def workload(tmp_path: Path) -> Path:
    path = tmp_path / "workloada"
    path.write_text(A)
    return path


def test_a_workload_file_gives_values_and_the_original_the_others(workload: Path) -> None:
    settings = settle([workload], [])
    told = {name: settings.values[name] for name in settings.written}
    assert told == {
        "recordcount": 1000,
        "operationcount": 1000,
        "workload": "core",
        "readallfields": True,
        "requestdistribution": "zipfian",
        "scanproportion": 0.0,
        "insertproportion": 0.0,
        "readproportion": 0.5,
        "updateproportion": 0.5,
    }
    assert (settings.values["fieldcount"], settings.values["maxscanlength"]) == (10, 1000)
    assert (settings.threads, settings.operations_a_thread) == (1, (1000, 0))


def test_a_later_file_wins_and_a_word_over_all(workload: Path, tmp_path: Path) -> None:
    later = tmp_path / "larger"
    later.write_text("recordcount=5000\nexponential.percentile=90\nthreadcount=3\n")
    settings = settle([workload, later], ["operationcount=100"])
    assert settings.whole("recordcount") == 5000
    assert settings.number("exponential.percentile") == 90
    assert settings.operations_a_thread == (33, 1)


def test_what_has_no_effect_is_noted(workload: Path) -> None:
    settings = settle([workload], ["measurementtype=timeseries"])
    assert settings.notes == ("no effect: measurementtype; see DEVIATIONS.md of YCSB's mixes, C18",)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("recordcounts=1000", "-p: recordcounts: unknown property; did you mean recordcount?"),
        ("deleteproportion=0", "unknown property; there are no deletes here; leave it out"),
        ("rocksdb.sync=true", "-p: rocksdb.sync: unknown property; type --durability sync"),
        ("fieldlenght=1", "-p: fieldlenght: unknown property; did you mean fieldlength?"),
        ("redis.host=x", "-p: redis.host: unknown property; leave it out"),
        ("zipf=exact", "-p: zipf: unknown property; a mix whose draw has no ycsb = true is exact"),
        ("zzz=1", "-p: zzz: unknown property; leave it out"),
        ("workload=site.ycsb.workloads.TimeSeriesWorkload", "want one of the classes CoreWorkload"),
        ("writeallfields=yes", "-p: writeallfields: found 'yes', want true or false"),
        ("threadcount=0", "-p: threadcount: found '0', want a whole number from 1 to 1024"),
        ("recordcount", "-p: found 'recordcount', want KEY=VALUE"),
    ],
)
def test_what_cannot_be_is_refused_with_its_origin(workload: Path, word: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message.replace("FILE", str(workload)))):
        settle([workload], [word])


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("readproportion=0.4", "FILE:7: readproportion 0.4, updateproportion 0.5, "),
        ("readproportion=0.4", "readmodifywriteproportion 0: found a sum of 0.9, want 1"),
        ("readproportion=1.5", "readproportion: found '1.5', want a number of at least 0 and at"),
        ("recordcount=0", "-p: recordcount: found '0', want a whole number from 1 to 1000000000"),
        ("recordcount=1099511627776", "-p: recordcount: found '1099511627776', want a whole"),
        ("insertstart=1", "-p: insertstart: found 1, want 0: all records are loaded and asked"),
        ("insertcount=500", "-p: insertcount: found 500, want recordcount, 1000: all are loaded"),
        ("requestdistribution=file", "want one of: uniform, zipfian, latest, hotspot, sequential"),
        ("fieldlengthdistribution=histogram", "want one of: constant, uniform, zipfian"),
        ("exponential.frac=2", "-p: exponential.frac: found '2', want a number of at least 1e-06"),
        ("fieldnameprefix=Of", "-p: fieldnameprefix: found 'Of', want small letters, digits and _"),
        ("minscanlength=1001", "-p: minscanlength: found 1001, want at most maxscanlength, 1000"),
    ],
)
def test_a_value_that_cannot_be_is_told_by_its_origin(
    workload: Path, word: str, message: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(message.replace("FILE", str(workload)))):
        settle([workload], [word])


def test_a_fault_of_a_file_is_told_with_its_line(workload: Path) -> None:
    workload.write_text(A.replace("recordcount=1000", "recordcount=many"))
    with pytest.raises(UsageError, match=r"workloada:3: recordcount: found 'many', want a whole"):
        settle([workload], [])


def test_words_may_be_capitals(workload: Path) -> None:
    settings = settle([workload], ["requestdistribution=Zipfian"])
    assert settings.values["requestdistribution"] == "zipfian"


def test_a_file_that_is_not_there_and_one_without_records_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        settle([tmp_path / "none"], [])
    with pytest.raises(UsageError, match="recordcount: missing"):
        settle([], ["readproportion=0.95"])


@pytest.mark.parametrize(
    "name", ["db.driver", "db.url", "db.user", "db.passwd", "jdbc.fetchsize", "jdbc.autocommit"]
)
def test_a_property_of_a_binding_that_is_accepted_has_no_effect(name: str) -> None:
    (note,) = settle([], ["recordcount=10", f"{name}=x"]).notes
    assert note.startswith(f"no effect: {name}; ")


@pytest.mark.parametrize(
    ("operations", "threads", "shared"),
    [(10, 100, (10, 1, 0)), (100, 8, (8, 12, 4)), (7, 7, (7, 1, 0)), (101, 100, (100, 1, 1))],
)
def test_operations_are_shared_out_exactly_and_no_thread_has_none(
    operations: int, threads: int, shared: tuple[int, int, int]
) -> None:
    told = [f"operationcount={operations}", f"threadcount={threads}"]
    settings = settle([], ["recordcount=10", *told])
    each, one_more = settings.operations_a_thread
    assert (settings.threads, each, one_more) == shared
    assert settings.threads * each + one_more == operations


def test_no_operations_are_as_many_as_there_is_time_for() -> None:
    settings = settle([], ["recordcount=10", "operationcount=0", "maxexecutiontime=5"])
    require_end(settings)
    assert settings.operations_a_thread == (0, 0)
    with pytest.raises(UsageError, match="a run would have no end"):
        require_end(settle([], ["recordcount=10", "operationcount=0"]))


def test_a_run_must_have_an_end() -> None:
    with pytest.raises(UsageError, match="a run would have no end"):
        require_end(settle([], ["recordcount=10"]))
    require_end(settle([], ["recordcount=10", "maxexecutiontime=3"]))
    assert settle([], ["recordcount=10", "maxexecutiontime=3"]).longest_s == 3
