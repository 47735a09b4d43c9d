"""A good device file to be changed, and what loading then says."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import UsageError
from waltax.devices import load
from waltax.devices.catalog import CATALOG

GOOD = (CATALOG / "ssd.toml").read_text(encoding="utf-8").replace('"ssd"', '"mine"')
PROBE = """
[probe]
date = "2026-11-21"
fio = "3.33"
kernel = "6.1"
cpus = 2
seconds = 60
bytes_written = 1
preallocated_bytes = 1
spread_percent = 1
foreign_cpu_cores = 0
sequential_mb_per_s = 100
warnings = []

[probe.directory]
fs_type = "ext4"
journal = "no"
barriers = "yes"
dax = "no"
mount_options = ["rw"]
layers = []

[[probe.jobs]]
jobs = 1
bytes = 1032
syncs_per_s = 5000
sync_us_p50 = 100
sync_us_p99 = 300
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def error_of(tmp_path: Path, old: str, new: str) -> str:
    """Return what loading says once `old` in a good file became `new`."""
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(UsageError) as caught:
        load(path)
    assert caught.value.exit_code == 2
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ")
