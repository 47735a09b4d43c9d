from __future__ import annotations

import pytest
from waltax.base.errors import UsageError
from waltax.workloads.dbbench.sizes import SIZES, size


def test_a_size_says_key_and_value_bytes() -> None:
    found = size("k16-v100")
    assert (found.key_bytes, found.value_bytes, found.pair_bytes) == (16, 100, 116)
    assert not found.flags


@pytest.mark.parametrize(
    "name", ["", "16-100", "k16", "k16-v", "k4-v100", "k16-v0", "k16-v9999999"]
)
def test_another_size_is_refused_with_what_to_type(name: str) -> None:
    with pytest.raises(UsageError, match=r"k16-v100|are accepted"):
        size(name)


@pytest.mark.parametrize(
    ("name", "mean", "deviation"), [("facebook-udb", 126.7, 22.1), ("up2x", 46.8, 11.6)]
)
def test_drawn_values_have_the_published_moments(name: str, mean: float, deviation: float) -> None:
    """db_bench takes the middle of the bounds, and a sixth of what is between them."""
    low, high = (float(SIZES[name].flags[f"value_size_{end}"]) for end in ("min", "max"))
    assert (low + high) / 2 == pytest.approx(mean, abs=0.5)
    assert (high - low) / 6 == pytest.approx(deviation, abs=0.2)
