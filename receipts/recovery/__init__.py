"""How long an engine takes to open again after a kill, by the bytes of log that it must replay.

crashed    a database that was killed when its log had so many bytes
reopened   copies of it, opened again with their files out of the page cache, and timed
"""
