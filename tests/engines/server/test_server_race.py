"""Another user races for the socket while servers start."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from waltax.engines.server.server import Spec, running
from with_server import sql

_SCRIPT = Path(__file__).parent / "intruder.py"
_STRANGER = 54321  # a user that the system does not know
_STARTS = 3


@contextlib.contextmanager
def hammering(folder: Path, paths: list[Path], user: int = _STRANGER) -> Iterator[Counter[str]]:
    """What the intruder achieved while this was open; filled at its end."""
    program = Path(sys.executable).resolve()
    # The other user may not be able to read the checkout, so the program comes as text.
    argv = [program, "-I", "-c", _SCRIPT.read_text(), folder, *paths]
    seen: Counter[str] = Counter()
    with subprocess.Popen(
        [str(word) for word in argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        user=user,
        group=user,
        extra_groups=[],
        cwd="/",
    ) as intruder:
        assert intruder.stdout is not None
        assert intruder.stdout.readline() == "ready\n"
        yield seen
        said, _ = intruder.communicate(timeout=60)
        seen.update(json.loads(said))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_no_other_user_gets_a_connection_while_servers_start(
    clone_of: Callable[..., Spec], engine: str
) -> None:
    spec = clone_of(engine)
    paths = [spec.socket_path, spec.home / "s.sock"]
    with hammering(spec.home, paths) as seen:
        for _ in range(_STARTS):
            with running(spec) as server:
                assert sql(server, "SELECT a FROM kept") == "7\n"
                server.shutdown()
    assert seen["tries"] > 0
    assert (seen["connections"], seen["logins"]) == (0, 0)
    assert (seen["entered"], seen["placed"]) == (0, 0)
    assert seen["connect: Permission denied"] > 0
