"""What a device file that contradicts itself, or the tap, is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from device_files import GOOD, PROBE, error_of, written
from waltax.base.errors import UsageError
from waltax.devices import load


def with_model(old: str, new: str) -> str:
    """A good file's text once a number of its model was changed."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_more_sleeps_than_the_tap_takes_are_refused(tmp_path: Path) -> None:
    (preset,) = (line for line in GOOD.splitlines() if line.startswith("sync_sleeps"))
    sleeps = 'sync_sleeps = {{ value = {}, kind = "estimate", source = "han" }}'
    load(written(tmp_path, with_model(preset, sleeps.format(64))))
    message = error_of(tmp_path, preset, sleeps.format(1000))
    assert message == "model.sync_sleeps: found 1000, want 64 or fewer in one sync"


def test_a_sync_too_short_for_the_tap_is_refused_with_its_row(tmp_path: Path) -> None:
    message = error_of(tmp_path, "p0 = 700", "p0 = 0.1")
    assert message.startswith("model.sync[0].quantiles_us: p0 = 0.1 is under the tap's floor of 0.")
    assert "; write 0.5 or more, or path = the device's directory" in message


def test_the_real_device_may_have_syncs_too_short_for_the_tap(tmp_path: Path) -> None:
    text = with_model("p0 = 700", "p0 = 0.1").replace("title", 'path = "/mnt/mine"\ntitle', 1)
    assert load(written(tmp_path, text)).path == "/mnt/mine"


def test_what_was_probed_may_be_too_short_for_the_tap(tmp_path: Path) -> None:
    device = load(written(tmp_path, with_model("p0 = 700", "p0 = 0.1") + PROBE))
    assert device.model is not None
    assert "p0 = 0.1 is under" in (device.model.under_floor() or "")


def with_cpu(caller_us: float) -> str:
    """A good file whose sync of 4 KiB has a median of 1080 us, and such a cost of its caller."""
    figure = 'cpu_caller_us = {{ value = {}, kind = "estimate", source = "vm-cpu" }}\n'
    return with_model(figure.format(25), figure.format(caller_us))


def test_a_sync_cannot_take_more_cpu_time_than_it_lasts(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load(written(tmp_path, with_cpu(1100)))
    assert "mine.toml: model: a sync of 4096 B takes 1100 us of CPU time" in str(caught.value)
    assert "but its p50 is 1080 us; it cannot take more than it lasts" in str(caught.value)


def test_a_sync_may_be_nothing_but_cpu_time(tmp_path: Path) -> None:
    load(written(tmp_path, with_cpu(1080)))


ROW = GOOD[GOOD.index("[[model.sync]]") :]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (with_model("bytes = 4096", "bytes = 0"), "model.sync[0].bytes: found 0, want a number, a"),
        (with_model("p99_9", "p999"), "model.sync[0].quantiles_us: p999 is not a quantile"),
        (GOOD + 40 * ROW, "model.sync: found an array of 41, want 32 or fewer"),
        (GOOD.replace(ROW, "sync = []"), "model.sync: found an array of 0, want 1 or more"),
        (GOOD.replace("[[model.sync]]", "[model.sync]"), "model.sync: found a table, want an arr"),
        (GOOD.replace("[model]", "[[model]]"), "model: found an array of 1, want a table"),
        (with_model('"mine"', '"My SSD"'), 'name: found "My SSD", want lower case, digits and'),
        (with_model('"mine"', f'"{"A" * 5000}"'), f'name: found "{"A" * 57}...", want lower'),
        (with_model('"mine"', '"a\\nb"'), 'name: found "a b", want a text without control'),
        (
            with_model("bytes = 4096", f"bytes = {10**400}"),
            "model.sync[0].bytes: found a number",
        ),
        (with_model("value = 500", f"value = {'9' * 5000}"), "not TOML: "),
        (with_model("title", f"x = {'[' * 3000}{']' * 3000}\ntitle"), "not TOML: "),
    ],
)
def test_a_mistake_gets_one_short_line_in_waltax_s_own_words(
    tmp_path: Path, text: str, message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load(path)
    said = str(caught.value).removeprefix(f"{path}: ")
    assert said.startswith(message)
    assert (len(said.splitlines()), len(said) < 250) == (1, True)
    assert not any(word in said for word in ("should", "validation", "Tuple", "{"))
