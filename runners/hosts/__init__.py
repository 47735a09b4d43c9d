"""Campaigns over hosts, on dask.distributed: each session is a task on one worker.

worker    `waltax worker`
tasks     what a worker does: compare what must be the same on every host, and measure a session
executor  the campaign's side: a session for each host at a time, rows into the campaign

docs/getting-started.md says how workers are started. dask is an extra that is imported when it is
used; which scheduler `--hosts` names is read here, without it.
"""

from __future__ import annotations

import re
from importlib.util import find_spec

from ...base.errors import UsageError, WaltaxError


class HostsError(WaltaxError):
    """The scheduler has gone, or no host is left; what was measured is kept, and can be resumed."""


def address(text: str, flag: str) -> str:
    """Return a scheduler's address. Errors: UsageError that names `flag`."""
    if re.fullmatch(r"(tcp|tls)://[A-Za-z0-9._\[\]:-]+:\d{1,5}", text.strip()):
        return text.strip()
    raise UsageError(
        f"{flag}: found {text!r}; type the address of a dask scheduler, as in {flag} "
        "tcp://10.0.0.1:8786"
    )


def require_dask(flag: str) -> None:
    """Raise UsageError that names `flag` if dask.distributed is not installed."""
    if find_spec("distributed") is None:
        raise UsageError(
            f"{flag}: needs distributed, which is not installed; type: .venv/bin/pip install "
            "'.[hosts]'"
        )
