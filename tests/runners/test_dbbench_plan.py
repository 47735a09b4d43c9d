"""What db_bench's campaigns are planned to take, and what is no plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.runners import campaign, lives, plan
from waltax.runners.campaign import Campaign, Recipe
from waltax.runners.cells.dbbench import life
from waltax.runners.cells.life import Share

OPERATIONS = 3000


def _planned(bench: str, profile: Path, folder: Path) -> Campaign:
    recipe = Recipe("rocksdb", (f"dbbench-{bench}",), str(profile), ("nvme",), seed=7)
    return campaign.new(recipe, folder / "results", folder / "data")


def _share(planned: Campaign) -> Share:
    ((_, part),) = lives.parts(planned)
    return life.share(part)


def test_data_that_do_not_fit_are_refused_with_the_figures(
    tiny: Callable[..., Path], tmp_path: Path
) -> None:
    huge = _planned("readrandom", tiny(num=10**12), tmp_path)
    share = _share(huge)
    assert share.disk_mib == pytest.approx(10**12 * 116 / 2**20, rel=0.01)
    huge.data_root.mkdir()
    with pytest.raises(WaltaxError, match="MiB free, but the campaign may need 110,6"):
        plan.require_room(huge)


def test_a_log_on_the_disk_of_the_data_is_written_there_too(
    tiny: Callable[..., Path], tmp_path: Path
) -> None:
    profile = tiny(num=2000, rounds_per_session=1, time_budget_s=0.01)
    profile.write_text(f"{profile.read_text()}\n[dbbench.run]\noperations = {OPERATIONS}\n")
    one = _planned("fillrandom", profile, tmp_path)
    emulated = _share(one)
    logged = one.cells[-1].id
    placement = replace(one.placements[logged], kind="real", wal_root=tmp_path)
    real = _share(replace(one, placements={**one.placements, logged: placement}))
    runs = one.profile.timing.min_sessions
    assert real.whole_runs == emulated.whole_runs == 2 * runs
    put_mib = OPERATIONS * 116 / 2**20
    assert real.written_mib - emulated.written_mib == pytest.approx(runs * put_mib)


def test_other_keys_of_the_load_are_refused(tiny: Callable[..., Path], tmp_path: Path) -> None:
    path = tiny()
    path.write_text(path.read_text().replace("key_size = 16", "keysize = 16"))
    with pytest.raises(UsageError, match=r"dbbench.load: key_size, keysize: found"):
        _planned("fillrandom", path, tmp_path)
