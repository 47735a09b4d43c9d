"""Two campaigns compared: whether they may be, their differences, and verdicts.

sameness    what two campaigns must share
difference  the difference of each cell, with its interval
floor       how far equal campaigns come out apart on one machine, and the file that keeps it
judge       a difference beside its floor: regressed, within, unknown
"""

from __future__ import annotations
