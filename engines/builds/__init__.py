"""Builds of an engine under test: named, looked at, linked to, and found again in a process.

look      at what was named, before anything is made
named     what --build says
build     a build as a campaign has it, its digests and its revision
rocksdb   a folder with RocksDB's headers and library, looked at before anything is made
server    a mariadbd, or a folder with one
made      driver programs that are linked to a build of RocksDB, made on demand
mapped    the engine's files that a process really mapped
"""
