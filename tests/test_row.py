from __future__ import annotations

import errno
import json
import os
import warnings
from pathlib import Path

import pytest
from waltax import row
from waltax.base.errors import WaltaxError
from waltax.row import COLUMNS, Row

MINIMAL: Row = {
    "schema": row.SCHEMA,
    "campaign": "c",
    "session": 0,
    "round": 0,
    "slice": 0,
    "status": "ok",
    "failure": None,
    "cell": "rocksdb-linkbench-quick-off-off-t4",
    "engine": "rocksdb",
    "workload": "linkbench",
    "profile": "quick",
    "device": "off",
    "durability": "off",
    "threads": 4,
    "replica": "",
    "emulated": False,
    "device_kind": "none",
    "throughput": 100.0,
    "throughput_unit": "requests/s",
    "warnings": [],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def test_what_is_appended_is_read_back_in_order(path: Path) -> None:
    rows = [MINIMAL | {"slice": n, "tap_sync_us_p50": None} for n in range(3)]
    for one in rows:
        row.append(path, one)
    assert row.read(path) == rows
    assert path.read_text().count("\n") == 3


def test_a_row_is_on_the_disk_before_append_returns(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    row.append(path, MINIMAL)
    row.append(path, MINIMAL)
    assert synced == [str(path), str(path.parent), str(path)]


@pytest.mark.parametrize("name", [name for name, one in COLUMNS.items() if one.required])
def test_append_refuses_a_row_that_lacks_a_required_column(path: Path, name: str) -> None:
    lacking = {key: value for key, value in MINIMAL.items() if key != name}
    with pytest.raises(WaltaxError, match=f": {name}: missing"):
        row.append(path, lacking)
    assert not path.exists()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"threads": "4"}, 'threads: found "4", want a whole number'),
        ({"emulated": 1}, "emulated: found 1, want true or false"),
        ({"session": True}, "session: found True, want a whole number"),
        ({"engine": None}, "engine: found None, want a string"),
        ({"wal_bytes": "many"}, 'wal_bytes: found "many", want a whole number'),
        ({"status": "perhaps"}, "status: found \"perhaps\", want one of 'ok' or 'failed'"),
        ({"throughput": None}, "throughput: found None of a slice that is ok"),
        ({"status": "failed"}, "failure: found nothing of a slice that failed"),
        ({"throughput": float("nan")}, "throughput: found nan, want a number"),
        ({"psi_x": float("nan")}, "JSON compliant"),
    ],
)
def test_append_refuses_a_wrong_value_and_says_what_it_wants(
    path: Path, wrong: Row, message: str
) -> None:
    with pytest.raises(WaltaxError, match=message):
        row.append(path, MINIMAL | wrong)
    assert not path.exists()


def test_append_says_when_the_disk_refuses(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match="cannot append the row: No such file"):
        row.append(tmp_path / "gone" / "rows.jsonl", MINIMAL)
    with pytest.raises(WaltaxError, match="No space left"):
        row.append(Path("/dev/full"), MINIMAL)


@pytest.mark.parametrize("fails", ["write", "fsync"])
def test_a_row_that_cannot_be_written_whole_and_synced_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    row.append(path, MINIMAL)
    before, write = path.read_bytes(), os.write

    def fail(descriptor: int, line: bytes = b"") -> int:
        if len(line) == len(before):  # the first half of the row fits
            return write(descriptor, line[: len(line) // 2])
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, fails, fail)
        with pytest.raises(WaltaxError, match="cannot append the row: Input/output error"):
            row.append(path, MINIMAL)
    assert path.read_bytes() == before
    row.append(path, MINIMAL | {"slice": 1})
    assert [one["slice"] for one in row.read(path)] == [0, 1]


@pytest.mark.parametrize("tail", ['{"schema": 1, "cam', json.dumps(MINIMAL), "\0\0\0"])
def test_a_half_written_last_line_is_dropped_with_a_warning(path: Path, tail: str) -> None:
    row.append(path, MINIMAL)
    with path.open("a") as file:
        file.write(tail)
    with pytest.warns(row.HalfWrittenLine, match=r"rows\.jsonl:2: dropped a half-written"):
        assert row.read(path) == [MINIMAL]


def test_after_truncation_appending_goes_on_where_the_whole_lines_end(path: Path) -> None:
    row.append(path, MINIMAL)
    with path.open("a") as file:
        file.write('{"sche')
    assert row.truncate_half_line(path) == 6
    assert row.truncate_half_line(path) == 0
    row.append(path, MINIMAL | {"slice": 1})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [one["slice"] for one in row.read(path)] == [0, 1]


@pytest.mark.parametrize("tail", ["my thesis", '{"title":"mine"', "{}"])
def test_what_is_not_the_beginning_of_a_row_is_not_cut(tmp_path: Path, tail: str) -> None:
    path = tmp_path / "rows.jsonl"
    row.append(path, MINIMAL)
    before = path.read_text() + tail
    path.write_text(before)
    with pytest.raises(WaltaxError, match="not the beginning of a row; restore the file"):
        row.truncate_half_line(path)
    assert path.read_text() == before


def test_truncation_empties_a_file_that_holds_half_a_line_only(path: Path) -> None:
    path.write_text('{"sche')
    assert row.truncate_half_line(path) == 6
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"broken', "not a JSON line"),
        ("[1, 2]", "a row is a JSON object, found list"),
        (json.dumps(MINIMAL | {"schema": 99}), "row of schema 99, this waltax reads 1; use"),
        ('{"schema": 1}', "campaign: missing"),
    ],
)
def test_a_broken_line_in_the_middle_is_an_error_with_file_and_line(
    path: Path, line: str, message: str
) -> None:
    row.append(path, MINIMAL)
    with path.open("a") as file:
        file.write(line + "\n")
    row.append(path, MINIMAL)
    with pytest.raises(WaltaxError, match=rf"rows\.jsonl:2: {message}"):
        row.read(path)


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("throughput", "NaN", "NaN is not a number"),
        ("throughput", "-Infinity", "-Infinity is not a number"),
        ("measure_s", "1e400", "a number is larger than any that can be held"),
        ("requests", "9" * 5000, "Exceeds the limit"),
        ("requests", str(2**64), "a whole number is beyond 64 bits"),
        ("versions", "[" * 100_000, "arrays or objects too deep in each other"),
    ],
)
def test_a_number_that_is_none_is_refused_with_file_and_line(
    path: Path, column: str, value: str, why: str
) -> None:
    rows = [json.dumps(MINIMAL), json.dumps(MINIMAL | {column: "?"}).replace('"?"', value)]
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(WaltaxError) as caught:
        row.read(path)
    assert f"{path}:2: not a JSON line ({why}" in str(caught.value)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("warnings", [{"a": 1}]),
        ("warnings", [None]),
        ("flags", [1]),
        ("nodes", ["x"]),
        ("nodes", [{"wal_bytes": "many"}]),
        ("wal_devices", [{"device": "vda", "flushed": True, "flushes": "many"}]),
        ("versions", {"rocksdb": 7}),
        ("versions", ["7.8.3"]),
    ],
)
def test_what_is_in_a_list_or_an_object_has_its_type_too(
    path: Path, column: str, value: object
) -> None:
    path.write_text(json.dumps(MINIMAL | {column: value}) + "\n")
    with pytest.raises(WaltaxError, match=rf"rows.jsonl:1: {column}.*: found .*, want "):
        row.read(path)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("op_ADD_LINK_count", "7", 'op_ADD_LINK_count: found "7", want a number'),
        ("rocksdb_write_self_2", [7], "rocksdb_write_self_2: found an array of 1, want a number"),
        ("tap_wanted_ns", True, "tap_wanted_ns: found True, want a number"),
        ("op_ADD_LINK_latency_hdr", 7, "op_ADD_LINK_latency_hdr: found 7, want a string"),
        ("threads", 0, "threads: found 0, want a number, 1 or more"),
        ("requests", -1, "requests: found -1, want a number, 0 or more"),
        ("nodes", [{"wal_dir": {}}], "nodes[0].wal_dir: found a table, want a string"),
        ("nodes", [{"wal_syncs": 0.5}], "nodes[0].wal_syncs: found 0.5, want a whole number"),
        ("nodes", [{"commits": -1}], "nodes[0].commits: found -1, want a number, 0 or more"),
        ("wal_devices", [{}, {"writes": "2"}], 'wal_devices[1].writes: found "2", want a number'),
        ("wal_devices", [{"writes": 1e300}], "wal_devices[0].writes: found 1e+300, want a number"),
    ],
)
def test_what_no_slice_had_is_refused_with_file_and_line(
    path: Path, column: str, value: object, said: str
) -> None:
    path.write_text(json.dumps(MINIMAL | {column: value}) + "\n")
    with pytest.raises(WaltaxError) as caught:
        row.read(path)
    assert str(caught.value).startswith(f"{path}:1: {said}")


def test_a_family_of_columns_holds_numbers_and_histograms(path: Path) -> None:
    more = {"op_X_count": 1, "op_X_latency_us_p99": 1.5, "op_X_latency_hdr": "HIST", "psi_x": None}
    row.append(path, MINIMAL | more)
    (read,) = row.read(path)
    assert more.items() <= read.items()


@pytest.mark.parametrize("rate", [-1, -1e308, 1e-320, 1e19, 2**63])
def test_a_throughput_that_is_no_rate_is_refused(path: Path, rate: float) -> None:
    path.write_text(json.dumps(MINIMAL | {"throughput": rate}) + "\n")
    with pytest.raises(WaltaxError, match=r"rows.jsonl:1: throughput: found .*, want "):
        row.read(path)


def test_a_time_that_no_clock_shows_is_refused(path: Path) -> None:
    path.write_text(json.dumps(MINIMAL | {"measure_s": -1e308}) + "\n")
    with pytest.raises(
        WaltaxError, match=r"measure_s: found -1e\+308, want a number, -1e\+18 or more"
    ):
        row.read(path)


def test_texts_are_read_on_one_line_without_control_characters(path: Path) -> None:
    hostile = "\x1b]0;x\x07\n\u202ea"
    more = {"warnings": [hostile], "versions": {hostile: hostile}, hostile: 1, "kernel": hostile}
    row.append(path, MINIMAL | {"profile": hostile} | more)
    (read,) = row.read(path)
    clean = "?]0;x? ?a"
    assert (read["profile"], read["warnings"], read["kernel"]) == (clean, [clean], clean)
    assert (read["versions"], read[clean]) == ({clean: clean}, 1)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(WaltaxError, match="absent: cannot read the rows: No such file"):
        row.read(tmp_path / "absent")


def test_every_column_says_what_it_means() -> None:
    assert all(column.meaning for column in COLUMNS.values())
