"""What engines say of their recovery in their logs, which are made up here."""

from __future__ import annotations

from pathlib import Path

import pytest
from waltax.base.errors import WaltaxError
from waltax.crash.recovery import engine_log

_LOG = Path("LOG")
_EVENT = '2026/11/23-12:24:15 30390 EVENT_LOG_v1 {"time_micros": %d, "job": 1, "event": "%s"}\n'
_ERROR_LOG = [
    (10.0, "[Note] Starting MariaDB 10.11.19"),
    (10.5, "[Note] InnoDB: Starting crash recovery from checkpoint LSN=200257700"),
    (11.0, "[Note] InnoDB: End of log at LSN=217703678"),
    (14.0, "[Note] InnoDB: log sequence number 217703678; transaction id 4522"),
]


def test_rocksdb_recovers_from_its_first_word_of_it_to_its_last() -> None:
    text = _EVENT % (1_000_000, "recovery_started") + _EVENT % (3_500_000, "recovery_finished")
    assert engine_log.rocksdb_s(f"half a {{line\n{text}", _LOG) == 2.5


@pytest.mark.parametrize("event", ["recovery_started", "recovery_finished"])
def test_a_log_that_tells_of_no_whole_recovery_is_an_error(event: str) -> None:
    with pytest.raises(WaltaxError, match="LOG: tells of no recovery_"):
        engine_log.rocksdb_s(_EVENT % (1, event), _LOG)


def test_a_memtable_that_was_flushed_before_the_kill_is_an_error() -> None:
    engine_log.require_unflushed(_EVENT % (1, "recovery_finished"), _LOG)
    flushed = 'EVENT_LOG_v1 {"event": "flush_started", "flush_reason": "Write Buffer Full"}'
    with pytest.raises(WaltaxError, match=r"LOG: 1 memtables were flushed .*Write Buffer Full"):
        engine_log.require_unflushed(flushed, _LOG)


def test_innodb_replays_from_its_checkpoint_to_the_end_of_its_log() -> None:
    assert engine_log.innodb(_ERROR_LOG, _LOG) == (3.5, 217703678 - 200257700)


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_server_that_had_nothing_to_recover_is_an_error(missing: int) -> None:
    lines = [line for at, line in enumerate(_ERROR_LOG) if at != missing]
    with pytest.raises(WaltaxError, match=r"LOG: says no 'InnoDB: .* was there a log to replay"):
        engine_log.innodb(lines, _LOG)


def test_lines_are_heard_as_they_come_to_a_log_that_is_not_there_yet(tmp_path: Path) -> None:
    log = tmp_path / "error.log"
    with engine_log.heard(log) as lines, log.open("w") as file:
        file.write("one\ntw")
        file.flush()
        file.write("o\nhalf")
    assert [line for _, line in lines] == ["one", "two"]
    assert lines[0][0] <= lines[1][0]
