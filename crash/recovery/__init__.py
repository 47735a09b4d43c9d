"""The time until an engine serves again after a kill, by the bytes of log that it must replay.

kill        grows a log to a length, kills the engine, and opens copies of what that left, whose
            files are out of the page cache
openings    each length of log in turn: its kills, and the openings of each
settings    settings that keep a log from being flushed before the kill, and what they need
modes       RocksDB's recovery modes, on damaged logs
"""
