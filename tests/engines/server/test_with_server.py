"""The runner of the C++ tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil

SCRIPT = Path(__file__).parents[2] / "with_server.py"


def test_the_command_finds_its_server_and_its_exit_code_is_ours(engine: str) -> None:
    command = (
        'mariadb --no-defaults --socket="$WALTAX_SERVER_SOCKET" waltax '
        "--skip-column-names --execute 'SELECT 6 * 7' && "
        'echo "$WALTAX_SERVER_ENGINE $WALTAX_SERVER_SOCKET"; exit 7'
    )
    argv = [sys.executable, str(SCRIPT), engine, "--", "sh", "-c", command]
    done = subprocess.run(argv, check=False, capture_output=True, text=True)
    assert done.returncode == 7, done.stderr
    said = done.stdout.split()
    assert said[:2] == ["42", engine]
    assert not Path(said[2]).parent.parent.exists()
    assert not [p for p in psutil.process_iter(["cmdline"]) if said[2] in str(p.info["cmdline"])]
