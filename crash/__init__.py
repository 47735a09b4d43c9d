"""What the cost of a log buys: how much is lost when a process is killed or the power is cut.

A run is recorded once: the recorder (devices/preload) logs each call that changes files, and
`log.py` reads that log. Method and limits: docs/receipts.md.
"""
