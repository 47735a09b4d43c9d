"""A workload file of YCSB's is a workload of campaigns."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax import workloads
from waltax.base.errors import UsageError
from waltax.workloads.ycsb.original import record

_D = """
recordcount=1000
workload=site.ycsb.workloads.CoreWorkload
readallfields=true
readproportion=0.95
updateproportion=0
scanproportion=0
insertproportion=0.05
requestdistribution=latest
"""


def test_the_originals_workload_d_asks_what_our_letter_d_does() -> None:
    ours, file = workloads.of("ycsb-d"), record.record("workloadd", _D)
    assert {name: file.run[name] for name in ours.run} == ours.run
    assert (file.writes, file.program, file.section) == (ours.writes, ours.program, ours.section)
    # How many records there are is the profile's to say.
    assert file.flags == {}


def test_what_a_file_leaves_out_is_the_originals_default() -> None:
    one = record.record("short", "requestdistribution=uniform\nthreadcount=8\ntarget=500\n")
    assert (one.run["readproportion"], one.run["updateproportion"]) == (0.95, 0.05)
    assert (one.own_clients, one.run["rate"]) == (8, 500)


def test_data_sets_are_told_apart_by_what_records_hold() -> None:
    longer = record.record("longer", _D + "fieldlength=1000\n")
    assert longer.flags == {"fieldlength": "1000"}
    assert longer.data_digest != record.record("d", _D).data_digest


def test_a_file_is_told_in_words_with_what_has_no_effect() -> None:
    said = workloads.files.explained(Path("workloadd"), (_D + "exporter=x\n").encode())
    assert said[0].endswith("95 % read, 5 % insert; records asked for: latest")
    assert said[1].startswith("exporter: no effect: ")


def test_a_mistake_has_its_line() -> None:
    with pytest.raises(UsageError, match=r"^mine:2: recordcuont: unknown property; did you mean"):
        workloads.files.require(Path("mine"), _D.replace("recordcount", "recordcuont").encode())
