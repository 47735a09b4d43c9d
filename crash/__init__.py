"""What the cost of a log buys: what is lost when a process is killed, or the power is cut.

A run is recorded once: the recorder (devices/preload) logs each call that changes files, `log.py`
reads what it logged. Method and limits: docs/receipts.md.
"""
