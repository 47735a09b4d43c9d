"""Measuring what a log device can do, with fio, as a RocksDB WAL uses it.

`command` is the command line, `measure.measure` the measurement, and `record` makes a device of it.
"""
