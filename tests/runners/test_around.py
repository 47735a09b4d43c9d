"""Commands of the user's around each session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_cells import FakeCells
from waltax import analysis
from waltax.base.errors import WaltaxError
from waltax.runners import campaign, loop
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.local import Local


@pytest.fixture
def planned(
    tmp_path: Path,
    tiny: Callable[..., Path],
    at_once: FakeCells,  # noqa: ARG001
) -> Callable[..., Campaign]:
    """A campaign on nvme of three sessions; nothing is written yet."""

    def make(**recipe: Any) -> Campaign:
        profile = tiny(rounds_per_session=1, min_sessions=3, time_budget_s=0.01)
        told = {"engine": "rocksdb", "profile": str(profile), "seed": 7, **recipe}
        asked = Recipe(workloads=("linkbench",), devices=("nvme",), **told)
        return campaign.new(asked, tmp_path / "results", tmp_path / "data")

    return make


def _measure(one: Campaign) -> list[str]:
    said: list[str] = []
    loop.measure(one, analysis.estimate, said.append, Local(share_machine=True))
    return said


def test_each_session_has_a_command_before_and_after_it(
    tmp_path: Path, planned: Callable[..., Campaign]
) -> None:
    noted = tmp_path / "noted"
    rows = '$(wc -l < "$WALTAX_CAMPAIGN/rows.jsonl" 2>/dev/null || echo 0)'
    one = planned(
        before=f'echo "before $WALTAX_SESSION {rows}" >> {noted}',
        after=f'echo "after $WALTAX_SESSION {rows}" >> {noted}',
    )
    said = _measure(one)
    cells = len(one.cells)
    assert noted.read_text().splitlines() == [
        "before 0 0",
        f"after 0 {cells}",
        f"before 1 {cells}",
        f"after 1 {2 * cells}",
        f"before 2 {2 * cells}",
        f"after 2 {3 * cells}",
    ]
    assert any(line.startswith("--before, session 2: echo") for line in said)
    assert campaign.resume(one.folder, None).recipe.after == one.recipe.after


def test_a_command_that_fails_ends_the_campaign_with_what_it_said(
    planned: Callable[..., Campaign],
) -> None:
    one = planned(before="echo no such governor >&2; exit 3")
    with pytest.raises(WaltaxError) as caught:
        _measure(one)
    assert str(caught.value) == ("--before: the command failed (exit code 3): no such governor")
    assert not one.rows_path.exists()


def test_a_command_that_hangs_is_ended_and_no_flag_is_said_to_be_its_limit(
    planned: Callable[..., Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waltax.runners.local._LONGEST_S", 0.5)
    with pytest.raises(WaltaxError, match=r"--before: .* within 0\.5 s and was killed"):
        _measure(planned(before="sleep 600"))
