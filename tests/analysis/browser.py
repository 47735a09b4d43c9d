"""A page in a browser, as tests have it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from playwright.sync_api import Page


@dataclass
class Opened:
    """A page in a browser, and what went wrong there."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def require_calm(self) -> None:
        assert self.errors == []
        assert self.requests == []


Open = Callable[..., AbstractContextManager[Opened]]
