"""Signals that end work well: which are heeded, and how often."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from waltax.runners.cells.signals import noted


@pytest.fixture
def _ignored() -> Iterator[None]:
    """As under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("_ignored")
def test_a_hang_up_that_nohup_has_ignored_ends_nothing() -> None:
    with noted() as signals:
        os.kill(os.getpid(), signal.SIGHUP)
        assert not signals.came()
