from __future__ import annotations

from pathlib import Path

import pytest
from waltax import profiles
from waltax.cell import BENCHES, WORKLOADS, workload_of
from waltax.profiles import Profile
from waltax.runners import dataset, workloads

QUICK = profiles.load("quick")


def test_the_runners_know_every_workload() -> None:
    assert tuple(workloads.WORKLOADS) == (*WORKLOADS, *map(workload_of, BENCHES))


def test_a_data_set_is_named_by_its_workload_and_size() -> None:
    assert dataset.key(QUICK, "linkbench").startswith("linkbench-100001-")
    assert dataset.key(QUICK, "tpcc").startswith("tpcc-4-")


def _with(workload: str, **change: object) -> Profile:
    section = QUICK.workload(workload).model_copy(update=change)
    return QUICK.model_copy(update={workload: section})


@pytest.mark.parametrize(
    "change", [{"load": {"warehouses": 5}}, {"column_family": {"compression": "kNoCompression"}}]
)
def test_what_changes_one_workload_s_files_changes_its_data_set_only(
    change: dict[str, object],
) -> None:
    changed = _with("tpcc", **change)
    assert dataset.key(changed, "tpcc") != dataset.key(QUICK, "tpcc")
    assert dataset.key(changed, "linkbench") == dataset.key(QUICK, "linkbench")


def test_how_it_is_run_does_not_change_a_data_set() -> None:
    assert dataset.key(_with("tpcc", run={"terminals": 9}), "tpcc") == dataset.key(QUICK, "tpcc")


def test_a_load_is_told_in_the_workload_s_own_words() -> None:
    words = workloads.WORKLOADS["tpcc"]
    progress = {"warehouses": 3, "of": 10, "rows": 1_500_000, "seconds": 4.4}
    assert words.progress(progress) == "3 of 10 warehouses, 1,500,000 rows in 4 s"
    loaded = {"warehouses": 10, "rows": {"item": 100_000, "stock": 1_000_000}, "seconds": 12.34}
    assert words.loaded(loaded) == "1,100,000 rows of 10 warehouses in 12.3 s"
    links = {"ids": 5_000, "nodes": 5_000, "links": 21_000, "seconds": 0.6}
    words = workloads.WORKLOADS["linkbench"]
    assert words.progress(links) == "5,000 ids, 21,000 links in 1 s"
    assert words.loaded(links) == "21,000 links of 5,000 ids in 0.6 s"


def test_no_module_of_the_runners_but_one_knows_a_workload_by_name() -> None:
    folder = Path(workloads.__file__).parent
    for path in [*folder.glob("*.py"), folder.parent / "cli.py"]:
        if path.name != "workloads.py":
            assert '"linkbench"' not in path.read_text(), path.name
            assert '"tpcc"' not in path.read_text(), path.name
