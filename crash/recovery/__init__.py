"""The time until an engine serves again after a kill, by the bytes of log that it must replay.

crashed    grows a log to a length, finds what a kill or a power cut left, and makes copies of it
           whose files are out of the page cache
told       what an engine's own log says about its recovery
roomy      settings that keep a log from being flushed before the kill, and what they need
embedded   RocksDB in a driver's process
served     MyRocks and InnoDB, on a server
"""
