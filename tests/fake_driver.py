"""A driver program that only pretends, and a way to run a command line against it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from waltax.base.errors import WaltaxError

# Writes down its command line and commands, and answers with what is in answers.json. After
# the event "hang" it waits to be killed.
_PROGRAM = """\
import json, pathlib, sys, time
here = pathlib.Path(__file__).parent
answers = json.loads((here / "answers.json").read_text())[sys.argv[1]]
with (here / "heard.jsonl").open("a") as heard:
    print(json.dumps(sys.argv[1:]), file=heard, flush=True)
    for event in answers["events"]:
        while event["event"] == "hang":
            time.sleep(1)
        print(json.dumps(event), flush=True)
        if sys.argv[1] == "run" and event["event"] in ("ready", "slice", "check"):
            print(sys.stdin.readline().strip(), file=heard, flush=True)
sys.stderr.write(answers.get("stderr", ""))
sys.exit(answers.get("exit_code", 0))
"""


@dataclass
class Result:
    """How a command line ended."""

    exit_code: int
    error: str  # the message that `waltax` would print
    out: list[str]
    err: list[str]


def invoke(command: click.Command, *words: str) -> Result:
    """Run a command line with these words, without the process around it."""
    done = CliRunner().invoke(command, words, standalone_mode=False)
    out, err = done.stdout.splitlines(), done.stderr.splitlines()
    if isinstance(done.exception, WaltaxError):
        return Result(done.exception.exit_code, str(done.exception), out, err)
    if done.exception is not None:
        raise done.exception
    return Result(0, "", out, err)


class FakeDriver:
    """The pretending program `name` in a build directory of its own."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._answers: dict[str, dict[str, Any]] = {}
        script, program = folder / "fake.py", folder / name
        script.write_text(_PROGRAM)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -IS "{script}" "$@"\n')
        program.chmod(0o755)
        for phase in ("load", "run"):
            self.answer(phase)

    def answer(self, phase: str, *events: dict[str, Any], **ending: Any) -> None:
        """Say these events in one phase; `ending` may have `stderr` and `exit_code`."""
        self._answers[phase] = {"events": events, **ending}
        (self._folder / "answers.json").write_text(json.dumps(self._answers))

    def heard(self) -> list[Any]:
        """Command lines (lists of words) and commands (objects), in order."""
        lines = (self._folder / "heard.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines if line]
