"""One comparison has rows of one machine."""

from __future__ import annotations

import pytest
from synthetic import make_row
from waltax import analysis
from waltax.analysis.results.source import origin_of
from waltax.base.errors import WaltaxError
from waltax.row import Row

_HERE = {"cpu_model": "Xeon", "cores": 4, "memory_gib": 32.0, "kernel": "6.1"}


def _campaign(name: str, **machine: object) -> list[Row]:
    return [
        make_row(device, rate, session, 0, **{**_HERE, **machine, "campaign": name})
        for session in range(2)
        for device, rate in (("off", 1000.0), ("nvme", 700.0))
    ]


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ({"cpu_model": "EPYC"}, "found cpu_model Xeon and EPYC"),
        ({"cores": 2}, "found cores 4 and 2"),
    ],
)
def test_rows_of_two_machines_are_refused_in_one_comparison(
    other: dict[str, object], found: str
) -> None:
    rows = _campaign("monday") + _campaign("tuesday", **other)
    with pytest.raises(WaltaxError, match=f"cell .*: {found}; .* with different machines"):
        analysis.estimate(rows)


def test_a_campaign_that_went_on_elsewhere_is_refused() -> None:
    rows = _campaign("monday")
    moved = [one | {"cores": 8} if one["session"] else one for one in rows]
    with pytest.raises(WaltaxError, match="found cores 4 and 8"):
        analysis.estimate(moved)


def test_a_kernel_that_was_updated_between_campaigns_is_told() -> None:
    updated = _campaign("tuesday", kernel="6.2", memory_gib=31.9)
    rows = _campaign("monday") + updated
    assert analysis.estimate(rows)
    (told,) = origin_of(rows).warnings
    assert told == "the rows mix kernels 6.1 and 6.2: sessions may differ by that, too"


def test_rows_that_do_not_name_their_machine_are_compared() -> None:
    nameless = dict.fromkeys(_HERE)
    assert analysis.estimate(_campaign("monday") + _campaign("tuesday", **nameless))
