"""Settings of a server that make commits less durable than the mode says."""

from __future__ import annotations

import pytest
from waltax.engines.server.settings import contradictions, wanted
from waltax.runners.cells.placed_server import weakened


@pytest.mark.parametrize(
    ("engine", "name", "weak", "usual"),
    [
        ("innodb", "innodb_doublewrite", "OFF", "ON"),
        ("myrocks", "rocksdb_wal_recovery_mode", "3", "2"),
    ],
)
def test_a_setting_that_a_power_cut_uses_is_named(
    engine: str, name: str, weak: str, usual: str
) -> None:
    (said,) = weakened(engine, {name: weak})
    assert said.startswith(f"not durable: {name} is {weak}: ")
    assert weakened(engine, {name: usual}) == []


def test_a_log_that_is_synced_once_in_a_while_is_not_delayed() -> None:
    """`delayed` loses about the last second."""
    mode = wanted("innodb", "delayed", {})
    found = {name: value for name, value in mode.items() if name != "innodb_flush_log_at_timeout"}
    (why,) = contradictions(mode, {**found, "innodb_flush_log_at_timeout": "2700"})
    assert why == "innodb_flush_log_at_timeout is 2700, and must be 1"
