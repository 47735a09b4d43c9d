"""Whether a setting holds: spellings of one value are no difference, and another value is one."""

from __future__ import annotations

import pytest
from waltax.profiles.values import holds
from waltax.workload import Parameter


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        *((True, "ON"), (True, "1"), (1, "true"), ("off", "NO"), (False, "false")),
        *(
            ("64M", "67108864"),
            ("1g", "1073741824"),
            (5, "5"),
            (0.2, "0.200000"),
            (75, "75.000000"),
        ),
        *(("read-committed", "READ-COMMITTED"), ("utf8", "utf8mb3"), ("full", "full_crc32")),
        ("", ""),
    ],
)
def test_a_value_that_is_spelt_otherwise_holds(asked: Parameter, shown: str) -> None:
    assert holds(asked, shown)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        *((0, "16777216"), (-1, "20000"), (2**64 - 2, "2592000")),  # the engine chooses
        *((1000, "1024"), ("1000000", "999424"), (262145, "266240")),  # whole blocks
        *((100_000_000, "99614720"), ("100000K", "101711872"), (1_000_000, "999936")),
        *(("mrr=off", "mrr=on"), ("all", "explain,basic"), ("-14:3:0", "{level=3;}")),  # lists
        *((2, "kPointInTimeRecovery"), ("fsync", "4"), (True, "fast"), (True, "2")),  # other kinds
    ],
)
def test_what_an_engine_may_choose_or_show_otherwise_is_not_judged(
    asked: Parameter, shown: str
) -> None:
    assert holds(asked, shown)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        *((False, "ON"), ("on", "0"), (0, "true"), (4, "0"), (1000, "1"), ("64M", "32M")),
        *(("O_DIRECT", "fsync"), ("kZSTD", "kNoCompression"), (0.2, "0.5"), (1000, "1500")),
        *(("word", ""), ("", "word"), (10_000, "1024"), (4096, "16384")),
    ],
)
def test_another_value_is_a_difference(asked: Parameter, shown: str) -> None:
    assert not holds(asked, shown)


def test_a_step_is_the_engines_and_exactness_has_no_choice() -> None:
    assert holds("200M", str(256 << 20), 128 << 20)
    assert not holds("200M", str(256 << 20))
    assert not holds(0, "4", exactly=True)
    assert not holds("kZSTD", "kZSTDNotFinalCompression", exactly=True)
