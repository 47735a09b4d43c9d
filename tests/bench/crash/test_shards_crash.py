"""One of two nodes is really killed, in the mode that keeps nothing of what it acknowledged."""

from __future__ import annotations

import pytest
from waltax.bench.crash import shards_crash
from waltax.bench.homes import server as server_home

pytestmark = pytest.mark.nightly


def test_a_killed_node_without_a_log_loses_all_and_the_node_that_was_shut_down_nothing() -> None:
    with server_home.home("shards-crash-test") as home:
        found = shards_crash.crash(shards_crash.empty(home), "off", 0.5)
    assert all(found.acked)
    assert found.lost == (0, found.acked[1])
