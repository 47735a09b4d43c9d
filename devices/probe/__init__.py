"""Measuring what a log device can do, with fio, as a RocksDB WAL uses it.

`command` is the command line, `measure.probe` the measurement, `compare` puts two device files
side by side.
"""
