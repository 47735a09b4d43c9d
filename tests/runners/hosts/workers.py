"""What a scheduler says of its workers."""

from __future__ import annotations

from typing import Any


def worker(name: str, **resources: float) -> dict[str, Any]:
    """A worker by its name, and the resources that it announces."""
    return {"name": name, "resources": resources}
