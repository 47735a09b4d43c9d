"""What engines say of their recovery in their logs, which are made up here."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import WaltaxError
from waltax.crash.recovery import kill

_BEGAN = "[Note] InnoDB: Starting crash recovery from checkpoint LSN=200257700\n"
_ENDED = "[Note] InnoDB: End of log at LSN=217703678\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "LOG"


def test_a_memtable_that_was_flushed_before_the_kill_is_an_error(log: Path) -> None:
    event = 'EVENT_LOG_v1 {"job": 1, "event": "%s", "flush_reason": "Write Buffer Full"}\n'
    log.write_text(event % "recovery_finished")
    kill.require_unflushed(log)
    log.write_text(event % "flush_started")
    with pytest.raises(WaltaxError, match=r"LOG: 1 memtables were flushed .*Write Buffer Full"):
        kill.require_unflushed(log)


def test_innodb_replays_from_its_checkpoint_to_the_end_of_its_log(log: Path) -> None:
    log.write_text(f"[Note] Starting MariaDB\n{_BEGAN}{_ENDED}[Note] ready\n")
    assert kill.replayed_bytes(log) == 217703678 - 200257700


@pytest.mark.parametrize("text", [_BEGAN, _ENDED, ""])
def test_a_server_that_had_nothing_to_recover_is_an_error(log: Path, text: str) -> None:
    log.write_text(text)
    with pytest.raises(WaltaxError, match="LOG: tells of no recovery; was there a log to replay"):
        kill.replayed_bytes(log)
