"""`waltax doctor` on this machine, whatever that is like."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from waltax import doctor

_STATES = {doctor.OK, doctor.WARN, doctor.UNKNOWN}


def _doctor(*words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "waltax", "doctor", "--seconds", "0.1", *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)


def test_every_check_is_answered_in_a_line_and_counted(tmp_path: Path) -> None:
    done = _doctor(str(tmp_path))
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines[:-1]] == [check.name for check in doctor.CHECKS]
    assert {line.split()[1] for line in lines[:-1]} <= _STATES
    assert f" of {len(doctor.CHECKS)} checks warn" in lines[-1]


def test_the_list_for_programs_has_check_state_text_and_advice() -> None:
    done = _doctor("--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    of_machine = [check.name for check in doctor.CHECKS if not check.of_directory]
    assert [one["check"] for one in found] == of_machine
    for one in found:
        assert set(one) == {"check", "state", "text", "advice"}
        assert one["state"] in _STATES
        assert bool(one["advice"]) is (one["state"] == doctor.WARN)


def test_strict_fails_with_3_for_what_warns_and_was_not_accepted() -> None:
    here = json.loads(_doctor("/dev/shm", "--json").stdout)
    warned = {one["check"] for one in here if one["state"] == doctor.WARN}
    assert "device" in warned, "memory is volatile"
    assert _doctor("/dev/shm", "--strict").returncode == 3
    accepted = [word for check in doctor.CHECKS for word in ("--accept", check.name)]
    assert _doctor("/dev/shm", "--strict", *accepted).returncode == 0
    assert _doctor("/dev/shm").returncode == 0


def test_what_is_typed_wrongly_is_refused_before_anything_is_waited_for() -> None:
    for words, said in (
        (("/no/such",), "/no/such: no such directory"),
        (("--accept", "weather"), "--accept: found 'weather'; one of governor, "),
        (("--profile", "huge"), "--profile: found 'huge'"),
    ):
        done = _doctor("--seconds", "600", *words)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stdout == ""
