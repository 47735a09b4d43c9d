"""A workload file of YCSB's becomes a mix, which campaigns measure."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from waltax import workloads
from waltax.base.errors import UsageError
from waltax.workload import Workload
from waltax.workloads import files, ycsb
from waltax.workloads.mix import read
from waltax.workloads.properties import parse

_A = {"readproportion": "0.5", "updateproportion": "0.5", "requestdistribution": "zipfian"}
_NONE = {"readproportion": "0", "updateproportion": "0"}
# What the original's workload files say besides their sizes.
_ORIGINALS = {
    "a": _A,
    "b": {**_A, "readproportion": "0.95", "updateproportion": "0.05"},
    "c": {**_NONE, "readproportion": "1", "requestdistribution": "zipfian"},
    "d": {
        **{**_NONE, "readproportion": "0.95", "insertproportion": "0.05"},
        "requestdistribution": "latest",
    },
    "e": {
        **{**_NONE, "scanproportion": "0.95", "insertproportion": "0.05"},
        **{"requestdistribution": "zipfian", "maxscanlength": "100"},
    },
    "f": {
        **{**_NONE, "readproportion": "0.5", "readmodifywriteproportion": "0.5"},
        "requestdistribution": "zipfian",
    },
}


# Shares and distribution of the original's workload a, in an order of our own.
_FILE = """# Update heavy
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


def _mix(**properties: str) -> dict[str, Any]:
    text = "".join(f"{name}={value}\n" for name, value in properties.items())
    mix, _ = ycsb.mix("x", Path("x"), parse(text, "x"))
    read.read(Path("mix.toml"), mix.encode())
    return tomllib.loads(mix)


def _record(text: str) -> Workload:
    return files.read(Path("short"), text.encode())[0]


def _operations(**properties: str) -> Any:
    return _mix(**properties)["operations"]


@pytest.mark.parametrize("letter", _ORIGINALS)
def test_the_originals_workload_asks_what_our_file_of_its_letter_does(letter: str) -> None:
    text = "".join(f"{name}={value}\n" for name, value in _ORIGINALS[letter].items())
    theirs = tomllib.loads(_record("recordcount=9\n" + text).text)
    ours = tomllib.loads(workloads.of(f"ycsb-{letter}").text)
    theirs["tables"]["usertable"]["key"].pop("digits")
    for name in ("tables", "operations", "unit", "sized_by"):
        assert theirs[name] == ours[name], name


def test_what_a_file_leaves_out_is_the_originals_default() -> None:
    one = _record("requestdistribution=uniform\nthreadcount=8\ntarget=500\n")
    mix = tomllib.loads(one.text)
    assert {name: of["weight"] for name, of in mix["operations"].items()} == {
        "READ": 95,
        "UPDATE": 5,
    }
    assert (one.own_clients, mix["load"]["rate"]) == (8, 500)


def test_data_sets_are_told_apart_by_what_records_hold() -> None:
    short, longer, other = (
        _record(f"readproportion={read}\nupdateproportion={1 - read}\n{more}")
        for read, more in ((0.5, ""), (0.5, "fieldlength=1000\n"), (0.25, ""))
    )
    assert longer.data_digest != short.data_digest == other.data_digest


def test_records_are_as_properties_say() -> None:
    table = _mix(insertorder="ordered", zeropadding="8", fieldcount="3", fieldnameprefix="part")[
        "tables"
    ]["usertable"]
    assert table["rows"] == 100_000
    assert table["key"] == {"text": "user", "order": "sequential", "digits": 8}
    assert table["columns"]["part"] == {"size": 100, "count": 3}


def test_lengths_of_fields_differ_as_properties_say() -> None:
    def size(**properties: str) -> Any:
        return _mix(**properties)["tables"]["usertable"]["columns"]["field"]["size"]

    assert size(fieldlengthdistribution="uniform", minfieldlength="5") == [5, 100]
    steps = size(fieldlengthdistribution="zipfian", fieldlength="3")["histogram"]
    assert [step[0] for step in steps] == [1, 2, 3]
    assert steps[0][1] / steps[2][1] == pytest.approx(3**0.99)
    with pytest.raises(UsageError, match="fieldlength: found 2000, want at most 1000 lengths"):
        size(fieldlengthdistribution="zipfian", fieldlength="2000")


def test_records_are_asked_for_as_properties_say() -> None:
    def draw(**properties: str) -> Any:
        return _operations(**properties)["READ"]["draw"]["record"]

    whole = {"row": "usertable", "ycsb": True}
    assert draw() == {**whole, "choice": "uniform"}
    assert draw(requestdistribution="hotspot", hotspotdatafraction="0.1") == {
        **whole,
        **{"choice": "hotspot", "share": 0.1, "accesses": 0.8},
    }
    told = draw(requestdistribution="exponential", **{"exponential.percentile": "90"})
    assert (told["share"], told["accesses"]) == (0.8571428571, 0.9)
    inserts = {"readproportion": ".9", "updateproportion": "0", "insertproportion": ".1"}
    room = draw(requestdistribution="zipfian", **inserts)["room"]
    assert room == pytest.approx(0.2)  # twice as many as are likely


def test_fields_are_read_and_written_as_properties_say() -> None:
    half = {"readproportion": "0.5", "updateproportion": "0.5"}
    usual = _operations(**half)
    assert usual["READ"]["steps"] == [{"get": "usertable", "row": "record"}]
    assert usual["UPDATE"]["steps"][0]["one_column"] is True
    other = _operations(**half, readallfields="false", writeallfields="true")
    assert other["READ"]["steps"][0]["one_column"] is True
    assert "one_column" not in other["UPDATE"]["steps"][0]


def test_a_scan_is_as_long_as_properties_say() -> None:
    scans = {"readproportion": "0", "updateproportion": "0", "scanproportion": "1"}
    told = _operations(**scans, minscanlength="5", scanlengthdistribution="zipfian")
    assert told["SCAN"]["draw"]["length"] == {
        **{"uniform": [5, 1000], "choice": "zipfian", "ycsb": True}
    }


def test_a_file_is_told_in_words_with_what_has_no_effect() -> None:
    said = files.explained(Path("workloadd"), b"recordcount=9\nexporter=x\n")
    assert said[0].startswith("YCSB workloadd: ")
    assert said[2].startswith("  95 % READ: reads a row of usertable.")
    assert said[-1].startswith("workloadd: no effect: recordcount, exporter; see DEVIATIONS.md ")


def test_a_mistake_has_its_line() -> None:
    with pytest.raises(UsageError, match=r"^mine:1: recordcuont: unknown key; did you mean"):
        files.read(Path("mine"), b"recordcuont=1000\n")
    with pytest.raises(UsageError, match=r"workloada:5: readallfields: found 'maybe', want one of"):
        files.read(Path("workloada"), _FILE.replace("true", "maybe").encode())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("deleteproportion=0", "FILE:11: deleteproportion: unknown key; there are no deletes here"),
        ("rocksdb.sync=true", "FILE:11: rocksdb.sync: unknown key; type --wal sync"),
        ("fieldlenght=1", "FILE:11: fieldlenght: unknown key; did you mean fieldlength?"),
        ("zipf=exact", "FILE:11: zipf: unknown key; a mix whose draw has no ycsb = true is exact"),
        ("workload=site.ycsb.workloads.TimeSeriesWorkload", "want one of the classes CoreWorkload"),
        ("threadcount=0", "FILE:11: threadcount: found '0', want a whole number from 1 to 1024"),
        ("readproportion=0.4", "FILE:7: readproportion 0.4, updateproportion 0.5, "),
        ("readproportion=0.4", "readmodifywriteproportion 0: found a sum of 0.9, want 1"),
        ("readproportion=1.5", "readproportion: found '1.5', want a number of at least 0 and at"),
        ("requestdistribution=file", "want one of: uniform, zipfian, latest, hotspot, sequential"),
        ("fieldlengthdistribution=histogram", "want one of: constant, uniform, zipfian"),
        ("exponential.frac=2", "FILE:11: exponential.frac: found '2', want a number of at least"),
        ("fieldnameprefix=Of", "fieldnameprefix: found 'Of', want small letters, digits and _"),
        ("minscanlength=1001", "FILE:11: minscanlength: found 1001, want at most maxscanlength"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        files.read(Path("FILE"), f"{_FILE}{line}\n".encode())


def test_words_may_be_capitals() -> None:
    mix = _mix(requestdistribution="Zipfian")
    assert mix["operations"]["READ"]["draw"]["record"]["choice"] == "zipfian"
