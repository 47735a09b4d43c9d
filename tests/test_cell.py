from __future__ import annotations

import re

from waltax.cell import Cell
from waltax.engines import DURABILITIES, ENGINES


def test_an_id_is_safe_as_a_file_name() -> None:
    cell = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4).at(replica="r2")
    assert cell.id == "rocksdb-linkbench-quick-nvme-sync-t4-r2"
    assert re.fullmatch(r"[a-z0-9-]+", cell.id)


def test_every_engine_can_sync_and_knows_only_words_of_the_command_line() -> None:
    for engine in ENGINES.values():
        assert engine.modes[0] == "sync"
        assert set(engine.modes) <= set(DURABILITIES)
        assert set(engine.why_not) == set(DURABILITIES) - set(engine.modes)


def test_only_what_the_tap_leaves_out_is_its_rung() -> None:
    cell = Cell("rocksdb", "linkbench", "quick", "nvme", "sync", 4)
    assert [cell.at(rung=rung).tap_rung for rung in ("", "wait")] == ["", "wait"]
