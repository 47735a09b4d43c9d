"""Runs the Python tests as two processes at a time, since most of them wait.

One runs the campaigns of tests/runners, whose output comes at the end, the other all the rest.
`pytest` alone runs the same tests one after the other. What is typed behind it goes to both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
CAMPAIGNS = "tests/runners"
_NONE_SELECTED = 5  # pytest's exit code


def worse(*codes: int) -> int:
    """Of the exit codes: a half without any test is well where the other one had some."""
    ran = [abs(code) for code in codes if code != _NONE_SELECTED]
    return max(ran, default=_NONE_SELECTED)


def main(words: list[str]) -> int:
    """The worse of both exit codes."""
    pytest = [sys.executable, "-m", "pytest", *words]
    with tempfile.TemporaryFile() as output:
        campaigns = subprocess.Popen(
            [*pytest, CAMPAIGNS], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            others = subprocess.run([*pytest, f"--ignore={CAMPAIGNS}"], cwd=ROOT, check=False)
        finally:
            code = campaigns.wait()
            output.seek(0)
            sys.stdout.write(output.read().decode(errors="replace"))
    return worse(code, others.returncode)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
