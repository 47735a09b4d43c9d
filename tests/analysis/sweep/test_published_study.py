"""The published study's table, and its ratios."""

from __future__ import annotations

import pytest
from waltax.analysis.sweep import literature

TABLE = literature.rows()
# MB/s over the first row's, from the source's figures by hand.
GOLDEN = {
    (116, 1): {"fillseq": 1.00, "fillrandom": 1.00, "readseq": 1.00, "readrandom": 1.00},
    (116, 2): {"fillseq": 0.94, "fillrandom": 0.96, "readseq": 0.99, "readrandom": 0.98},
    (132, 1): {"fillseq": 1.10, "fillrandom": 1.11, "readseq": 1.19, "readrandom": 1.64},
    (164, 1): {"fillseq": 1.34, "fillrandom": 1.36, "readseq": 1.27, "readrandom": 1.96},
    (216, 1): {"fillseq": 1.65, "fillrandom": 1.73, "readseq": 1.37, "readrandom": 2.42},
    (416, 1): {"fillseq": 3.09, "fillrandom": 3.09, "readseq": 1.42, "readrandom": 3.40},
}


def test_the_table_has_both_rows_of_116_bytes_and_says_where_it_is_from() -> None:
    assert [(one.entry_bytes, one.listed) for one in TABLE] == list(GOLDEN)
    assert {one.entries for one in TABLE} == {10_000_000}
    assert all("a published db_bench study" in one.source for one in TABLE)


def test_each_sum_is_that_of_one_pair_of_the_study_s_sizes_only() -> None:
    pairs = [(key, value) for key in (16, 32, 64) for value in (100, 200, 400)]
    for one in TABLE:
        assert one.key_bytes + one.value_bytes == one.entry_bytes
        assert [p for p in pairs if sum(p) == one.entry_bytes] == [(one.key_bytes, one.value_bytes)]


@pytest.mark.parametrize("bench", literature.BENCHES)
def test_the_ratio_table_is_reproduced(bench: str) -> None:
    found = [round(one[bench], 2) for one in literature.ratios(TABLE)]
    assert found == [golden[bench] for golden in GOLDEN.values()]


def test_of_a_size_that_stands_there_twice_the_first_row_counts() -> None:
    assert literature.ratio_of("k16-v100", "fillseq") == 1.0
    assert literature.ratio_of("k16-v400", "fillseq") == pytest.approx(55 / 17.8)
    assert literature.ratio_of("k64-v400", "fillseq") is None
    assert literature.ratio_of("k16-v400", "overwrite") is None
