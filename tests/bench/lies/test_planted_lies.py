"""Lies that are planted into a real session are told by name."""

from __future__ import annotations

import pytest
from waltax.devices.witness import COUNTED, witness

from bench.homes.plain import DATA
from bench.lies import lies, stage
from bench.lies.planted import LIES, TRUTHS, Lie

_TOLD = {
    "sync is a no-op below the tap": lies.CAUGHT,
    "1 % of the log's writes are hidden from the tap": lies.CAUGHT,
}


# The rule of each lie has tests of its own, most of them in tests/evidence.
_ALWAYS = (
    "sync is a no-op below the tap",
    "1 % of the log's writes are hidden from the tap",
)


@pytest.fixture(autouse=True)
def _few_rounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("nightly"):
        monkeypatch.setattr(stage, "_ROUNDS", 2)


@pytest.mark.parametrize(
    "name",
    [name if name in _ALWAYS else pytest.param(name, marks=pytest.mark.nightly) for name in _TOLD],
)
def test_a_lie_is_told_in_words_of_its_own(name: str) -> None:
    if name.startswith("sync is") and not witness(DATA.parent).below.startswith(COUNTED):
        pytest.skip("no block device below the tree tells what reached it")
    (lie,) = (one for one in LIES if one.name == name)
    found = lies._of_lie(lie)
    assert found.verdict == _TOLD[name], found.words


@pytest.mark.nightly
@pytest.mark.parametrize("truth", TRUTHS, ids=lambda one: one.name)
def test_an_honest_session_is_accused_of_nothing(truth: Lie) -> None:
    assert lies._of_truth(truth).verdict == lies.TRUE
