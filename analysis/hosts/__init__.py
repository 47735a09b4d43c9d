"""Rows of several hosts to what each of them says, and which of them disagree with the others."""

from __future__ import annotations

from .compared import OnHost, Spread, spreads

__all__ = ["OnHost", "Spread", "spreads"]
