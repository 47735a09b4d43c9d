"""What `waltax tpcc run` prints, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tpcc_fake import CHECKED, FEW, READY, FakeDriver, operation, run_on, slice_event


@pytest.mark.parametrize(
    "pattern",
    [r"([0-9.]+) TpmC", r"^\s+(\d+\.\d{3}) TpmC$", r"<TpmC>\n\s+([0-9.]+)"],
)
def test_scripts_that_search_for_tpmc_find_the_figure(
    db: Path, fake: FakeDriver, pattern: str
) -> None:
    fake.answer_run([slice_event(30.0, NEW_ORDER=operation(700))])
    text = "\n".join(run_on(db).out)
    assert re.findall(pattern, text, re.M) == ["1400.000"]
    found = [line for line in text.splitlines() if "TpmC" in line]
    assert found == ["<TpmC>", f"{'':17}1400.000 TpmC"]


def test_each_transaction_has_its_latencies(db: Path, fake: FakeDriver) -> None:
    fake.answer_run([FEW])
    assert run_on(db).out[:3] == [
        f"{name}: {count}, us: mean 1,000.0, p50 1,000.0, p95 1,000.0, p99 1,000.0, max 1,000.0"
        for name, count in (("NEW_ORDER", 2), ("PAYMENT", 2), ("DELIVERY", 1))
    ]


def test_beside_the_figure_stands_what_it_is(db: Path, fake: FakeDriver) -> None:
    fake.answer("run", READY, slice_event(NEW_ORDER=operation(5)), CHECKED)
    said, place, grown = run_on(db).out[-3:]
    assert said == " TPC-C derived, unpaced: without keying and think times"
    assert place == " 10 warehouses, durability sync, isolation serializable"
    assert grown == " database: 100.0 MiB before, +1.0 MiB"
