from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import WaltaxError
from waltax.runners.cells.dbbench import child


def test_a_run_that_is_stopped_is_ended_at_its_limit_and_named(tmp_path: Path) -> None:
    named = (
        r"^db_bench: not done after 1 s \(sh \(pid \d+\) is stopped by a signal \(state T\)\), "
        "and killed: silent$"
    )
    with pytest.raises(WaltaxError, match=named):
        child.run(["sh", "-c", "kill -STOP $$"], {}, tmp_path / "out", 1.0)
