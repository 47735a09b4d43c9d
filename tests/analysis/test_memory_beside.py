"""The published study of data against memory beside ours, from made-up rows."""

from __future__ import annotations

from memory_rows import memory_rows
from waltax.analysis.reports.memory_beside import beside
from waltax.analysis.reports.memory_ratios import memory_sweeps
from waltax.row import Row

_RATES = {(0.75, 1): 100.0, (0.75, 4): 390.0, (2.5, 1): 100.0, (2.5, 4): 60.0}


def _rows(workload: str) -> list[Row]:
    rows = []
    for (ratio, threads), rate in _RATES.items():
        for one in memory_rows(0.25):
            cell = f"rocksdb-{workload}-r{ratio}-{one['device']}-t{threads}"
            named = {"workload": workload, "threads": threads, "memory_ratio": ratio, "cell": cell}
            unit = {"throughput": rate, "throughput_unit": "transactions/s"}
            place = {"profile": f"memory-r{ratio}", "campaign": f"r{ratio}"}
            rows.append({**one, **named, **unit, **place})
    return rows


def test_scaling_and_waits_are_held_against_the_study_s() -> None:
    (sweep,) = memory_sweeps(_rows("shop"))
    found = {(one.theirs.what, one.data, one.theirs.threads): one for one in beside(sweep.points)}
    small = found["throughput_4_over_1_threads", "small", None]
    assert small.ours == 3.9
    assert small.verdict == "holds"
    assert found["throughput_4_over_1_threads", "large", None].verdict == "does not hold"
    assert found["throughput_4_over_1_threads", "medium", None].verdict == "not measured"
    assert found["iowait", "small", 1].ours == 10.0  # of the machine's two cores


def test_another_workload_has_nothing_beside_it() -> None:
    (sweep,) = memory_sweeps(_rows("linkbench"))
    assert beside(sweep.points) == []
