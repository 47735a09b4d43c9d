"""Where a campaign's cells live: held, and looked at each time that something is made there."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import WaltaxError
from waltax.runners import campaign, workspace
from waltax.runners.campaign import Recipe


@pytest.mark.parametrize("which", ["disk", "memory"])
def test_what_somebody_put_in_the_place_of_a_folder_is_not_worked_in(
    tmp_path: Path, which: str
) -> None:
    recipe = Recipe("rocksdb", ("linkbench",), "ci", ("nvme",))
    plan = campaign.new(recipe, tmp_path / "results", tmp_path / "data")
    (tmp_path / "elsewhere").mkdir()
    with workspace.workspace(plan) as placed:
        folder: Path = getattr(placed.folders, which)
        gone = folder.with_name(f"{folder.name}-gone")
        folder.rename(gone)
        folder.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(WaltaxError, match="somebody put something else in its place"):
            _ = placed.folders
        folder.unlink()
        gone.rename(folder)
    assert not folder.exists()
