"""How long an engine takes to serve again after a kill, by the bytes of log that it must replay.

crashed    a log that grows until it is long enough, what a kill or a power cut left then, and
           copies of it whose files are out of the page cache
told       what an engine's own log says of its recovery
roomy      settings by which nothing of a log is flushed before the kill, and what they need
embedded   RocksDB in a driver's process
served     MyRocks and InnoDB, on a server
"""
