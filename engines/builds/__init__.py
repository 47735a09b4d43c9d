"""Builds of an engine under test: named, examined, linked to, and found again in a process.

look      examining the named builds, before anything is made
named     parsing --build
build     a build in a campaign, with its digests and its revision
rocksdb   examining a folder with RocksDB's headers and library
server    examining a mariadbd, or a folder with one
made      driver programs that are linked to a build of RocksDB, made on demand
mapped    the engine's files that a process really mapped
"""
