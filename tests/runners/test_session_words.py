"""What a session adds to the words of what it starts."""

from __future__ import annotations

from pathlib import Path

from waltax.base.errors import UsageError
from waltax.runners.cells import data_set
from waltax.runners.session import _where_to_look


def test_only_a_refusal_of_the_data_says_where_it_was_loaded_from(tmp_path: Path) -> None:
    for refusal, of_the_data in (
        ("linkbench: --db: the data set in x is incomplete", True),
        ("linkbench: --maxid1: found 5, but the data set in x was loaded with 6", True),
        ("tpcc: --warehouses: found 2, want 1, which the data set has", True),
        ("tpcc: --terminals: found 1, want at least one for each of 4 threads", False),
    ):
        where = f" (loaded from {tmp_path}; remove that to reload)"
        data = tmp_path / data_set.DATADIR
        assert _where_to_look(UsageError(refusal), data) == (where if of_the_data else "")
