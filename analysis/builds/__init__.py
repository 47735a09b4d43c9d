"""Builds of an engine against each other, within the rounds of a campaign.

compared  each cell of a build beside the same cell of the base
words     what that says
"""

from __future__ import annotations

from .compared import Against, Pair, against
from .words import sentence, title, verdict

__all__ = ["Against", "Pair", "against", "sentence", "title", "verdict"]
