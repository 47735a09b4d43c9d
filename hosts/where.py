"""Which hosts are asked for: what `--hosts` says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec

from ..errors import UsageError, WaltaxError

_MOST = 64  # workers of one machine, which measure one after the other


class HostsError(WaltaxError):
    """The scheduler has gone, or no host is left: what was measured is kept, and can go on."""


@dataclass(frozen=True)
class Where:
    """The workers of a scheduler, or so many to be started on this machine."""

    scheduler: str = ""  # tcp://HOST:PORT; "": none is there yet
    local: int = 0

    @property
    def typed(self) -> str:
        """What was typed for it."""
        return self.scheduler or f"local:{self.local}"


def named(text: str) -> Where:
    """What a text asks for. Errors: UsageError."""
    local = re.fullmatch(r"local:(\d{1,3})", text.strip())
    if local and 1 <= int(local[1]) <= _MOST:
        return Where(local=int(local[1]))
    if local is None:
        return Where(scheduler=address(text, "--hosts", " (or --hosts local:3, on this machine)"))
    raise UsageError(f"--hosts: found {text!r}; type local:1 to local:{_MOST}")


def address(text: str, flag: str, otherwise: str = "") -> str:
    """A scheduler's address. Errors: UsageError that names `flag`."""
    if re.fullmatch(r"(tcp|tls)://[A-Za-z0-9._\[\]:-]+:\d{1,5}", text.strip()):
        return text.strip()
    raise UsageError(
        f"{flag}: found {text!r}; type the address of a dask scheduler, as in {flag} "
        f"tcp://10.0.0.1:8786{otherwise}"
    )


def require_dask(flag: str) -> None:
    """Errors: UsageError that names `flag`, where dask.distributed is not installed."""
    if find_spec("distributed") is None:
        raise UsageError(
            f"{flag}: needs distributed, which is not installed; type: .venv/bin/pip install "
            "'.[hosts]'"
        )
