"""What the log of a user's own program costs it, in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from synthetic import program_rows
from waltax import row
from waltax.analysis import reports


@pytest.mark.parametrize(
    ("rate", "unit", "said"),
    [
        (1.0, "runs/s", r"takes (100|99|101)\.. % longer \["),
        (4.0, "runs/s", r"takes (50|49)\.. % less time \["),
        (1.0, "metric", r"is (50|49)\.. % slower \["),
        (4.56, "metric", r"is 12[789]\.. % faster \["),
    ],
)
def test_what_is_faster_is_not_said_to_be_slower(
    rate: float, unit: str, said: str, tmp_path: Path
) -> None:
    for one in program_rows({("off", "off"): 2.0, ("nvme", "sync"): rate}):
        row.append(tmp_path / "rows.jsonl", one | {"throughput_unit": unit})
    (sentence,) = reports.program([tmp_path]).verdicts
    assert re.search(rf"the command {said}\d[\d.]+, \d[\d.]+\] than with syncs", sentence)
