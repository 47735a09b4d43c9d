"""Builds of an engine under test: named, examined, linked to, and found again in a process.

inspection      examining the named builds, before anything is made
build           a build as --build names it, and in a campaign, with its digests
driver_builds   driver programs that are linked to a build of RocksDB, made on demand
mapped_files    the engine's files that a process really mapped
"""
