"""How a comparison is called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from waltax.analysis.results import words
from waltax.axes import Values


def _title(workload: str) -> str:
    one: Any = SimpleNamespace(
        workload=workload,
        engine="myrocks",
        profile="quick",
        threads=1,
        build="",
        facts={"binlog_place": None},
        shards="",
        at=SimpleNamespace(axes=Values()),
    )
    return words.group_title(cast(Any, one))


def test_threads_are_told_of_our_workloads_and_not_of_a_user_s_command() -> None:
    assert _title("linkbench") == "LinkBench on MyRocks, profile quick, 1 thread"
    assert _title("command") == "command on MyRocks, profile quick"


def test_an_interval_of_two_rounds_does_not_pretend_to_five_digits() -> None:
    assert words.bounds(-12931.01123, 0.936) == "[below \N{MINUS SIGN}1000.0, 93.6]"
    assert words.bounds(-0.5, 0.936) == "[\N{MINUS SIGN}50.0, 93.6]"


def test_a_text_is_said_once_with_the_names_of_its_cells_unless_all_share_it() -> None:
    said = [("nvme", "load 1.5"), ("ssd", "load 2.5"), ("nvme", "swap"), ("nvme", "swap")]
    assert words.once(said) == ["nvme: load 1.5", "ssd: load 2.5", "nvme: swap"]
    assert words.once(said, key=lambda text: text[:4]) == ["nvme, ssd: load 1.5", "nvme: swap"]
    assert words.once(said[:2], ["nvme", "ssd"], lambda text: text[:4]) == ["load 1.5"]
    assert words.once((f"c{n}", "cold") for n in range(6)) == ["6 cells: cold"]
