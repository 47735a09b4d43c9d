"""The client of one driver program; how it waits is in tests/runners/test_hangs.py."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

import pytest
from waltax.base.errors import UsageError, WaltaxError
from waltax.driver.client import Driver


def _heard(script: str) -> dict[str, object]:
    with Driver(None, [sys.executable, "-c", script]) as driver:
        driver.send(cmd="hello")
        return driver.wait_for("heard")


def test_commands_go_in_and_events_come_out() -> None:
    said = _heard('print(\'{"event": "heard", "command": \' + input() + \'}\')')
    assert said == {"event": "heard", "command": {"cmd": "hello"}}


def test_an_error_event_is_an_error() -> None:
    with pytest.raises(WaltaxError, match="disk on fire"):
        _heard('print(\'{"event": "error", "message": "disk on fire"}\')')


def test_exit_code_2_is_a_usage_error_with_the_drivers_words() -> None:
    with pytest.raises(UsageError, match=r"^--db: found nothing$"):
        _heard("import sys; sys.stderr.write('--db: found nothing'); sys.exit(2)")


def test_a_driver_that_dies_without_a_word_is_named() -> None:
    program = Path(sys.executable).name
    named = rf"^{program}: the driver died \(killed by SIGKILL\): silent$"
    with pytest.raises(WaltaxError, match=named):
        _heard("import os; os.kill(os.getpid(), 9)")


def test_a_driver_in_which_nothing_happens_is_ended_and_what_hangs_is_named() -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    with Driver(None, [sys.executable, "-c", script]) as driver:
        which = r"the driver, \S+ \(pid \d+\) is stopped by a signal \(state T\)"
        named = rf"^\S+: no progress for 1 s: {which}"
        with pytest.raises(WaltaxError, match=named):
            driver.wait_for("never", still_s=1.0)


def test_a_ctrl_c_that_does_not_wake_us_is_heeded_before_the_driver_says_more(
    tmp_path: Path,
) -> None:
    """As of one that comes just before the wait: here another thread takes the signal."""
    late = tmp_path / "late"
    script = f"import time; time.sleep(20); open({str(late)!r}, 'w'); time.sleep(1)"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Driver(None, [sys.executable, "-c", script]) as driver:
            to_itself = lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # noqa: E731
            threading.Timer(0.2, to_itself).start()
            with pytest.raises(KeyboardInterrupt):
                driver.wait_for("never")
            assert not late.exists()
    finally:
        signal.signal(signal.SIGINT, before)
