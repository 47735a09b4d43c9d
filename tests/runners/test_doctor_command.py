"""`waltax doctor` on this machine, whatever that is like."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result
from waltax import cli
from waltax.base.errors import UsageError, WaltaxError
from waltax.runners import doctor

_STATES = {doctor.OK, doctor.WARN, doctor.UNKNOWN}


def _doctor(*words: str) -> Result:
    done = CliRunner().invoke(cli.cli, ["doctor", *words])
    assert done.exception is None or isinstance(done.exception, (SystemExit, WaltaxError))
    return done


def test_every_check_is_answered_in_a_line_and_counted(tmp_path: Path) -> None:
    done = _doctor(str(tmp_path))
    assert done.exit_code == 0, done.output
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines[:-1]] == [*doctor.CHECKS, "device"]
    assert {line.split()[1] for line in lines[:-1]} <= _STATES
    assert f" of {1 + len(doctor.CHECKS)} checks warn" in lines[-1]


def test_the_list_for_programs_has_check_state_text_and_advice() -> None:
    done = _doctor("--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [one["check"] for one in found] == list(doctor.CHECKS)
    for one in found:
        assert set(one) == {"check", "state", "text", "advice"}
        assert one["state"] in _STATES
        assert bool(one["advice"]) is (one["state"] == doctor.WARN)


def test_what_warns_is_for_scripts_to_judge() -> None:
    done = _doctor("/dev/shm", "--json")
    warned = {one["check"] for one in json.loads(done.stdout) if one["state"] == doctor.WARN}
    assert "device" in warned, "memory is volatile"
    assert done.exit_code == 0


def test_a_directory_that_is_typed_wrongly_is_refused() -> None:
    done = _doctor("/no/such")
    assert isinstance(done.exception, UsageError)
    assert "/no/such does not exist" in str(done.exception)
    assert done.stdout == ""
