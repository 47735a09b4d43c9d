"""The program `shop`: what it refuses, and how it ends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from waltax import proc


def _shop(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    argv = [str(proc.program("shop")), *words]
    return subprocess.run(argv, input=said, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rows=999"], '--rows: found "999", want a whole number from 1000 to 1000000000'),
        (["--rows=1099511627776"], '--rows: found "1099511627776", want'),
        (["--load-order=random"], '--load-order: found "random", want one of: sorted unsorted'),
        (["--known-share=0"], '--known-share: found "0", want'),
        (["--known-share=1.5"], '--known-share: found "1.5", want'),
    ],
)
def test_flags_that_cannot_be_are_refused_before_anything_is_opened(
    tmp_path: Path, words: list[str], message: str
) -> None:
    done = _shop("run", f"--db={tmp_path / 'none'}", *words)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert message in done.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("order", ["sorted", "unsorted"])
def test_a_data_set_is_loaded_run_and_checked(tmp_path: Path, order: str) -> None:
    data = (f"--db={tmp_path / 'db'}", "--rows=2000", f"--load-order={order}")
    loaded = _shop("load", *data, "--threads=2")
    assert loaded.returncode == 0, loaded.stderr
    event = json.loads(loaded.stdout.splitlines()[-1])
    assert event["rows"] == 2000
    assert event["rows_per_s"] == pytest.approx(2000 / event["seconds"])
    said = '{"cmd":"run","requests":500}\n{"cmd":"check"}\n'
    for number in (1, 2):  # a second run goes on behind the first
        ran = _shop("run", *data, "--known-share=0.1", "--threads=2", said=said)
        assert ran.returncode == 0, ran.stderr
        events = {one["event"]: one for one in map(json.loads, ran.stdout.splitlines())}
        assert events["ready"]["workload"]["logical_bytes"] == 634_400
        assert events["ready"]["workload"]["working_set_bytes"] < 634_400 / 9
        assert events["slice"]["requests"] == 1000
        counted = events["check"]["counted"]
        assert events["check"]["ok"], events["check"]
        orders = events["slice"]["operations"]["NEW-ORDER"]["count"]
        assert counted["inserted_orders"] >= orders * number / 2
        assert counted["orders"] == 800 + counted["inserted_orders"]
    again = _shop("check", *data)
    assert again.returncode == 0
    assert json.loads(again.stdout)["counted"] == counted


def test_another_order_or_size_than_was_loaded_is_refused(tmp_path: Path) -> None:
    db = f"--db={tmp_path / 'db'}"
    assert _shop("load", db, "--rows=1000").returncode == 0
    for flag in ("--rows=2000", "--load-order=unsorted"):
        done = _shop("run", db, "--rows=1000", flag)
        assert done.returncode == 2
        assert f"{flag.split('=')[0]}: found" in done.stderr
