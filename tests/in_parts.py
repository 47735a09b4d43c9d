"""Runs the Python tests as three processes at a time, since most of them wait.

Each line that is printed begins with its part. `pytest` alone runs the same tests one after the
other. What is typed behind it goes to all parts.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
SERVED = "tests/runners/test_run_served.py"
CAMPAIGNS = ["tests/runners"]
STUDIES = ["tests/study", "tests/serve", "tests/receipts"]
OTHERS = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "tests").iterdir()
    if (path.is_dir() and any(path.rglob("test_*.py"))) or path.match("test_*.py")
)
OTHERS = [path for path in OTHERS if path not in (*CAMPAIGNS, *STUDIES)]
# They take about as long, the first without the longest of its files.
PARTS = {
    "campaigns": [*CAMPAIGNS, f"--ignore={SERVED}"],
    "studies": STUDIES,
    "others": [*OTHERS, SERVED],
}
_NONE_SELECTED = 5  # pytest's exit code


def worse(*codes: int) -> int:
    """Of the exit codes: a part without any test is well where another one had some."""
    ran = [abs(code) for code in codes if code != _NONE_SELECTED]
    return max(ran, default=_NONE_SELECTED)


def _run(name: str, words: list[str]) -> int:
    """pytest's exit code; its lines as they come, since a machine may have no time for the last."""
    argv = [sys.executable, "-u", "-m", "pytest", *words, *PARTS[name]]
    with subprocess.Popen(
        argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace"
    ) as pytest:
        assert pytest.stdout is not None
        for line in pytest.stdout:
            sys.stdout.write(f"{name:9} {line}")
            sys.stdout.flush()
        return pytest.wait()


def main(words: list[str]) -> int:
    """The worst of all exit codes."""
    with ThreadPoolExecutor(len(PARTS)) as pool:
        return worse(*pool.map(lambda name: _run(name, words), PARTS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
