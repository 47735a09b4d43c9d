"""The load generator's shapes at another size."""

from __future__ import annotations

import pytest
from waltax.studies.statements import SHAPES, Shape

_AT_ONCE = {shape.workload: shape for shape in SHAPES}


def _per_s(shape: Shape) -> float:
    return shape.threads * shape.loops / shape.ramp_s


@pytest.mark.parametrize("scale", [0.0001, 0.01, 0.3, 1])
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if not shape.fills])
def test_a_shorter_ramp_has_as_many_arrivals_a_second(shape: Shape, scale: float) -> None:
    small = shape.at_scale(scale)
    assert _per_s(small) == pytest.approx(_per_s(shape), rel=0.02)
    assert small.loops == shape.loops
    assert small.ramp_s <= shape.ramp_s


def test_what_fills_the_table_has_its_threads_and_fewer_loops() -> None:
    small = _AT_ONCE["sqlops-insert"].at_scale(0.01)
    assert (small.threads, small.loops, small.ramp_s) == (1000, 200, 1.0)


def test_at_full_size_all_is_as_published_but_for_more_threads_than_a_driver_has() -> None:
    assert _AT_ONCE["sqlops-update-hot"].at_scale(1) == _AT_ONCE["sqlops-update-hot"]
    names = _AT_ONCE["sqlops-select-names"].at_scale(1)
    assert names.threads == 1024
    assert _per_s(names) == pytest.approx(_per_s(_AT_ONCE["sqlops-select-names"]))
