"""A driver program that only pretends, and a way to run the command line against it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from waltax.errors import WaltaxError
from waltax.linkbench.command import command

# Writes down its command line and commands, and answers with what is in answers.json.
_FAKE_DRIVER = """\
import json, pathlib, sys
here = pathlib.Path(__file__).parent
answers = json.loads((here / "answers.json").read_text())[sys.argv[1]]
with (here / "heard.jsonl").open("a") as heard:
    print(json.dumps(sys.argv[1:]), file=heard)
    for event in answers["events"]:
        print(json.dumps(event), flush=True)
        if event["event"] in ("ready", "slice"):
            print(sys.stdin.readline().strip(), file=heard, flush=True)
sys.stderr.write(answers.get("stderr", ""))
sys.exit(answers.get("exit_code", 0))
"""


@dataclass
class Result:
    """How a command line ended."""

    exit_code: int
    error: str  # the message that `waltax` would print
    log: list[str]


def run_command(*words: str) -> Result:
    """Run `waltax linkbench` with these words, without the process around it."""
    done = CliRunner().invoke(command, words, standalone_mode=False)
    log = done.stderr.splitlines()
    if isinstance(done.exception, WaltaxError):
        return Result(done.exception.exit_code, str(done.exception), log)
    if done.exception is not None:
        raise done.exception
    return Result(0, "", log)


class FakeDriver:
    """The pretending program in a build directory of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answers: dict[str, dict[str, Any]] = {"load": {"events": []}, "run": {"events": []}}
        script, program = folder / "fake.py", folder / "linkbench"
        script.write_text(_FAKE_DRIVER)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
        program.chmod(0o755)

    def answer(self, phase: str, *events: dict[str, Any], **ending: Any) -> None:
        """The events of one phase; `ending` may have `stderr` and `exit_code`."""
        self._answers[phase] = {"events": events, **ending}
        (self._folder / "answers.json").write_text(json.dumps(self._answers))

    def heard(self) -> list[Any]:
        """Command lines (lists of words) and commands (objects), in order."""
        lines = (self._folder / "heard.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines if line]
