from __future__ import annotations

from pathlib import Path

import pytest
from waltax.errors import WaltaxError
from waltax.runners.lock import only_campaign


def test_a_second_campaign_is_refused_and_told_who_holds_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with (
        only_campaign("first", path),
        pytest.raises(WaltaxError, match=r"campaign first \(pid \d+\).*--share-machine"),
        only_campaign("second", path),
    ):
        pass


def test_the_machine_is_free_again_when_a_campaign_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    for name in ("first", "second"):
        with only_campaign(name, path):
            assert name in path.read_text()
