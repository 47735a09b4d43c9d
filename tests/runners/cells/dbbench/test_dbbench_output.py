"""Reading what db_bench prints.

`output/` holds what Debian's 7.8.3 printed, and other releases where the file is called so.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from waltax.base.errors import WaltaxError
from waltax.runners.cells.dbbench import event
from waltax.runners.cells.dbbench.output import parse

OUTPUT = Path(__file__).parent / "output"


def _recorded(bench: str) -> str:
    return (OUTPUT / f"{bench}.txt").read_text()


def test_a_runs_figures_are_those_that_were_printed() -> None:
    found = parse(_recorded("fillrandom"), "fillrandom")
    assert (found.operations, found.elapsed_s, found.mb_per_s) == (10_000, 25.824, 0.0)
    assert found.ops_per_s == pytest.approx(10_000 / 25.824)
    assert found.tickers["rocksdb.number.keys.written"] == 10_000
    assert found.tickers["rocksdb.wal.synced"] > 0
    writes = found.histograms["rocksdb.db.write.micros"]
    assert writes.count == 10_000
    assert 0 < writes.p50 <= writes.p95 <= writes.p99 <= writes.p100


def test_its_warning_is_kept() -> None:
    (warning,) = parse(_recorded("fillrandom"), "fillrandom").warnings
    assert "Assertions are enabled" in warning


@pytest.mark.parametrize("release", ["", "-9.10.0", "-11.8.1"])
def test_what_a_row_is_made_of_is_in_the_output_of_every_release(release: str) -> None:
    found = parse(_recorded(f"mixgraph{release}"), "mixgraph")
    assert set(event._KEPT) <= set(found.tickers)
    timed = {name: found.histograms[name].count for name in event._TIMED.values()}
    assert timed["rocksdb.db.write.micros"] == found.tickers["rocksdb.number.keys.written"]
    assert "rocksdb.compaction.times.micros" in found.histograms


def test_a_rate_is_taken_from_the_figure_with_more_digits() -> None:
    text = _recorded("fillrandom")
    line = next(one for one in text.splitlines() if "micros/op" in one)
    short = "fillrandom   :       0.758 micros/op 1126126 ops/sec 0.000 seconds 500 operations;"
    assert parse(text.replace(line, short), "fillrandom").ops_per_s == 1_126_126


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("fillrandom   :", "fillseq      :"), "want one result"),
        (lambda text: text.partition("STATISTICS")[0], "no statistics"),
        (lambda text: text.replace(" 387 ops/sec", " 399 ops/sec"), "contradict"),
        (lambda _: "", "want one result"),
    ],
)
def test_other_output_is_refused(change: object, words: str) -> None:
    assert callable(change)
    with pytest.raises(WaltaxError, match=words):
        parse(change(_recorded("fillrandom")), "fillrandom")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"micros/op \d+", f"micros/op {'9' * 400}"),
        (r"\d+ operations;", f"{'9' * 5000} operations;"),
        (r"micros/op \d+", "micros/op \u0663\u0668\u0667"),
        (r"seconds \d+", "seconds \u00b2"),
    ],
)
def test_a_number_that_no_program_counts_to_is_none(old: str, new: str) -> None:
    text, changed = re.subn(old, new.replace("\\", r"\\"), _recorded("fillrandom"), count=1)
    assert changed
    with pytest.raises(WaltaxError, match="want one result, of fillrandom") as error:
        parse(text, "fillrandom")
    assert (str(error.value).isprintable(), len(str(error.value)) < 300) == (True, True)
