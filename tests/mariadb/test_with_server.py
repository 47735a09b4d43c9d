"""The runner of the C++ tests."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest
from waltax.errors import WaltaxError
from waltax.proc import run

SCRIPT = Path(__file__).parent.parent / "with_server.py"


def test_the_command_finds_its_server_and_its_exit_code_is_ours(engine: str) -> None:
    command = (
        'mariadb --no-defaults --socket="$WALTAX_SERVER_SOCKET" waltax '
        "--skip-column-names --execute 'SELECT 6 * 7' && "
        'echo "$WALTAX_SERVER_ENGINE $WALTAX_SERVER_SOCKET"; exit 7'
    )
    with pytest.raises(WaltaxError, match="exit code 7"):
        run([sys.executable, SCRIPT, engine, "--", "sh", "-c", command])
    said = run([sys.executable, SCRIPT, engine, "--", "sh", "-c", command], check=False).split()
    assert said[:2] == ["42", engine]
    assert not Path(said[2]).parent.parent.exists()
    assert not [p for p in psutil.process_iter(["cmdline"]) if said[2] in str(p.info["cmdline"])]
