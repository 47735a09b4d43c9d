"""The log on the data directory's file system, beside a device of its own, in one campaign."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waltax.evidence import judgement

TinyOf = Callable[..., Path]


def test_the_log_beside_the_data_is_a_real_device_of_the_campaign(
    waltax: Any, tiny: Callable[..., Path], shared_data: Path
) -> None:
    done = waltax.run("--profile", tiny(), "--device", "nvram with-data")
    assert done.returncode == 0, done.stdout + done.stderr
    read = judgement.read(waltax.folder() / "rows.jsonl")
    rows = [row for row in read if row["device"] != "off"]
    assert {row["device"]: row["wal_with_data"] for row in rows} == {
        "nvram": False,
        "with-data": True,
    }
    for row in (row for row in rows if row["device"] == "with-data"):
        assert (row["emulated"], row["device_kind"]) == (False, "real")
        assert Path(row["wal_dir"]).is_relative_to(shared_data)
        assert row["wal_files"]
        assert all(Path(name).is_relative_to(row["wal_dir"]) for name in row["wal_files"])
        assert row["wal_below"]
    assert "with-data" in (waltax.folder() / "summary.csv").read_text()
    assert not list((shared_data / "work").glob(f"{waltax.folder().name}*"))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("engine", "log"), [("myrocks", "rocksdb_wal_dir"), ("innodb", "innodb_log_group_home_dir")]
)
def test_a_server_s_log_lies_beside_its_data(
    served: Any, tiny_of: TinyOf, engine: str, log: str
) -> None:
    words = (
        "--engine",
        engine,
        "--profile",
        tiny_of(engine, min_sessions="1"),
        "--device",
        "with-data",
    )
    done = served.run(*words, "--wal", "flush")
    assert done.returncode == 0, done.stdout + done.stderr
    read = judgement.read(served.folder() / "rows.jsonl")
    rows = [row for row in read if row["device"] == "with-data"]
    assert {row["durability"] for row in rows} >= {"flush"}
    for row in rows:
        assert row["wal_with_data"] is True
    told = (served.folder() / f"{rows[0]['cell']}.cnf").read_text()
    assert f"{log} = {rows[0]['wal_dir']}" in told


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--device=with-data", "--wal-dir=/mnt"], "--wal-dir: it is the directory of one device"),
        (["--device=nvme ssd with-data", "--wal-dir=/mnt"], "--wal-dir: it is the"),
    ],
)
def test_what_names_no_place_or_two_is_refused(waltax: Any, words: list[str], why: str) -> None:
    done = waltax.run("--plan", *words)
    assert done.returncode == 2
    assert why in done.stderr


def test_a_directory_is_the_named_device_s_and_the_data_s_disk_is_not_asked_for_one(
    waltax: Any, tmp_path: Path, shared_data: Path
) -> None:
    words = ("--device=nvme with-data", f"--wal-dir={tmp_path}", "--allow-mismatch")
    done = waltax.run("--plan", *words)
    assert done.returncode == 0, done.stderr
    places = {line.split()[0]: line for line in done.stdout.splitlines() if "-sync-" in line}
    assert str(tmp_path) in places["rocksdb-linkbench-quick-nvme-sync-t4"]
    beside = places["rocksdb-linkbench-quick-with-data-sync-t4"]
    assert f"beside the data in {shared_data}" in beside
