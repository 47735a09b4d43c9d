"""What a server says of itself, asked with MariaDB's own client program."""

from __future__ import annotations

import shutil
import subprocess

from ... import proc
from ...errors import UsageError, WaltaxError
from ...mariadb import settings
from ...mariadb.server import Server
from ..engines import ENGINES
from ..served import Placed

_CLIENT = "mariadb"
_WITHIN_S = 60.0


def of_log(server: Server) -> dict[str, int]:
    """The engine's counters of its log so far, by their names in small letters."""
    engine = ENGINES[server.spec.engine]
    names = [name for name in (engine.wal_bytes, engine.wal_syncs) if name is not None]
    wanted = ", ".join(f"'{name}'" for name in names)
    found = _rows(server, f"SHOW GLOBAL STATUS WHERE variable_name IN ({wanted})")
    return {name.lower(): int(value) for name, value in found.items()}


def require_mode(placed: Placed, durability: str) -> None:
    """Errors: WaltaxError naming a variable of the server that contradicts its mode."""
    engine = placed.server.spec.engine
    wanted = settings.wanted(engine, durability, placed.wal_dir)
    found = settings.contradictions(wanted, _rows(placed.server, "SHOW GLOBAL VARIABLES"))
    if found:
        raise WaltaxError(f"the server contradicts the label: {found[0]}")


def _rows(server: Server, sql: str) -> dict[str, str]:
    program = shutil.which(_CLIENT)
    if program is None:
        raise UsageError(
            f"{_CLIENT}: no such program; --run asks the server with it; run: make setup"
        )
    argv = [
        *(program, "--no-defaults", f"--socket={server.socket}", f"--user={server.user}"),
        *("--batch", "--raw", "--skip-column-names", f"--execute={sql}"),
    ]
    try:
        lines = proc.run(argv, timeout_s=_WITHIN_S).splitlines()
    except subprocess.TimeoutExpired:
        raise WaltaxError(f"the server did not answer within {_WITHIN_S:g} s: {sql}") from None
    return {name: value for name, _, value in (line.partition("\t") for line in lines)}
