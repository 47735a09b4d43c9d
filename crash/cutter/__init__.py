"""The states that a disk may be in when the power is cut, made from the log of one run.

`history.py` has what the log says about each file and name. `names.py` decides which names survive
a cut, `content.py` which bytes, with the table of both. `state.py` writes a state to disk.
"""
