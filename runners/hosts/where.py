"""Read which hosts `--hosts` names."""

from __future__ import annotations

import re
from importlib.util import find_spec

from ...base.errors import UsageError, WaltaxError

_MOST = 64  # workers of one machine, which measure one after the other


class HostsError(WaltaxError):
    """The scheduler has gone, or no host is left; what was measured is kept, and can be resumed."""


def named(text: str) -> str:
    """Return the workers that a text names, as typed: a scheduler's address, or local:N for N of
    them on this machine. Errors: UsageError.
    """
    if 1 <= local(text.strip()) <= _MOST:
        return text.strip()
    return address(text, "--hosts", f", or local:1 to local:{_MOST} for workers of this machine")


def local(hosts: str) -> int:
    """Return how many workers to start on this machine; 0: a scheduler has them."""
    match = re.fullmatch(r"local:(\d{1,3})", hosts)
    return int(match[1]) if match else 0


def address(text: str, flag: str, otherwise: str = "") -> str:
    """Return a scheduler's address. Errors: UsageError that names `flag`."""
    if re.fullmatch(r"(tcp|tls)://[A-Za-z0-9._\[\]:-]+:\d{1,5}", text.strip()):
        return text.strip()
    raise UsageError(
        f"{flag}: found {text!r}; type the address of a dask scheduler, as in {flag} "
        f"tcp://10.0.0.1:8786{otherwise}"
    )


def require_dask(flag: str) -> None:
    """Raise UsageError that names `flag` if dask.distributed is not installed."""
    if find_spec("distributed") is None:
        raise UsageError(
            f"{flag}: needs distributed, which is not installed; type: .venv/bin/pip install "
            "'.[hosts]'"
        )
