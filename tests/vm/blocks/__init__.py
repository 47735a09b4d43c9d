"""What a disk under a real file system was told, and what it may hold after a power cut.

`log.py` reads the log of a virtual disk, `replay.py` writes what the disk may hold at a moment of
it, `acks.py` finds what had been acknowledged by then, `opened.py` has a real kernel mount that and
the engine open it. Method: docs/receipts.md, "A real file system".
"""
