"""`waltax paper sizes`: which bytes count, and that all engines hold the same data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from sweeping import said
from waltax import profiles
from waltax.base.errors import UsageError
from waltax.base.folders.machine import only_campaign
from waltax.studies import disk_sizes


def _file(path: Path, length: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * length)


@pytest.mark.parametrize(
    ("engine", "data", "logs"),
    [
        ("rocksdb", ["000007.sst", "000009.blob"], ["000008.log", "LOG", "LOG.old.1"]),
        (
            "myrocks",
            ["#rocksdb/000007.sst", "#rocksdb/000009.blob"],
            ["#rocksdb/000008.log", "#rocksdb/LOG", "aria_log.00000001"],
        ),
        ("innodb", ["waltax/nodetable.ibd"], ["ib_logfile0", "aria_log_control"]),
    ],
)
def test_data_logs_and_the_rest_are_told_apart(
    engine: str, data: list[str], logs: list[str], tmp_path: Path
) -> None:
    for name in data:
        _file(tmp_path / "data" / name, 1000)
    for name in logs:
        _file(tmp_path / "data" / name, 10)
    for name in ("MANIFEST-000004", "mysql/user.MAD", "ibdata1"):
        _file(tmp_path / "data" / name, 1)
    (tmp_path / "dataset.json").write_text(json.dumps({"nodes": 50, "warehouses": 2}))
    found = disk_sizes.measure(engine, "linkbench", tmp_path / "data")
    assert (found.data, found.logs) == (1000 * len(data), 10 * len(logs))
    assert found.rest == 3
    assert found.units == 50
    assert disk_sizes.measure(engine, "tpcc", tmp_path / "data").units == 2


def test_the_record_of_the_data_lies_beside_it(tmp_path: Path) -> None:
    _file(tmp_path / "data/waltax/warehouse.ibd", 7)
    (tmp_path / "dataset.json").write_text('{"warehouses": 3}')
    assert disk_sizes.measure("innodb", "tpcc", tmp_path / "data") == disk_sizes.Size(
        "innodb", "", data=7, logs=0, rest=0, units=3
    )


def test_rocksdb_s_release_is_the_one_that_wrote_the_files(tmp_path: Path) -> None:
    (tmp_path / "dataset.json").write_text('{"nodes": 1}')
    (tmp_path / "data/#rocksdb").mkdir(parents=True)
    (tmp_path / "data/#rocksdb/LOG").write_text("2026/01/01 RocksDB version: 6.29.5\nGit sha 0\n")
    assert (
        disk_sizes.measure("myrocks", "linkbench", tmp_path / "data").release == " (RocksDB 6.29.5)"
    )


def test_the_smallest_is_first_and_the_others_are_multiples_of_it(console: Console) -> None:
    found = [
        disk_sizes.Size("innodb", "", data=3000, logs=5, rest=6, units=10),
        disk_sizes.Size("rocksdb", " 7.8.3", data=1000, logs=1, rest=2, units=10),
    ]
    disk_sizes._print("linkbench", "quick", found, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "LinkBench, profile quick: 10 ids" in text
    lines = [
        line.split() for line in text.splitlines() if line.startswith(("  RocksDB", "  InnoDB"))
    ]
    assert lines == [
        ["RocksDB", "7.8.3", "1,000", "100", "1.00", "1", "2"],
        ["InnoDB", "3,000", "300", "3.00", "5", "6"],
    ]


def test_every_engine_has_the_same_load() -> None:
    found = disk_sizes._profiles("quick", ())
    assert [one.engine for one in found] == ["rocksdb", "myrocks", "innodb"]
    loads = [one.workload("linkbench").load for one in found]
    assert loads == [loads[0]] * 3


def test_engines_without_the_profile_are_left_out_unless_they_are_asked_for() -> None:
    assert "paper" not in profiles.names("innodb")
    assert [one.engine for one in disk_sizes._profiles("paper", ())] == [
        "rocksdb",
        "myrocks",
    ]
    with pytest.raises(UsageError, match="--profile: found 'paper' with --engine innodb"):
        disk_sizes._profiles("paper", ("innodb",))
    with pytest.raises(
        UsageError, match="--profile: found 'none', which is a profile of no engine"
    ):
        disk_sizes._profiles("none", ())


def test_a_profile_that_is_none_is_told_of_before_anything_is_waited_for(tmp_path: Path) -> None:
    with only_campaign("another", share=True):
        done = said(disk_sizes.command, "--profile=nope", f"--data-dir={tmp_path}")
    assert (done.code, "--profile: found 'nope'" in done.text) == (2, True)


@pytest.mark.parametrize(
    ("engine", "release", "tables"),
    [
        ("rocksdb", r"  RocksDB \d\S*  ", "*.sst"),
        pytest.param(
            "myrocks", r"  MyRocks \(RocksDB \S+\)  ", "#rocksdb/*.sst", marks=pytest.mark.nightly
        ),
    ],
)
def test_the_command_loads_what_is_missing_and_prints_a_table(
    tiny: Callable[[str], Path], place: Path, engine: str, release: str, tables: str
) -> None:
    words = ["--workload=linkbench", f"--engine={engine}", f"--profile={tiny(engine)}"]
    done = said(disk_sizes.command, *words, f"--data-dir={place}", "--share-machine")
    assert done.code == 0, done.text
    assert "LinkBench, profile quick-x0.01: 1,000 ids" in done.text
    (line,) = [line for line in done.text.splitlines() if re.match(release, line)]
    data = int(re.split(r"\s{2,}", line.strip())[1].replace(",", ""))
    on_disk = place.glob(f"sets/*/data/{tables}")
    assert data == sum(file.stat().st_size for file in on_disk) > 0
