"""A bisection over builds of which one brought a slow-down: does it find that one?

    python -m waltax.bench bisected [BUILDS] [PAUSES] [WORD...]

`waltax bisect` over so many builds (10), of which a drawn one and all after it wait before each
record of the log, for so many `pause` instructions of the CPU (40, some 3 us). Further WORDs are
flags of it, as --by cpu. Prints how many builds it judged by how many campaigns, in what time.
"""

from __future__ import annotations

import re
import secrets
import sys
import time
from pathlib import Path

from ... import proc
from ...terminal import Terminal, say
from ..homes.plain import DATA, home
from .measured import DEVICE, PROFILE, WORKLOAD, room
from .plant import plant

_STEP = 'rm -rf "$DIR"/include "$DIR"/lib && cp -a {builds}/"$REVISION"/. "$DIR"'
_LONGEST_S = 7200.0


def main(arguments: list[str]) -> None:
    console = Terminal()
    count = int(arguments[0]) if arguments else 10
    pauses = int(arguments[1]) if len(arguments) > 1 else 40
    first_bad = 1 + secrets.randbelow(count)
    say(console, f"{count} builds; from r{first_bad} on, the log waits for {pauses} pauses")
    with home("bisected") as folder:
        _plant(folder, count, pauses, first_bad)
        began_s = time.monotonic()
        said = proc.run(_argv(folder, count, arguments[2:]), check=False, timeout_s=_LONGEST_S)
        minutes = (time.monotonic() - began_s) / 60
    _tell(console, said, first_bad, minutes)


def _plant(folder: Path, count: int, pauses: int, first_bad: int) -> None:
    plant(room() / "base", 0)
    plant(room() / "slow", pauses)
    for number in range(1, count + 1):
        plant(folder / f"r{number}", pauses if number >= first_bad else 0, mark=number)


def _argv(folder: Path, count: int, flags: list[str]) -> list[str]:
    revisions = " ".join(f"r{number}" for number in range(1, count + 1))
    where = [f"--results={folder / 'results'}", f"--data-dir={DATA}"]
    what = [f"--workload={WORKLOAD}", f"--device={DEVICE}", f"--profile={PROFILE}", "--wal=flush"]
    builds = [f"--good={room() / 'base'}", f"--bad={room() / 'slow'}"]
    steps = [f"--step={_STEP.format(builds=folder)}", f"--revisions={revisions}"]
    python = [sys.executable, "-m", "waltax", "bisect"]
    return [*python, *builds, *steps, *what, *where, *flags]


def _tell(console: Terminal, said: str, first_bad: int, minutes: float) -> None:
    """Errors: SystemExit where it found another build than the planted one, or several."""
    verdicts = re.findall(r"^revision \w+: \w+$", said, re.MULTILINE)
    campaigns = len(re.findall(r"^campaign \S+, seed", said, re.MULTILINE))
    say(console, *verdicts, *re.findall(r"^\d+ campaigns, .*$", said, re.MULTILINE))
    say(
        console, f"{len(verdicts)} builds judged by {campaigns} campaigns, in {minutes:.0f} minutes"
    )
    if f"the first bad revision is r{first_bad}:" not in said:
        raise SystemExit(f"it did not find r{first_bad}: {proc.last_words(said)}")
    say(console, f"the first bad revision is r{first_bad}, as planted")


if __name__ == "__main__":
    main(sys.argv[1:])
