from __future__ import annotations

import pytest
from probing import facts, measured, reading
from waltax.devices.facts import DirectoryFacts
from waltax.devices.probe.measure import Measured
from waltax.devices.probe.record import doubts as doubts_of


def doubts(data: Measured, of: DirectoryFacts) -> list[str]:
    """Of a directory whose class nobody had to give."""
    return list(doubts_of(data, of, of.device_class))


def test_a_quiet_probe_of_a_plausible_disk_is_not_doubted() -> None:
    assert doubts(measured(reading(100.0), reading(103.0)), facts()) == []


@pytest.mark.parametrize("device_class", ["virtual", "nvme", "hdd"])
def test_a_sync_that_no_disk_can_do_is_called_not_durable(device_class: str) -> None:
    (text,) = doubts(measured(reading(0.4)), facts(device_class))
    assert text.startswith("not durable: a sync took 0.4 us")


def test_a_class_that_was_given_is_told_and_held_against_its_syncs() -> None:
    (given,) = doubts_of(measured(reading(100.0)), facts("unknown"), "nvme")
    assert given == "class nvme was given by the user; the kernel says unknown"
    swallowed, _ = doubts_of(measured(reading(0.4)), facts("unknown"), "nvme")
    assert swallowed.startswith("not durable")
    (given,) = doubts_of(measured(reading(100.0)), facts("ram"), "nvme")
    assert given == "class nvme was given by the user; the kernel says ram"
    assert not list(doubts_of(measured(reading(100.0)), facts("unknown"), "virtual"))
    swallowed, _ = doubts_of(measured(reading(0.4)), facts("virtual"), "pmem")
    assert swallowed.startswith("not durable")


def test_dax_and_memory_may_be_that_fast() -> None:
    assert doubts(measured(reading(1.0)), facts("virtual", dax=True)) == []
    assert doubts(measured(reading(0.4)), facts("ram")) == []


def test_work_of_others_is_told() -> None:
    found = doubts(measured(reading(100.0, foreign_cores=1.2)), facts())
    assert found[0].startswith("1.2 CPUs were busy for others")


def test_repeats_that_differ_are_told() -> None:
    data = measured(reading(100.0), reading(101.0), reading(180.0))
    assert doubts(data, facts()) == ["medians of a size differ by 79 % between repeats"]
