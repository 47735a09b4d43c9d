"""A server that does not keep all of its log for the replay, as none does without being told."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_profile import small_profile
from waltax import profiles
from waltax.base.errors import WaltaxError
from waltax.crash.recovery import kill
from waltax.crash.runs.engine import Engine
from waltax.runners.cells.driver import loading

_SMALL = {
    "myrocks": {"rocksdb_default_cf_options": "write_buffer_size=128k"},
    "innodb": {"innodb_log_file_size": "4M", "innodb_buffer_pool_size": "64M"},
}
_WORDS = {
    "myrocks": "memtables were flushed before the kill",
    "innodb": "the server made a checkpoint",
}


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_what_was_flushed_before_the_kill_is_not_timed(place: Path, engine: str) -> None:
    profile = profiles.load(str(small_profile(place, engine)), engine)
    loaded = loading.prepare(profile, "tpcc", place / "data", lambda _: None)
    settings = {**profile.server_settings("tpcc"), **_SMALL[engine]}
    served = Engine("tpcc", profile.workload("tpcc").load, engine, settings)
    run, room = place / "run", place / "again"
    run.mkdir()
    room.mkdir()
    with pytest.raises(WaltaxError, match=_WORDS[engine]):
        kill.reopen(served, kill.crash(served, loaded, run, 8 << 20, threads=4, seed=1), room)
