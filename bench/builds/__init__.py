"""Builds with a planted slow-down: are equals told apart, and is what differs found?

plant       a copy of the installed RocksDB whose log waits before it takes a record
measured    campaigns of builds, of a fixed length
"""
