"""The extra that hosts take: dask.distributed."""

from __future__ import annotations

from importlib.util import find_spec

from ..errors import UsageError


def require(flag: str) -> None:
    """Errors: UsageError that names `flag`, where dask.distributed is not installed."""
    if find_spec("distributed") is None:
        raise UsageError(
            f"{flag}: needs distributed, which is not installed; type: .venv/bin/pip install "
            "'.[hosts]'"
        )
