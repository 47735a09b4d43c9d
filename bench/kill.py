"""Kill a campaign at random moments and resume it each time. `python -m waltax.bench.kill [KILLS]`

The campaign is of LinkBench. After every kill: the rows that were accepted are still there,
unchanged and in order, and no place in the campaign is taken twice.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

from .. import row
from ..row import Row

_ROOT = Path(__file__).parent.parent
_SEED = 1
_LATEST_S = 12.0  # start-up, load, some sessions' slices and checks all lie within


def main(arguments: list[str]) -> None:
    kills = int(arguments[0]) if arguments else 20
    draw = random.Random(_SEED)
    results = Path(tempfile.mkdtemp(prefix="waltax-kill-"))
    accepted: list[Row] = []
    try:
        for number in range(kills):
            _run_and_kill(results, draw.uniform(0.2, _LATEST_S))
            accepted = _grown(accepted, _rows(results), number)
        _finish(results)
        accepted = _grown(accepted, _rows(results), kills)
        print(f"{kills} kills, {len(accepted)} rows: none lost, none doubled")
    finally:
        shutil.rmtree(results)


def _argv(results: Path) -> list[str]:
    """A new campaign, or the one that was killed; its budget outlives the kills."""
    begun = sorted(results.glob("*/campaign.json"))
    new = ["--profile", "ci", "--workload", "linkbench"]
    what = ["--resume", str(begun[0].parent)] if begun else new
    return [sys.executable, "-m", "waltax", "run", "--results", str(results), *what]


def _run_and_kill(results: Path, after_s: float) -> None:
    campaign = subprocess.Popen(
        _argv(results), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=_ROOT
    )
    time.sleep(after_s)
    campaign.kill()
    campaign.wait()
    print(f"killed after {after_s:.1f} s: {len(_rows(results))} rows", flush=True)


def _finish(results: Path) -> None:
    subprocess.run(_argv(results), stdout=subprocess.DEVNULL, cwd=_ROOT, check=True)


def _rows(results: Path) -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", row.HalfWrittenLine)
        return [one for path in results.glob("*/rows.jsonl") for one in row.read(path)]


def _grown(before: list[Row], after: list[Row], kill: int) -> list[Row]:
    """`after`, which must begin with `before` and hold every place once."""
    if after[: len(before)] != before:
        raise SystemExit(f"kill {kill}: an accepted row was lost or changed")
    places = Counter((one["session"], one["round"], one["cell"]) for one in after)
    doubled = [place for place, count in places.items() if count > 1]
    if doubled:
        raise SystemExit(f"kill {kill}: measured twice: {doubled[0]}")
    return after


if __name__ == "__main__":
    main(sys.argv[1:])
