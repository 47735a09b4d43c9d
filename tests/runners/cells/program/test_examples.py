"""What a device costs programs that everybody knows, and what their own switches save."""

from __future__ import annotations

import json
from pathlib import Path

from examples import Example
from trying import Try
from with_server import open_folder


def test_a_program_waits_for_its_syncs_on_a_device_alone(example: Example, filled: Path) -> None:
    with open_folder() as home:
        attempt = Try(home)
        done = attempt.measure(f"--data={filled}", *example.typed, log=example.log)
        assert done.returncode == 0, done.stderr + done.stdout
        cells = json.loads((attempt.folder / "try.json").read_text())["cells"]
        rows = list(map(json.loads, (attempt.folder / "rows.jsonl").read_text().splitlines()))
    said = {cell["device"]: cell for cell in cells}
    free = said.pop("sync-free")
    own = said.pop("nvme sync (emulated)" if example.weaker else "nvme (emulated)")
    assert free["longer"] == 0
    assert min(free["syncs_per_run"], own["syncs_per_run"]) >= 20
    assert own["longer_low"] <= own["longer"] <= own["longer_high"]
    assert len(said) == len(example.weaker)  # which sync by the clock, if at all
    assert all(cell["syncs_per_run"] <= 3 for cell in said.values())
    assert {row["throughput_unit"] for row in rows} == {"metric" if example.metric else "runs/s"}
