"""What a disk may hold when the power is cut at a moment, made from the log of one run.

`history.py` is what the log says of each file and name, `names.py` which names are there after a
cut, `content.py` which bytes, with the table of both; `state.py` writes one out.
"""
