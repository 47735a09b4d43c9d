"""What is typed for a flag of a driver, or sent to it, never aborts it: it is told in one line."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from waltax.base import proc

PROGRAMS = ("linkbench", "mix", "tpcc")
TEXTS = ("x", "", "9" * 400, "\x1b[2J\nwarning: forged\r")


def _run(program: str, *words: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    argv = [str(proc.program(program)), *words]
    return subprocess.run(
        argv, cwd=cwd, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def _flags(program: str, command: str, cwd: Path) -> list[str]:
    said = _run(program, command, "--help", cwd=cwd).stdout
    return [name for name in re.findall(r"--[a-z0-9-]+", said) if name != "--help"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_flag_survives_every_text(program: str, tmp_path: Path) -> None:
    runs = dict.fromkeys(_flags(program, "run", tmp_path), "run")
    flags = dict.fromkeys(_flags(program, "load", tmp_path), "load")
    flags |= dict.fromkeys(_flags(program, "check", tmp_path), "check") | runs
    assert {"--threads", "--durability", "--store"} <= set(flags)
    for flag, command in flags.items():
        # The parser is the same in all: one program is given every text.
        for text in TEXTS if program == "linkbench" else TEXTS[-1:]:
            store = [] if flag == "--store" else ["--store=null"]
            ended = _run(program, command, *store, f"{flag}={text}", cwd=tmp_path)
            shown = (flag, text[:20], ended.returncode, ended.stderr[:300])
            assert ended.returncode in (0, 2), shown  # some texts are a value, of --user say
            assert len(ended.stderr.splitlines()) == (ended.returncode == 2), shown
            assert ended.stderr.removesuffix("\n").isprintable() or not ended.stderr, shown


def test_a_switch_has_no_value(tmp_path: Path) -> None:
    ended = _run("tpcc", "run", "--print-options=x", cwd=tmp_path)
    assert ended.returncode == 2
    assert "print-options was given a disallowed flag override" in ended.stderr


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "line",
    [
        *("", "{", "null", "[]", '"run"', "1e400", DEEP, DEEP[:100_000], "\x00", "\x1b[2J"),
        *(f'{{"cmd":{text}}}' for text in ("1", "null", "[]", DEEP, '"\\ud800"', '"x\\ny"')),
        *(f'{{"cmd":"run","measure_s":{text}}}' for text in ("1e400", DEEP, '"1"', "-0.1")),
        *(f'{{"cmd":"run","requests":{text}}}' for text in ("-1", "1.5", "9" * 5000, "{}")),
        f'{{"cmd":"{"k" * 100_000}"}}',
    ],
)
def test_a_line_that_is_no_command_is_an_event_that_says_so(line: str, tmp_path: Path) -> None:
    ended = _run("linkbench", "run", "--store=null", cwd=tmp_path, stdin=line + "\n")
    assert (ended.returncode, ended.stderr) == (2, "")
    events = [json.loads(one) for one in ended.stdout.splitlines()]
    assert [event["event"] for event in events] == ["ready", "error"]
    assert events[1]["message"].startswith("command: ")
    assert len(events[1]["message"]) < 400
