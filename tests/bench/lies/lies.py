"""Plants lies, and prints which are caught, warned of, or silent.

    python -m bench lies [WORD...]

Every lie is told to a session of LinkBench, embedded, on a real directory beside the data: with a
library that lies to the driver, a mount, a cgroup, a signal, an edited profile or edited rows. A
lie is *caught* when its cell fails or the command is refused, and *warned* of when rows or reports
say it; the words must be those that belong to it. WORDs choose the lies that have one of them in
their name. Some need root. Ends with 1 where a lie was silent that docs/method.md does not argue,
or an honest session was accused.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text
from waltax.base.errors import WaltaxError
from waltax.base.folders.machine import only_campaign
from waltax.base.terminal import Terminal, say

from ..homes.plain import home
from .planted import LIES, TRUTHS, Lie
from .stage import stage

CAUGHT, WARNED, SILENT, TRUE, ALARM = "caught", "warned", "SILENT", "accepted", "FALSE ALARM"


@dataclass(frozen=True)
class Verdict:
    """What came of a lie, and the words that say so."""

    lie: Lie
    verdict: str
    words: str = ""


def main(arguments: list[str]) -> None:
    every = (*TRUTHS, *LIES)
    chosen = [one for one in every if not arguments or any(w in one.name for w in arguments)]
    terminal, verdicts = Terminal(), list[Verdict]()
    with only_campaign("bench-lies", share=True):
        for one in chosen:
            verdicts.append(_of_truth(one) if one in TRUTHS else _of_lie(one))
            say(terminal, f"{verdicts[-1].verdict}: {one.name}: {verdicts[-1].words}")
    terminal.print(_table(verdicts))
    bad = [v for v in verdicts if v.verdict == ALARM or (v.verdict == SILENT and not v.lie.argued)]
    sys.exit(1 if bad else 0)


def _of_truth(one: Lie) -> Verdict:
    failures = _told(one)[0]
    return Verdict(one, ALARM if failures else TRUE, "; ".join(failures))


def _of_lie(one: Lie) -> Verdict:
    failures, said = _told(one)
    for verdict, texts in ((CAUGHT, failures), (WARNED, said)):
        for text in texts:
            if any(word in text for word in one.words):
                return Verdict(one, verdict, text)
    return Verdict(one, SILENT, "; ".join(failures))


def _told(one: Lie) -> tuple[list[str], list[str]]:
    """Why it failed or was refused, and what rows say."""
    with home("lies") as folder, stage(folder) as at:
        try:
            seen = one.tell(at)
        except WaltaxError as error:
            return [str(error)], []
    return list(seen.failures.values()), seen.said


def _table(verdicts: list[Verdict]) -> Table:
    table = Table("lie", "", "in the words of waltax")
    for one in verdicts:
        table.add_row(*map(Text, (one.lie.name, one.verdict, one.words)))
    return table


if __name__ == "__main__":
    main(sys.argv[1:])
